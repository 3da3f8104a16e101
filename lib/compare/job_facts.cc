// Facts of the whole job: its size, and which ranks share a host.

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "compare/collector.h"
#include "queries/ranks.h"
#include "text/phrases.h"

namespace nccl_analyze {
namespace {

/// Returns the ranks of each host, sorted by lowest rank. Ranks of unknown hosts form one list.
std::vector<std::vector<int>> ranks_by_host(const RunView& run, const Communicator& comm) {
  std::map<Index, std::vector<int>> by_host;
  for (const Rank& rank : comm.ranks)
    if (const Process* const process = process_of(run.model, rank.process))
      by_host[process->host_index].push_back(rank.rank);
  std::vector<std::vector<int>> list;
  for (auto& [host, ranks] : by_host) list.push_back(std::move(ranks));
  std::sort(list.begin(), list.end());
  return list;
}

/// Formats the number of ranks on each host: `8` if it is equal for all hosts, else `8 on 2 hosts, 4 on 1 host`.
std::string sizes_text(const std::vector<std::vector<int>>& hosts) {
  std::map<std::size_t, std::size_t, std::greater<>> counts;
  for (const std::vector<int>& ranks : hosts) ++counts[ranks.size()];
  if (counts.size() == 1) return std::to_string(counts.begin()->first);
  return joined_by(counts, [](const auto& one) { return concat(one.first, " on ", count_text(one.second, "host")); });
}

/// Describes the placement of ranks on hosts without host names, which may differ between equal runs.
std::string placement_text(const std::vector<std::vector<int>>& hosts) {
  const auto is_block = [](const std::vector<int>& ranks) {
    return ranks.back() - ranks.front() + 1 == static_cast<int>(ranks.size());
  };
  const int count = static_cast<int>(hosts.size());
  const auto is_dealt = [&](const std::vector<int>& ranks) {
    for (std::size_t i = 1; i < ranks.size(); ++i)
      if (ranks[i] != ranks[i - 1] + count) return false;
    return true;
  };
  if (std::all_of(hosts.begin(), hosts.end(), is_block)) return "consecutive ranks on each host";
  if (std::all_of(hosts.begin(), hosts.end(), is_dealt)) return "ranks dealt to the hosts in turn";
  return joined_by(hosts, rank_set, " | ");
}

}  // namespace

void add_job_facts(const RunView& run, FactCollector& into) {
  const Communicator* const comm = run.main_communicator();
  if (comm == nullptr) return;
  const LineRef at = comm->first;
  if (comm->nranks > 0) into.add(Topic::job, "ranks", std::to_string(comm->nranks), at);
  if (comm->nranks <= 0 || comm->ranks.empty()) return;
  const std::vector<int> missing = unlogged_ranks(*comm);
  into.add(Topic::job, "ranks without a log", missing.empty() ? "none" : rank_set(missing), at);
  if (!missing.empty()) return;
  const std::vector<std::vector<int>> hosts = ranks_by_host(run, *comm);
  into.add(Topic::job, "hosts", std::to_string(hosts.size()), at);
  into.add(Topic::job, "ranks on a host", sizes_text(hosts), at);
  if (hosts.size() > 1 && hosts.size() < comm->ranks.size())
    into.add(Topic::job, "placement", placement_text(hosts), at);
}

}  // namespace nccl_analyze
