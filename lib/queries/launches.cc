// Compares the counts of RAS reports, within one report and between two.

#include "queries/launches.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "queries/places.h"
#include "queries/ranks.h"
#include "text/message_text.h"

namespace nccl_analyze {

namespace {

// Smaller differences may be caused by a rank that launched an operation while the counts were read.
constexpr std::int64_t many_launches = 2;

const RasOpCounts::Group* largest_group(const RasOpCounts& counts) {
  const auto found = std::ranges::max_element(
      counts.groups, {}, [](const RasOpCounts::Group& group) { return std::pair(group.ranks, group.launched); });
  return found == counts.groups.end() ? nullptr : &*found;
}

std::int64_t ranks_in(const RasOpCounts& counts) {
  std::int64_t all = 0;
  for (const RasOpCounts::Group& group : counts.groups) all += std::max<std::int64_t>(group.ranks, 0);
  return all;
}

/// Whether the report names each rank outside of the largest group, so that a rank that it does not name is in that
/// group.
bool is_complete(const RasOpCounts& counts) {
  const RasOpCounts::Group* const largest = largest_group(counts);
  return largest != nullptr && ranks_in(counts) - largest->ranks == static_cast<std::int64_t>(counts.listed.size());
}

/// Whether some rank must be in the largest group of both operations, because these groups have together more than all
/// `reported` ranks.
bool share_a_rank(const RasOpCounts& a, const RasOpCounts& b, int reported) {
  const RasOpCounts::Group *const in_a = largest_group(a), *const in_b = largest_group(b);
  return in_a != nullptr && in_b != nullptr && in_a->ranks + in_b->ranks > reported;
}

}  // namespace

std::vector<NewestReport> newest_reports(const Model& model) {
  std::vector<NewestReport> found;
  std::map<std::pair<std::uint64_t, int>, std::size_t> index;
  const auto is_newer = [](const RasReport& a, const RasReport& b) { return a.time > b.time; };
  for (const RasReport& report : model.ras_reports)
    for (const RasCommunicator& comm : report.communicators) {
      const auto [known, is_new] = index.try_emplace({comm.comm_id, comm.nranks}, found.size());
      if (is_new) {
        found.push_back({&report, &comm});
        continue;
      }
      NewestReport& newest = found[known->second];
      if (is_newer(report, *newest.report))
        newest = {&report, &comm, newest.report, newest.comm};
      else if (is_newer(*newest.report, report) && (newest.older == nullptr || is_newer(report, *newest.older)))
        std::tie(newest.older, newest.older_comm) = std::tuple(&report, &comm);
    }
  return found;
}

std::int64_t majority_launch_count(const RasOpCounts& counts) {
  const RasOpCounts::Group* const largest = largest_group(counts);
  return largest == nullptr ? -1 : largest->launched;
}

std::int64_t launch_count_of(const RasOpCounts& counts, int rank) {
  const auto listed = std::ranges::lower_bound(counts.listed, rank, {}, &RasOpCounts::Listed::rank);
  if (listed != counts.listed.end() && listed->rank == rank) return listed->launched;
  return is_complete(counts) ? majority_launch_count(counts) : -1;
}

std::vector<LaunchMismatch> find_launch_mismatches(const RasCommunicator& comm) {
  std::vector<LaunchMismatch> found;
  for (const RasOpCounts& fewer : comm.counts)
    for (const RasOpCounts::Listed& rank : fewer.listed) {
      if (rank.launched > majority_launch_count(fewer) - many_launches) continue;
      for (const RasOpCounts& more : comm.counts) {
        if (launch_count_of(more, rank.rank) < majority_launch_count(more) + many_launches) continue;
        if (!share_a_rank(fewer, more, comm.reported)) continue;
        found.push_back({&rank, &more, &fewer});
        break;
      }
    }
  return found;
}

std::string reported_rank_text(const Model& model, int rank, Index process, std::int64_t pid, const Text& host) {
  if (const Process* known = process_of(model, process)) return concat("rank ", rank, " (", process_text(*known), ")");
  if (host.view() == "unknown" || host.empty()) return concat("rank ", rank);
  return concat("rank ", rank, " (pid ", pid, " on ", excerpt(host.view(), 60), ")");
}

}  // namespace nccl_analyze
