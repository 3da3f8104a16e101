#pragma once
/// What a rule is, what it reports, and the analysis of a model. The list of rules is lib/rules/all_rules.cc.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "nccl_analyze/model.h"

namespace nccl_analyze {

enum class Severity : std::uint8_t { info, warning, error };
std::string_view to_string(Severity severity);

/// Where a fault stands between root and symptom; a lower stage explains a higher one in the same scope. Up to
/// `program` a process met the fault itself; the later ones reach a process through its peers.
enum class Stage : std::uint8_t {
  configuration,  ///< Settings, versions, limits, the container.
  hardware,       ///< A GPU, a NIC, a link, a driver.
  setup,          ///< Something that NCCL could not set up.
  program,        ///< The program failed, or called NCCL wrongly.
  process,        ///< A process is missing, gone or behind.
  network,        ///< Traffic between processes failed.
  hang,           ///< Ranks wait, and what for is not said.
  symptom,        ///< It says that another process failed, or only that something failed.
  performance,    ///< The job runs, on a slow path.
  note            ///< Worth knowing.
};
std::string_view to_string(Stage stage);

/// The words of a rule, Markdown. All text is static.
struct RuleInfo {
  std::string_view id;    ///< `NCA301`: never reused; the hundred is the family.
  std::string_view name;  ///< The fault, kebab-case.
  Severity severity{};
  Stage stage = Stage::note;
  std::string_view check = {};  ///< The question of every job (Report::checks) that a finding above info answers.
  /// Names of rules that explain this one beside those of lower stages; for `performance` and `note` only these do.
  std::span<const std::string_view> explained_by = {};
  /// It is inferred from what is absent: not reported where a failure is proven.
  bool only_if_unexplained = false;
  /// It speaks of what the log does not hold, or of an effect whose cause may still come: while lines are written, its
  /// findings may not last.
  bool waits_for_end = false;
  std::string_view title;
  std::string_view explanation;  ///< What it means and why it hurts.
  std::string_view fix;          ///< What to do, most likely first.
};

/// Who must be looked at first: at fault, or the one that the others wait for. Not everybody who is affected.
struct Suspect {
  int rank = -1;       ///< Of Occurrence::communicators when there is one, else of the job as the program numbers it.
  Index process = -1;  ///< Its host, pod, pid; -1 when no line of it is known.
  std::string why;     ///< What the log shows of it, half a sentence: `called AllReduce 173 last`.
  bool inferred = false;
};

/// One fault as a rule's check found it. Communicators, ranks and processes say whom it touches.
struct Occurrence {
  std::string message;  ///< This case, with its numbers.
  std::string fix;      ///< Overrides RuleInfo::fix when the log tells more; else empty.
  Evidence evidence;    ///< Never empty.
  std::vector<Index> communicators;
  std::vector<Index> processes;
  std::vector<int> ranks;    ///< Of `communicators` when there is one.
  bool consequence = false;  ///< Something else in this input explains it: analyze() puts it below its cause.
  std::vector<Suspect> suspects = {};
  std::vector<Index> incidents = {};          ///< Into Model::incidents: what it reports on.
  bool survived = false;                      ///< Its processes went on: it explains no failure.
  bool waits_for_end = false;                 ///< As RuleInfo::waits_for_end, of this case alone.
  std::optional<Stage> stage = std::nullopt;  ///< Overrides RuleInfo::stage for this case.
  /// Overrides RuleInfo::severity where this case is milder or worse.
  std::optional<Severity> severity = std::nullopt;
};

/// A rule that could not be judged on this input.
struct NotEvaluated {
  std::string_view rule;  ///< Id.
  std::string reason;
  std::string needs;  ///< What to set so that the lines are printed next time.
};

struct Verdict {
  std::vector<Occurrence> occurrences;
  std::vector<NotEvaluated> not_evaluated;  ///< `rule` is filled in by analyze().
};

struct Rule {
  RuleInfo info;
  Verdict (*check)(const Model&) = nullptr;
  /// Judges what no other rule reports on: `claimed` says of each of Model::incidents whether a finding above info
  /// does.
  Verdict (*check_rest)(const Model&, const std::vector<bool>& claimed) = nullptr;
};

struct Finding {
  const RuleInfo* rule = nullptr;  ///< Points into the static table.
  Occurrence occurrence;
  std::vector<Finding> consequences;  ///< What follows from it, so far as it is told; these have none of their own.
  Severity severity() const { return occurrence.severity.value_or(rule->severity); }
  bool waits_for_end() const { return rule->waits_for_end || occurrence.waits_for_end; }
  Stage stage() const { return occurrence.stage.value_or(rule->stage); }
};

enum class CheckStatus : std::uint8_t { pass, fail, unknown };
std::string_view to_string(CheckStatus status);

/// A question every job is asked, with its answer.
struct Check {
  std::string check;
  CheckStatus status = CheckStatus::unknown;
  std::string detail;
};

struct Report {
  /// One for each cause, most likely root cause first. A consequence whose cause is not here, because its rule was not
  /// asked or it weighs less, stands by itself, after the causes of its severity.
  std::vector<Finding> findings;
  std::vector<NotEvaluated> not_evaluated;
  std::vector<Check> checks;
  /// Into Model::incidents: NCCL's warnings that no finding above info reports on, in order of lines.
  std::vector<Index> unexplained_warnings;
};

/// Every rule, in id order.
std::span<const Rule* const> all_rules();

/// The rule with this id or name; nullptr when there is none.
const Rule* find_rule(std::string_view id_or_name);

/// Judges a finished model. `rules` are those whose findings are told: built-in ones, and the caller's own, which
/// outlive the report. Pure: same model, same report.
Report analyze(const Model& model, std::span<const Rule* const> rules = all_rules());

/// `0-3,7` from ranks in any order, duplicates and unknown ones (-1) dropped.
std::string rank_set(std::vector<int> ranks);

}  // namespace nccl_analyze
