#include "model/build/recordings.h"

#include <algorithm>
#include <charconv>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "text/split.h"

namespace nccl_analyze::builder {

namespace {

constexpr std::size_t max_ras_reports = 1024;
constexpr std::size_t max_communicators = std::size_t{1} << 14;  // Limit for one report.
constexpr std::size_t max_operations = 16;                       // Limit for one communicator.
constexpr std::size_t max_listed = 1024;  // Limit on the groups, and on the listed ranks, of one operation.
constexpr std::size_t max_lost = 4096;    // Limit for one communicator.
constexpr std::size_t max_records = std::size_t{1} << 18;
constexpr std::size_t max_name = 100;

std::string name_of(std::string_view text) { return std::string(text.substr(0, max_name)); }

/// Reads ranks such as `3,5`; -1 stands for each that is no number.
std::vector<int> ranks_in(std::string_view list) {
  std::vector<int> ranks;
  while (!list.empty()) {
    const std::string_view one = take_until(list, ',');
    int rank = -1;
    std::from_chars(one.data(), one.data() + one.size(), rank);
    ranks.push_back(std::max(rank, -1));
  }
  return ranks;
}

/// Returns the counts of an operation, which are added if they are missing; null if there are too many operations.
RasOpCounts* counts_of(RasCommunicator& comm, std::string_view operation) {
  const auto known = std::ranges::find(comm.counts, operation, &RasOpCounts::operation);
  if (known != comm.counts.end()) return &*known;
  if (comm.counts.size() >= max_operations) return nullptr;
  RasOpCounts& made = comm.counts.emplace_back();
  made.operation = std::string(operation.substr(0, max_name));
  return &made;
}

}  // namespace

RasCommunicator* Recordings::open(Context& context) {
  const auto last = last_report_.find(context.record->at.source);
  if (last != last_report_.end()) {
    RasReport& report = context.state.model.ras_reports[last->second];
    if (!report.communicators.empty()) return &report.communicators.back();
  }
  context.drop();
  return nullptr;
}

void Recordings::apply(Context& context, const RasReported& event) {
  const SourceId source = context.record->at.source;
  if (context.state.model.ras_reports.size() >= max_ras_reports) {
    last_report_.erase(source);
    return context.drop();
  }
  last_report_[source] = context.state.model.ras_reports.size();
  context.state.model.ras_reports.push_back(
      {.at = context.quote(), .version = name_of(event.version), .time = name_of(event.time), .communicators = {}});
}

void Recordings::apply(Context& context, const RasCommunicatorReported& event) {
  const auto last = last_report_.find(context.record->at.source);
  if (last == last_report_.end()) return context.drop();
  RasReport& report = context.state.model.ras_reports[last->second];
  if (report.communicators.size() >= max_communicators) {
    last_report_.erase(last);  // The next facts belong to a communicator that is not kept.
    return context.drop();
  }
  RasCommunicator& made = report.communicators.emplace_back();
  made.at = context.quote();
  made.comm_id = event.comm_id.value;
  made.nranks = event.nranks;
  made.reported = event.reported;
  made.missing = event.missing;
}

void Recordings::apply(Context& context, const RasRanksLaunched& event) {
  RasCommunicator* const comm = open(context);
  RasOpCounts* const counts = comm == nullptr ? nullptr : counts_of(*comm, event.operation);
  if (counts == nullptr) return;
  if (counts->groups.size() >= max_listed) return context.drop();
  counts->groups.push_back({.launched = event.launched, .ranks = event.ranks});
}

void Recordings::apply(Context& context, const RasRankLaunched& event) {
  RasCommunicator* const comm = open(context);
  RasOpCounts* const counts = comm == nullptr ? nullptr : counts_of(*comm, event.operation);
  if (counts == nullptr) return;
  if (counts->listed.size() >= max_listed) return context.drop();
  counts->listed.push_back({.rank = event.rank,
                            .launched = event.launched,
                            .pid = event.pid,
                            .device = event.device,
                            .host = context.shared(event.host)});
  counts->evidence.add(context.quote(), context.record->times);
}

void Recordings::apply(Context& context, const RasRankLost& event) {
  RasCommunicator* const comm = open(context);
  if (comm == nullptr) return;
  if (comm->lost.size() >= max_lost) return context.drop();
  comm->lost.push_back({.at = context.quote(),
                        .rank = event.rank,
                        .device = event.device,
                        .pid = event.pid,
                        .host = context.shared(event.host),
                        .dead = event.state == "dead"});
}

void Recordings::apply(Context& context, const RasRankFailed& event) {
  const RasCommunicator* const comm = open(context);
  if (comm == nullptr) return;
  Incident one;
  one.kind = IncidentKind::nccl_error_raised;
  one.rank = event.rank;
  one.level = Level::warn;
  one.message = std::string(context.record->message);
  one.event = KeptEvent(event);
  one.error = std::string(event.words);
  context.state.quotes.add_incident(std::move(one), *context.record);
}

void Recordings::apply(Context& context, const FlightRecorded& event) {
  std::vector<FlightRecord>& all = context.state.model.flight_records;
  if (all.size() >= max_records) return context.drop();
  FlightRecord& made = all.emplace_back();
  made.at = context.quote();
  made.name = name_of(event.group);
  made.group = name_of(event.description);
  made.members = std::string(event.members);
  made.nranks = event.nranks;
  made.global_rank = event.global_rank;
  made.operation = name_of(event.operation);
  made.started = event.state == "started";
  made.sequence = event.sequence;
  made.elements_in = event.elements_in;
  made.elements_out = event.elements_out;
  made.timeout_seconds = event.timeout < 0 ? -1 : static_cast<double>(event.timeout) / 1000;
  made.enqueued = event.enqueued;
  made.completed = event.completed;
  made.transfers = event.transfers;
  made.receives = ranks_in(event.receives);
  made.sends = ranks_in(event.sends);
  made.evidence.add(made.at, context.record->times);
}

void Recordings::apply(Context& context, const CollectivesInspected& event) {
  std::vector<InspectedRank>& all = context.state.model.inspected;
  if (all.size() >= max_records) return context.drop();
  all.push_back({.at = context.quote(),
                 .comm_id = event.comm_id.value,
                 .comm_name = name_of(event.comm_name),
                 .rank = event.rank,
                 .nranks = event.nranks,
                 .pid = event.pid,
                 .host = context.shared(event.host),
                 .operation = context.shared(event.operation),
                 .completed = event.completed,
                 .last = event.last,
                 .busbw = event.busbw});
}

void Recordings::apply(Context& context, const DurationRecorded& event) {
  std::vector<RecordedDuration>& all = context.state.model.durations;
  if (all.size() >= max_records) return context.drop();
  RecordedDuration& made = all.emplace_back();
  made.at = context.quote();
  made.is_inspected = event.tool == "inspector";
  made.comm_id = event.comm_id.value;
  made.group = name_of(event.description);
  if (!event.description.empty() && !event.group.empty()) made.group += ':';
  made.group += name_of(event.group);
  made.operation = context.shared(event.operation);
  made.rank = event.rank;
  made.nranks = event.nranks;
  made.size = event.size;
  made.microseconds = event.microseconds;
}

}  // namespace nccl_analyze::builder
