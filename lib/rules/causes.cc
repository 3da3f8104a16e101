// Links symptoms to causes. Within a process, the earlier line is the cause. Between processes, the finding of the
// earlier stage is the cause, because NCCL's protocol propagates failures: a process that ends closes the connections
// of its peers, and a rank that is behind makes the other ranks wait. The order of lines is meaningful only within one
// source.

#include "rules/causes.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <tuple>
#include <utility>

#include "model/stable_sort.h"
#include "text/search.h"

namespace nccl_analyze {

namespace {

LineRef first_line(const Finding& finding) {
  const std::vector<LineRef>& lines = finding.evidence.lines;
  return lines.empty() ? LineRef{} : *std::min_element(lines.begin(), lines.end());
}

template <class T>
bool share(const std::vector<T>& a, const std::vector<T>& b) {
  return std::ranges::any_of(a, [&](const T& item) { return std::find(b.begin(), b.end(), item) != b.end(); });
}

bool share_ranks(const Finding& a, const Finding& b) {
  return share(a.processes, b.processes) || ((a.processes.empty() || b.processes.empty()) && share(a.ranks, b.ranks));
}

/// Whether the finding names no process and no rank. Any process of its source may then have met the fault.
bool is_nobodys(const Finding& finding) { return finding.processes.empty() && finding.ranks.empty(); }

bool stands_before(const Finding& a, const Finding& b) {
  const LineRef first = first_line(a), second = first_line(b);
  return first.line > 0 && first.source == second.source && first < second;
}

bool is_failure(const Finding& finding) {
  return finding.severity() != Severity::info && finding.stage() <= Stage::symptom;
}

/// Whether a failure of this stage can be the effect of a failure in another process, passed on through their
/// connections.
bool may_be_echo(Stage stage) { return stage >= Stage::process && stage <= Stage::symptom; }

/// Whether the rule of `effect` names the rule of `cause` in RuleInfo::explained_by, and `cause` is of the same or an
/// earlier stage.
bool is_named(const Finding& cause, const Finding& effect) {
  const auto names = effect.rule->explained_by;
  return cause.stage() <= effect.stage() && std::find(names.begin(), names.end(), cause.rule->name) != names.end();
}

/// Whether the kernel reports a fault of a GPU, or of a device that GPUs depend on, and `effect` is a CUDA call that
/// may have failed on it. The order of their lines proves nothing: the kernel's lines are often pasted behind the
/// job's.
bool is_of_broken_gpu(const Finding& cause, const Finding& effect) {
  const auto breaks = std::ranges::find(cause.values, "breaks", [](const auto& value) { return value.first; });
  const bool is_of_program = std::ranges::any_of(
      std::array{"device-side assert", "invalid device ordinal", "invalid argument", "misaligned address"},
      [&](std::string_view words) { return contains(effect.message, words); });
  return breaks != cause.values.end() && effect.rule->name == "cuda-error" && !is_of_program &&
         (share_ranks(cause, effect) || is_nobodys(cause));
}

/// Whether both findings are events of one process, and `effect` happened first. Findings of the stage `configuration`
/// are no events. explains() skips this test if the effect's rule names the cause, because their lines may come in
/// either order: a NIC reports a broken queue before the failed request.
bool is_out_of_order(const Finding& cause, const Finding& effect) {
  return cause.stage() != Stage::configuration && !cause.incidents.empty() && !effect.incidents.empty() &&
         cause.processes.size() == 1 && cause.processes == effect.processes && stands_before(effect, cause);
}

/// Whether the effect only tells that a process ended, of which the cause has the reason: a launcher's exit code behind
/// an exception.
bool tells_end_of(const Finding& cause, const Finding& effect) {
  return effect.rule->name == "application-error" && effect.stage() == Stage::symptom && cause.stage() < Stage::symptom;
}

bool has_value(const Finding& finding, std::string_view name) {
  return std::ranges::any_of(finding.values, [name](const auto& value) { return value.first == name; });
}

/// Whether the ranks of `cause` waited, and `effect` is that a person, or the scheduler at its time limit, ended the
/// job.
bool is_end_of_wait(const Finding& cause, const Finding& effect) {
  const bool waits = cause.stage() == Stage::hang || cause.rule->name == "init-incomplete";
  return waits && (has_value(effect, "stopped") || has_value(effect, "limit"));
}

/// Whether the finding is a parent's exception that only tells of its child, which printed the reason itself.
bool tells_of_child(const Finding& finding) { return has_value(finding, "tells"); }

bool explains(const Finding& cause, const Finding& effect) {
  if (is_mere_end(cause) && share_ranks(cause, effect)) return false;
  if (&cause == &effect || (cause.survived && !is_named(cause, effect))) return false;
  if (cause.rule == effect.rule && !tells_end_of(cause, effect)) return false;
  if (cause.severity() == Severity::info || cause.severity() < effect.severity()) return false;
  if (is_end_of_wait(cause, effect)) return true;
  if (tells_of_child(cause)) return false;
  if (tells_of_child(effect) && is_failure(cause)) return true;
  if (is_end_of_wait(effect, cause)) return false;
  if (is_named(cause, effect) || is_of_broken_gpu(cause, effect)) return true;
  if (is_out_of_order(cause, effect)) return false;
  if (is_named(effect, cause)) return false;
  if (!is_failure(cause) || !is_failure(effect)) return false;
  const Stage above = cause.stage(), below = effect.stage();
  const bool same_process = share_ranks(cause, effect);
  const bool may_be_same = same_process || is_nobodys(cause) || is_nobodys(effect);
  if (above < below && may_be_echo(below)) {
    // A program error after failed traffic of the same process is a consequence of the failed traffic, not its cause.
    return !(above == Stage::program && below == Stage::network && may_be_same && stands_before(effect, cause));
  }
  if (!may_be_same || !stands_before(cause, effect)) return false;
  return above < below || (above == below && same_process && above < Stage::process) ||
         (below == Stage::program && above == Stage::network);
}

/// The distance between the scopes of two findings: 0 if they share ranks or processes, 1 if they share a communicator,
/// else 2.
int distance(const Finding& a, const Finding& b) {
  if (share_ranks(a, b)) return 0;
  return share(a.communicators, b.communicators) ? 1 : 2;
}

auto order_of(const Finding& finding) {
  const Stage stage = finding.stage();
  const bool is_failure = stage <= Stage::symptom;
  const LineRef line = is_failure ? first_line(finding) : LineRef{};
  const bool is_unsure = !is_failure && finding.provisional;
  return std::tuple{-static_cast<int>(finding.severity()),
                    stage,
                    is_mere_end(finding),
                    line,
                    is_unsure,
                    finding.rule->id,
                    first_line(finding)};
}

/// Returns the direct cause of each finding: the index of the closest finding that explains it, or -1. Of equally close
/// findings, the first counts.
std::vector<std::ptrdiff_t> direct_causes(const std::vector<Finding>& sorted) {
  std::vector<std::ptrdiff_t> causes(sorted.size(), -1);
  for (std::size_t effect = 0; effect < sorted.size(); ++effect) {
    int nearest = 3;
    for (std::size_t cause = 0; cause < sorted.size(); ++cause) {
      if (!explains(sorted[cause], sorted[effect])) continue;
      const int far = distance(sorted[cause], sorted[effect]);
      if (far >= nearest) continue;
      nearest = far;
      causes[effect] = static_cast<std::ptrdiff_t>(cause);
    }
  }
  return causes;
}

/// Returns the end of the chain of direct causes. If the chain leads into a cycle, the finding counts as its own root.
std::size_t root_of(const std::vector<std::ptrdiff_t>& causes, std::size_t effect) {
  std::size_t at = effect;
  for (std::size_t steps = 0; causes[at] >= 0; ++steps) {
    if (steps > causes.size()) return effect;
    at = static_cast<std::size_t>(causes[at]);
  }
  return at;
}

}  // namespace

bool is_mere_end(const Finding& finding) {
  const auto status = std::ranges::find(finding.values, "status", [](const auto& value) { return value.first; });
  return finding.stage() == Stage::symptom && finding.rule->name == "application-error" &&
         status != finding.values.end() && status->second != "0" && status->second != "-6";
}

void drop_guesses(std::vector<Finding>& sorted) {
  const auto proves = [](const Finding& finding) {
    return is_failure(finding) && finding.stage() <= Stage::network && !finding.survived;
  };
  const bool proven = std::ranges::any_of(
      sorted, [&](const Finding& finding) { return proves(finding) && !finding.rule->only_if_unexplained; });
  const std::string_view* kept = nullptr;  // the rule of the first such finding above info; only its findings are kept
  std::erase_if(sorted, [&](const Finding& finding) {
    if (proven && finding.provisional && finding.stage() > Stage::symptom) return true;
    if (!finding.rule->only_if_unexplained) return false;
    if (proven || finding.severity() == Severity::info) return proven;
    if (kept == nullptr) kept = &finding.rule->id;
    return *kept != finding.rule->id;
  });
}

void order_findings(std::vector<Finding>& findings) {
  sort_stably(findings, [](const Finding& a, const Finding& b) { return order_of(a) < order_of(b); });
}

void link_causes(const Model&, std::vector<Finding>& findings) {
  order_findings(findings);
  drop_guesses(findings);
  const std::vector<std::ptrdiff_t> causes = direct_causes(findings);
  std::vector<std::size_t> roots(findings.size());
  for (std::size_t i = 0; i < findings.size(); ++i) roots[i] = root_of(causes, i);
  for (std::size_t i = 0; i < findings.size(); ++i) {
    if (roots[i] == i) continue;
    findings[i].consequence = true;
    findings[roots[i]].consequences.push_back(std::move(findings[i]));
    findings[i].rule = nullptr;
  }
  std::erase_if(findings, [](const Finding& finding) { return finding.rule == nullptr; });
}

}  // namespace nccl_analyze
