// NCA514 reports runs of nccl-tests that are much slower than equal runs on other hosts.

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "nccl_analyze/rule.h"
#include "nccl_analyze/rule_parts.h"
#include "queries/benchmarks.h"
#include "queries/equal_runs.h"
#include "rules/findings.h"
#include "text/message_text.h"

namespace nccl_analyze::nca514 {

namespace {

constexpr std::size_t host_length = 60;

/// Returns `at most 11.20 GB/s at 1 GiB, 46 % of 24.30 GB/s, the median of 6 equal runs`.
std::string figures_text(const SlowRuns& slow) {
  const Measurement& best = *slow.runs.back().best;
  return concat("at most ", bandwidth_text(best.busbw), " at ", size_text(best.size), ", ",
                decimals(100 * best.busbw / slow.usual, 0), " % of ", bandwidth_text(slow.usual), ", the median of ",
                slow.others, " equal runs");
}

std::string message_of(const SlowRuns& slow) {
  const std::string name = excerpt(name_of(*slow.runs.front().benchmark), host_length);
  std::vector<std::string> places;
  for (const std::string_view host : slow.hosts) places.push_back(excerpt(host, host_length));
  if (!places.empty())
    return concat("All ", slow.runs.size(), " runs of ", name, " with ", list_text(places),
                  " are slow: ", figures_text(slow), " without ", places.size() == 1 ? "it" : "them");
  for (const HostRun& run : slow.runs) places.push_back(place_text(run));
  return concat(name, " on ", list_text(places), " reaches ", figures_text(slow));
}

/// Adds the processes of a slow run: those of the slow hosts, if any is named.
void add_processes_of(const HostRun& run, const std::vector<std::string_view>& hosts, std::vector<Index>& processes) {
  for (const BenchmarkRank& rank : run.benchmark->ranks) {
    const bool is_slow = hosts.empty() || std::ranges::find(hosts, rank.host.view()) != hosts.end();
    if (rank.process >= 0 && is_slow) processes.push_back(rank.process);
  }
}

/// `usual`: the line of the fastest run.
Finding finding_of(const Model& model, const SlowRuns& slow, LineRef usual) {
  Finding finding;
  finding.message = message_of(slow);
  const bool is_host = !slow.hosts.empty() || slow.runs.front().hosts.size() == 1;
  finding.values = {{"slow", is_host ? "host" : "pair"}};
  std::vector<Index> processes;
  for (const HostRun& run : slow.runs) {
    add_line(finding.evidence, run.best->at);
    add_processes_of(run, slow.hosts, processes);
  }
  add_line(finding.evidence, usual);
  if (!processes.empty()) set_scope(model, std::move(processes), finding);
  return finding;
}

}  // namespace

RuleResult check(const Model& model) {
  RuleResult result;
  for (const EqualRuns& equal : equal_runs(model))
    for (const SlowRuns& slow : slow_runs(equal))
      result.findings.push_back(finding_of(model, slow, equal.back().best->at));
  return result;
}

}  // namespace nccl_analyze::nca514
