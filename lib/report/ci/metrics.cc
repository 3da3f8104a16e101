// Counts findings by rule and by host, ranks, and the verdict.

#include "report/ci/metrics.h"

#include <map>

#include "nccl_analyze/rule_parts.h"
#include "report/sentences/finding_list.h"
#include "report/sentences/paths.h"
#include "report/sentences/verdict.h"

namespace nccl_analyze {
namespace {

/// Every host is a series of its own, and monitoring systems pay for each of them.
constexpr std::size_t max_counted_hosts = 100;

using Counts = std::map<std::vector<std::pair<std::string_view, std::string>>, std::uint64_t>;

std::vector<Count> sorted(const Counts& counts) {
  std::vector<Count> all;
  for (const auto& [labels, value] : counts) all.push_back({labels, value});
  return all;
}

std::string severity_of(const ListedFinding& listed) { return std::string{to_string(listed.finding->severity())}; }

std::vector<Count> count_by_rule(const std::vector<ListedFinding>& listed) {
  Counts counts;
  for (const ListedFinding& one : listed) {
    const RuleInfo& rule = *one.finding->rule;
    ++counts[{{"rule", std::string{rule.id}}, {"name", std::string{rule.name}}, {"severity", severity_of(one)}}];
  }
  return sorted(counts);
}

/// Counts the findings that are to be looked at on each host. Hosts of the first findings, which are the likeliest
/// causes, are counted before others.
std::vector<Count> count_by_host(const Model& model, const std::vector<ListedFinding>& listed) {
  Counts counts;
  std::set<std::string_view> hosts;
  for (const ListedFinding& one : listed) {
    std::set<std::string_view> of_finding;
    for (const Location& location : locations_of(model, *one.finding)) of_finding.insert(location.host);
    of_finding.erase("");
    for (const std::string_view host : of_finding) {
      if (hosts.size() >= max_counted_hosts && !hosts.contains(host)) continue;
      hosts.insert(host);
      ++counts[{{"host", std::string{host}}, {"severity", severity_of(one)}}];
    }
  }
  return sorted(counts);
}

std::vector<Count> count_statuses(JobStatus status) {
  std::vector<Count> counts;
  for (const JobStatus one : {JobStatus::ok, JobStatus::warning, JobStatus::error, JobStatus::unknown})
    counts.push_back({{{"status", std::string{to_string(one)}}}, one == status ? 1U : 0U});
  return counts;
}

}  // namespace

std::set<Location> locations_of(const Model& model, const Finding& finding) {
  std::set<Location> locations;
  const auto add = [&](std::string_view host, std::string_view pod, std::string_view container, Index process) {
    const Process* const known = process_of(model, process);
    if (!host.empty() || !pod.empty())
      locations.insert({host, pod, container, known == nullptr ? Index{-1} : known->host_index});
  };
  for (const Suspect& suspect : finding.suspects) {
    const Address address = address_of(model, suspect, finding.communicators);
    add(address.host, address.pod, address.container, address.process);
  }
  if (!finding.suspects.empty()) return locations;
  for (const Index index : finding.processes)
    if (const Process* const process = process_of(model, index); process != nullptr)
      add(process->host.view(), process->pod.view(), process->container.view(), index);
  return locations;
}

std::vector<Metric> list_metrics(const Model& model, const Report& report) {
  const std::vector<ListedFinding> listed = list_findings(report);
  std::vector<Metric> metrics{
      {"findings", "{finding}", "Findings of the last run by rule.", count_by_rule(listed)},
      {"host_findings", "{finding}", "Findings of the last run by host to look at, for at most 100 hosts.",
       count_by_host(model, listed)},
      {"status", "", "The verdict of the last run: 1 for the status that holds, 0 for the others.",
       count_statuses(judge(model, report).status)},
  };
  if (const Communicator* const largest = widest_communicator(model); largest != nullptr && largest->nranks > 0) {
    const std::uint64_t logged = largest->ranks.size();
    const auto all = static_cast<std::uint64_t>(largest->nranks);
    metrics.push_back({"ranks",
                       "{rank}",
                       "Ranks of the largest communicator, with and without a log in the input.",
                       {{{{"state", "logged"}}, logged}, {{{"state", "unlogged"}}, all > logged ? all - logged : 0}}});
  }
  return metrics;
}

}  // namespace nccl_analyze
