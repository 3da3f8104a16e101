// NCA207 reports that the bootstrap root refused a rank, because ranks disagree about rank numbers or the size of the
// job, and copies of a benchmark that do not know of each other.

#include <algorithm>
#include <cstdint>
#include <utility>

#include "nccl_analyze/rule.h"
#include "nccl_analyze/rule_parts.h"
#include "queries/announced.h"
#include "queries/benchmarks.h"
#include "rules/findings.h"
#include "text/digits.h"
#include "text/message_text.h"

namespace nccl_analyze::nca207 {

namespace {

/// Returns the first number at or after `from`, and moves `from` after it; empty if there is none.
std::string next_number(std::string_view text, std::size_t& from) {
  while (from < text.size() && !is_digit(text[from])) ++from;
  const std::size_t first = from;
  while (from < text.size() && is_digit(text[from])) ++from;
  return std::string(text.substr(first, from - first));
}

/// Whether the second benchmark begins while the first one still prints its header: rank 0 prints a header, so that two
/// processes are each a rank 0. A run that failed has lines between the headers, and where a store of logs delivered
/// each line twice, the second header has one rank 0.
bool begin_together(const Benchmark& first, const Benchmark& second) {
  constexpr std::uint64_t header = 4;  // `# nThread`, `#`, `# Using devices`, and the line after them
  return first.at.source == second.at.source && second.at.line > first.at.line &&
         second.at.line - first.at.line <= header && first.ranks.empty() && first.measurements.empty() &&
         std::ranges::count(second.ranks, 0, &BenchmarkRank::rank) != 1;
}

/// Whether the second benchmark begins behind the list of devices of the first one, and lists a rank 0 on another host.
/// Before nccl-tests 2.0 each copy prints its list at once.
bool begin_in_turn(const Benchmark& first, const Benchmark& second) {
  constexpr std::uint64_t header = 4;
  const auto rank_0 = [](const Benchmark& one) { return std::ranges::find(one.ranks, 0, &BenchmarkRank::rank); };
  if (first.at.source != second.at.source || second.at.line <= first.at.line || !first.measurements.empty() ||
      second.at.line - first.at.line > header + first.ranks.size() || first.ended)
    return false;
  const auto a = rank_0(first), b = rank_0(second);
  return a != first.ranks.end() && b != second.ranks.end() && a->host != b->host;
}

/// Whether a run whose beginning is in the input printed several results.
bool has_several_results(const Benchmark& one) {
  return one.results > 1 && (!one.ranks.empty() || !one.measurements.empty() || one.table_at.line > 0);
}

/// Notes results that stand one behind the other, where the input does not show whether one run or several printed
/// them.
void add_bare_results(const Model& model, RuleResult& result) {
  Finding finding;
  for (const Benchmark& one : model.benchmarks)
    if (one.results > 1 && !has_several_results(one)) {
      finding.evidence.add(one.at);
      finding.evidence.add(one.ended_at);
    }
  if (finding.evidence.count == 0) return;
  finding.message =
      "The benchmark printed several results in a row. If one `mpirun` or `srun` started it, its copies are not "
      "joined, "
      "and each measured its own GPUs only";
  finding.values = {{"story", "results"}};
  finding.own_severity = Severity::info;
  finding.own_stage = Stage::note;
  result.findings.push_back(std::move(finding));
}

/// Reports copies of nccl-tests that MPI has not joined, so that each measures its own GPUs.
void add_lone_benchmarks(const Model& model, RuleResult& result) {
  Finding finding;
  for (std::size_t i = 0; i < model.benchmarks.size(); ++i) {
    const Benchmark& one = model.benchmarks[i];
    const bool is_second =
        i > 0 && (begin_together(model.benchmarks[i - 1], one) || begin_in_turn(model.benchmarks[i - 1], one));
    if (is_second) finding.evidence.add(model.benchmarks[i - 1].at);
    if (is_second || count_copies(one) > 0 || has_several_results(one)) finding.evidence.add(one.at);
    if (has_several_results(one)) finding.evidence.add(one.ended_at);
  }
  if (finding.evidence.count == 0) return add_bare_results(model, result);
  finding.message =
      "Several copies of the benchmark begin at once, each as rank 0: they are not joined, and each measures its own "
      "GPUs only";
  finding.values = {{"story", "benchmark"}};
  finding.own_severity = Severity::warning;
  result.findings.push_back(std::move(finding));
}

/// Reports ranks that announced themselves several times, while others of the job never did. Rank 0 must be among them:
/// the log of one node of a job that runs twice has its ranks twice, and rank 0's says when all have come.
void add_lone_nodes(const Model& model, RuleResult& result) {
  std::optional<Announced> found = waiting_members(model);
  if (!found || !found->twice.contains(0)) return;
  Finding& finding = result.findings.emplace_back();
  const std::vector<int> twice(found->twice.begin(), found->twice.end());
  const std::set<int> absent = found->missing();
  finding.message =
      concat(capitalized(ranks_text(twice)), " of ", found->size, " announced themselves more than once, and ",
             ranks_text(std::vector<int>(absent.begin(), absent.end())),
             " never: each node, or each task, forms a job of its own");
  finding.ranks = twice;
  finding.values = {{"story", "nodes"}};
  finding.evidence = std::move(found->evidence);
}

}  // namespace

RuleResult check(const Model& model) {
  RuleResult result{topic_findings(model, "world-split", [](const Incident& incident) {
    return concat("The root refuses a rank: ", excerpt(incident.message));
  })};
  for (Finding& finding : result.findings) {
    const std::string_view said = model.incidents[finding.incidents.front()].message;
    std::size_t at = std::min(said.find(" : "), said.size());
    finding.values = {{"found", next_number(said, at)}, {"expected", next_number(said, at)}};
  }
  add_lone_benchmarks(model, result);
  add_lone_nodes(model, result);
  return result;
}

}  // namespace nccl_analyze::nca207
