// Finds the communicators, ranks and processes of RAS reports and of records of the NCCL Inspector.

#include <algorithm>
#include <charconv>
#include <map>
#include <string_view>
#include <tuple>
#include <utility>

#include "model/resolve/passes.h"
#include "model/stable_sort.h"
#include "nccl_analyze/events/ras.h"
#include "text/split.h"

namespace nccl_analyze::builder {

namespace {

/// A rank as another tool names it.
struct NamedRank {
  int rank = -1;
  std::int64_t pid = -1;
  std::string_view host;  ///< A host name, or an address without a port.
};

/// Returns `10.0.4.52` for `10.0.4.52<41234>`.
std::string_view without_port(std::string_view address) { return address.substr(0, address.find('<')); }

class Joiner {
 public:
  explicit Joiner(const Model& model) : model_(model) {
    Index index = 0;
    for (const Communicator& comm : model.communicators) {
      if (comm.comm_id != 0) {
        const auto [known, is_new] = communicators_.try_emplace(comm.comm_id, index);
        if (!is_new) known->second = -1;  // The job created several communicators with this id.
      }
      ++index;
    }
    index = 0;
    for (const Process& process : model.processes) {
      add({process.pid, process.host.view()}, index);
      const std::string_view address = without_port(process.bootstrap_address.view());
      if (!address.empty() && address != process.host.view()) add({process.pid, address}, index);
      ++index;
    }
  }

  Index communicator(std::uint64_t comm_id) const {
    const auto found = communicators_.find(comm_id);
    return found == communicators_.end() ? -1 : found->second;
  }

  /// Returns the only communicator with this name; -1 if there is none or several.
  Index named_communicator(std::string_view name) const {
    Index found = -1;
    for (Index index = 0; index < static_cast<Index>(model_.communicators.size()); ++index) {
      if (name.empty() || model_.communicators[index].name != name) continue;
      if (found >= 0) return -1;
      found = index;
    }
    return found;
  }

  /// Returns the process of a rank. If the communicator has the rank, this is the process of that rank; -1 if it is
  /// unknown or has another pid. Otherwise it is the only process with this host and pid; -1 if there is none or
  /// several.
  Index process(Index communicator, const NamedRank& named) const {
    if (communicator >= 0) {
      const Table<Rank>& ranks = model_.communicators[communicator].ranks;
      const auto rank = std::ranges::lower_bound(ranks, named.rank, {}, &Rank::rank);
      if (rank != ranks.end() && rank->rank == named.rank)
        return rank->process >= 0 && is_pid(model_.processes[rank->process].pid, named.pid) ? rank->process : -1;
    }
    const auto found = processes_.find({named.pid, named.host.substr(0, cut(named.host))});
    return found == processes_.end() ? -1 : found->second;
  }

 private:
  using Address = std::pair<std::int64_t, std::string_view>;

  static bool is_pid(std::int64_t one, std::int64_t other) { return one < 0 || other < 0 || one == other; }

  /// Returns the length to which NCCL cuts a name: host names end at the first dot, addresses are not cut.
  static std::size_t cut(std::string_view host) {
    const bool is_address = host.find_first_not_of("0123456789.") == std::string_view::npos;
    return is_address ? host.size() : host.find('.');
  }

  void add(Address address, Index process) {
    const auto [known, is_new] = processes_.try_emplace(address, process);
    if (!is_new) known->second = -1;
  }

  const Model& model_;
  std::map<std::uint64_t, Index> communicators_;
  std::map<Address, Index> processes_;  ///< -1 if several processes have the same address.
};

void join(const Joiner& joiner, RasCommunicator& comm) {
  comm.communicator = joiner.communicator(comm.comm_id);
  for (RasOpCounts& counts : comm.counts) {
    sort_stably_by(counts.groups, &RasOpCounts::Group::launched);
    sort_stably_by(counts.listed, &RasOpCounts::Listed::rank);
    for (RasOpCounts::Listed& rank : counts.listed)
      rank.process = joiner.process(comm.communicator, {rank.rank, rank.pid, rank.host.view()});
  }
  sort_stably_by(comm.counts, &RasOpCounts::operation);
  sort_stably_by(comm.lost, &RasLostRank::rank);
  for (RasLostRank& rank : comm.lost)
    rank.process = joiner.process(comm.communicator, {rank.rank, rank.pid, rank.host.view()});
}

void join(const Joiner& joiner, RasOpCounts& counts) {
  counts.communicator = joiner.communicator(counts.comm_id);
  for (RasOpCounts::Listed& rank : counts.listed)
    rank.process = joiner.process(counts.communicator, {rank.rank, rank.pid, rank.host.view()});
}

/// Sets the communicator and the process of each error in a RAS report.
void join_errors(const Joiner& joiner, Model& model) {
  for (Incident& incident : model.incidents) {
    const auto& failed = incident.event.as<RasRankFailed>();
    if (incident.kind != IncidentKind::nccl_error_raised || failed.error < 0) continue;
    incident.communicator = joiner.communicator(failed.comm_id.value);
    incident.process = joiner.process(incident.communicator, {failed.rank, failed.pid, failed.host});
  }
}

/// Returns the rank in the name of a file: 7 for `dumps/nccl_trace_rank_7.json`; -1 if there is none.
int rank_in(std::string_view name) {
  name = name.substr(name.find_last_of('/') + 1);
  const std::size_t at = name.rfind("rank");
  if (at == std::string_view::npos) return -1;
  const std::size_t first = std::min(name.find_first_not_of("_-", at + 4), name.size());
  int rank = -1;
  std::from_chars(name.data() + first, name.data() + name.size(), rank);
  return rank;
}

/// Returns the position of a rank in a list such as `0-7,16`; -1 if the list is malformed or does not have the rank.
int position_in(std::string_view members, int rank) {
  int before = 0;
  while (!members.empty()) {
    const std::string_view range = take_until(members, ',');
    int first = -1;
    const auto [end, error] = std::from_chars(range.data(), range.data() + range.size(), first);
    int last = first;
    if (error != std::errc{}) return -1;
    if (end != range.data() + range.size() && *end == '-') std::from_chars(end + 1, range.data() + range.size(), last);
    if (first < 0 || last < first || before > (1 << 30) - (last - first)) return -1;
    if (rank >= first && rank <= last) return before + rank - first;
    before += last - first + 1;
  }
  return -1;
}

void join(const Joiner& joiner, const Model& model, RecordedDuration& one) {
  one.communicator = one.is_inspected ? joiner.communicator(one.comm_id) : joiner.named_communicator(one.group);
  if (one.communicator >= 0 && model.communicators[one.communicator].nranks != one.nranks) one.communicator = -1;
}

void join_flight_records(Model& model) {
  for (FlightRecord& record : model.flight_records) {
    const auto source = static_cast<Index>(record.at.source);
    if (record.global_rank < 0 && source < static_cast<Index>(model.sources.size()))
      record.global_rank = rank_in(model.sources[source].name);
    if (record.global_rank >= 0) record.rank = position_in(record.members, record.global_rank);
  }
  sort_stably_by(model.flight_records, [](const FlightRecord& one) {
    return std::tuple(std::string_view(one.name), std::string_view(one.group), one.global_rank, one.at);
  });
}

}  // namespace

void join_recordings(Model& model) {
  join_flight_records(model);
  sort_stably_by(model.inspected, [](const InspectedRank& one) {
    return std::tuple(one.comm_id, one.operation.view(), one.rank, one.at);
  });
  sort_stably_by(model.durations, [](const RecordedDuration& one) {
    return std::tuple(one.is_inspected, one.comm_id, std::string_view(one.group), one.nranks, one.operation.view(),
                      one.rank, one.at);
  });
  if (model.ras_reports.empty() && model.inspected.empty() && model.launch_counts.empty() && model.durations.empty())
    return;
  const Joiner joiner(model);
  for (RasReport& report : model.ras_reports)
    for (RasCommunicator& comm : report.communicators) join(joiner, comm);
  for (RasOpCounts& counts : model.launch_counts) join(joiner, counts);
  join_errors(joiner, model);
  for (InspectedRank& one : model.inspected) {
    one.communicator = joiner.communicator(one.comm_id);
    one.process = joiner.process(one.communicator, {one.rank, one.pid, one.host.view()});
    if (one.communicator < 0 || one.comm_name.empty()) continue;
    std::string& name = model.communicators[one.communicator].name;
    if (name.empty()) name = one.comm_name;
  }
  for (RecordedDuration& one : model.durations) join(joiner, model, one);
}

}  // namespace nccl_analyze::builder
