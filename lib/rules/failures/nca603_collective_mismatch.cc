// NCA603 reports ranks whose calls differ, in the collective or in its size, at the same position of the call sequence.

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <optional>
#include <utility>

#include "nccl_analyze/events/collective.h"
#include "nccl_analyze/rule.h"
#include "nccl_analyze/rule_parts.h"
#include "queries/flight_records.h"
#include "queries/launches.h"
#include "queries/places.h"
#include "rules/failures/fingerprints.h"
#include "rules/findings.h"
#include "rules/support/calls.h"
#include "rules/support/external_failures.h"
#include "rules/support/rdma_fault.h"
#include "text/message_text.h"
#include "text/search.h"

namespace nccl_analyze::nca603 {

namespace {

/// Sets the finding's value `differ` to `size` if all calls have the same operation, else to `call`.
template <class Calls, class Operation>
void note_difference(const Calls& calls, Operation operation, Finding& finding) {
  const bool same =
      std::ranges::all_of(calls, [&](const auto& one) { return operation(one) == operation(*calls.begin()); });
  finding.values.emplace_back("differ", same ? "size" : "call");
}

/// Notes sizes that are probably those of gradients or of shards of parameters, which differ if a part of the model did
/// not run on a rank. `flat`: the collective carries nothing else; `open`: it may also carry data.
void note_shape(const std::map<Call, std::vector<const WatchdogTimeout*>>& by_call, Finding& finding) {
  constexpr std::int64_t fewest = 65536;  // A smaller tensor may be a metric.
  const std::string& operation = std::get<0>(by_call.begin()->first);
  const bool is_of_shards = operation == "_ALLGATHER_BASE" || operation == "_REDUCE_SCATTER_BASE";
  const bool is_large = std::ranges::any_of(by_call, [](const auto& one) { return std::get<1>(one.first) >= fewest; });
  if (is_large && (is_of_shards || operation == "ALLREDUCE"))
    finding.values.emplace_back("shape", is_of_shards ? "flat" : "open");
}

std::string stuck_text(const Call& call) {
  return concat(excerpt(std::get<0>(call), 40), " of ", std::get<1>(call), " elements");
}

/// The ranks that reported each call, by process group and number of the collective.
using CallsOfGroups =
    std::map<std::pair<std::string, std::int64_t>, std::map<Call, std::vector<const WatchdogTimeout*>>>;

void add_call(const std::string& group, const WatchdogTimeout& stuck, CallsOfGroups& calls) {
  if (stuck.sequence >= 0 && !stuck.operation.empty()) calls[{group, stuck.sequence}][call_of(stuck)].push_back(&stuck);
}

void compare_stuck(const CallsOfGroups& calls, RuleResult& result) {
  for (const auto& [key, by_call] : calls) {
    if (by_call.size() < 2) continue;
    Finding& finding = result.findings.emplace_back();
    note_difference(
        by_call, [](const auto& one) { return std::get<0>(one.first); }, finding);
    if (finding.values.back().second == "size") note_shape(by_call, finding);
    std::vector<std::string> parts;
    for (const auto& [call, ranks] : by_call) {
      std::vector<int> numbers;
      for (const WatchdogTimeout* stuck : ranks) {
        finding.evidence.add(stuck->evidence);
        const int rank = stuck->rank >= 0 ? stuck->rank : stuck->global_rank;
        if (rank >= 0) numbers.push_back(rank);
      }
      finding.ranks.insert(finding.ranks.end(), numbers.begin(), numbers.end());
      parts.push_back(concat(numbers.empty() ? std::string("some ranks") : ranks_text(numbers), " called ",
                             std::get<1>(call) < 0 ? excerpt(std::get<0>(call), 40) : stuck_text(call)));
    }
    finding.message =
        concat("As collective number ", key.second,
               when(!key.first.empty(), " of process group ", excerpt(key.first, 60)), ", ", list_text(parts));
  }
}

std::string hex_text(std::uint64_t number) {
  std::array<char, 16> digits{};
  const auto written = std::to_chars(digits.data(), digits.data() + digits.size(), number, 16);
  return {digits.data(), written.ptr};
}

/// Returns the opCount that NCCL prints for the call, so that readers can search the logs for it; empty if the ranks
/// print different counts.
std::string op_count_text(const CallMismatch& mismatch) {
  const std::uint64_t count = mismatch.groups.front().call.op_count;
  for (const CallGroup& group : mismatch.groups)
    for (const Rank* rank : group.ranks)
      if (rank->calls->find(mismatch.number)->op_count != count) return {};
  return concat(" (opCount ", hex_text(count), ")");
}

void compare_calls(const Model& model, RuleResult& result) {
  append(result.findings, each_communicator(model, [&](const Communicator& comm, Finding& finding) -> std::string {
           const std::optional<CallMismatch> mismatch = find_call_mismatch(model, comm);
           if (!mismatch) return {};
           note_difference(
               mismatch->groups, [](const CallGroup& group) { return group.call.operation; }, finding);
           finding.values.emplace_back("source", "calls");
           std::vector<std::string> parts;
           for (const CallGroup& group : mismatch->groups) {
             std::vector<int> numbers;
             for (const Rank* rank : group.ranks) {
               add_line(finding.evidence, rank->calls->find(mismatch->number)->at);
               numbers.push_back(rank->rank);
             }
             finding.ranks.insert(finding.ranks.end(), numbers.begin(), numbers.end());
             parts.push_back(concat(ranks_text(numbers), " called ", call_text(group.call)));
           }
           std::ranges::sort(finding.ranks);
           return concat(mismatch->may_be_earlier ? "At the latest as" : "As", " collective number ",
                         mismatch->number + 1, " of the communicator", op_count_text(*mismatch), ", ",
                         list_text(parts));
         }));
}

/// Reports calls of an excerpt that differ although they probably belong to one communicator, which the excerpt does
/// not prove.
void compare_unnamed_calls(const Model& model, RuleResult& result) {
  constexpr std::size_t most = 3;  // Limit on the processes of a group that a message names.
  const std::optional<UnnamedCallMismatch> mismatch = find_unnamed_call_mismatch(model);
  if (!mismatch) return;
  Finding& finding = result.findings.emplace_back();
  std::vector<std::string> parts;
  for (const std::vector<UnnamedCall>& group : mismatch->groups) {
    std::vector<std::string> names;
    for (const UnnamedCall& one : group) {
      add_line(finding.evidence, one.call.at);
      finding.processes.push_back(one.process);
      names.push_back(
          concat(process_text(model.processes[one.process]), when(one.device >= 0, " (GPU ", one.device, ")")));
    }
    parts.push_back(concat(list_text(names, most), " called ", call_text(group.front().call)));
  }
  finding.message = concat("At opCount ", hex_text(mismatch->op_count), ", ", list_text(parts),
                           ". Each of these processes has a communicator of ", mismatch->nranks,
                           " ranks: if it is the same one, its ranks do not call the same collectives; this input does "
                           "not show it");
  finding.values.emplace_back("source", "unnamed");
  finding.own_severity = Severity::warning;
  finding.provisional = true;
}

/// Reports ranks that launched other operations than most ranks did, by RAS reports as JSON.
void compare_launches(const Model& model, RuleResult& result) {
  constexpr std::size_t most = 8;  // Limit on the ranks that a message names.
  for (const NewestReport& newest : newest_reports(model)) {
    const std::vector<LaunchMismatch> mismatches = find_launch_mismatches(*newest.comm);
    if (mismatches.empty()) continue;
    Finding& finding = result.findings.emplace_back();
    finding.values = {{"differ", "call"}, {"source", "running"}};
    std::vector<std::string> parts;
    for (const auto& [rank, more, fewer] : mismatches) {
      finding.ranks.push_back(rank->rank);
      if (rank->process >= 0) finding.processes.push_back(rank->process);
      finding.evidence.add(fewer->evidence);
      finding.evidence.add(more->evidence);
      parts.push_back(concat(reported_rank_text(model, rank->rank, rank->process, rank->pid, rank->host),
                             " has launched ", launch_count_of(*more, rank->rank), " ", excerpt(more->operation, 40),
                             " and ", rank->launched, " ", excerpt(fewer->operation, 40), ", most ranks ",
                             majority_launch_count(*more), " and ", majority_launch_count(*fewer)));
    }
    if (newest.comm->communicator >= 0) finding.communicators = {newest.comm->communicator};
    finding.message = concat("By NCCL's RAS report of ", excerpt(newest.report->time, 40), ", ", list_text(parts, most),
                             ": the ranks of this communicator do not call the same collectives");
  }
}

/// The kernels of NCCL up to 2.7 print this when they find another opCount than their own in a peer's buffer.
constexpr std::string_view kernels_disagree = "Mismatched collective detected";

/// Returns the message of the finding. Omits the rank that NCCL guesses, so that all ranks with this warning share one
/// finding.
std::string warning_text(const Incident& incident) {
  return concat("NCCL says: ",
                incident.message.starts_with(kernels_disagree) ? kernels_disagree : excerpt(incident.message));
}

/// Whether a NIC gave up a request of any rank, not counting flushes. The buffers of NCCL's kernels then hold old data.
bool has_failed_request(const Model& model) {
  return std::ranges::any_of(model.incidents, [](const Incident& incident) {
    const RdmaFault fault =
        incident.kind == IncidentKind::ib_completion_failed ? rdma_fault(incident) : RdmaFault::none;
    return fault != RdmaFault::none && fault != RdmaFault::flush;
  });
}

/// Sets the values for the advice if the message shows sizes: `found`, the size that one rank sent; `expected`, the
/// smaller size that its peer expected; `sizes`, whether these are sizes of messages or of pieces. NCCL sends a short
/// message whole, and a long one in pieces, whose sizes depend on the settings of the ranks.
void note_sizes(const Model& model, Finding& finding) {
  constexpr std::int64_t smallest_piece = 1024;
  const auto& event = model.incidents[finding.incidents.front()].event.as<CollectiveMismatched>();
  const auto [least, most] = std::minmax(event.local_size, event.remote_size);
  if (least < 0) return;
  finding.values = {{"found", std::to_string(most)},
                    {"expected", std::to_string(least)},
                    {"sizes", most < smallest_piece ? "message" : "pieces"}};
}

/// Returns the rank of `at and around rank 39`; empty if the message names none.
std::string named_rank(std::string_view message) {
  constexpr std::string_view words = "around rank ";
  const std::size_t at = message.find(words);
  const std::size_t begin = at == std::string_view::npos ? message.size() : at + words.size();
  const std::size_t end = message.find_first_not_of("0123456789", begin);
  return std::string(message.substr(begin, end == std::string_view::npos ? end : end - begin));
}

/// Whether COLL lines of the input show calls. These calls are equal if compare_calls() adds no finding.
bool shows_calls(const Model& model) {
  return std::ranges::any_of(model.communicators, [](const Communicator& comm) {
    return std::ranges::any_of(comm.ranks, [](const Rank& rank) { return static_cast<bool>(rank.calls); });
  });
}

void note_incident(const Model& model, Finding& finding) {
  note_sizes(model, finding);
  if (std::string rank = named_rank(model.incidents[finding.incidents.front()].message); !rank.empty())
    finding.values.emplace_back("rank", std::move(rank));
  if (unnamed_calls_agree(model))
    finding.values.emplace_back("calls", "equal");
  else if (shows_calls(model))
    finding.values.emplace_back("calls", "shown");
}

}  // namespace

RuleResult check(const Model& model) {
  RuleResult result{incident_findings(model, {IncidentKind::collective_mismatched}, warning_text)};
  const bool delivered = !has_failed_request(model);
  for (Finding& finding : result.findings) {
    note_incident(model, finding);
    if (!delivered && contains(finding.message, kernels_disagree)) finding.own_stage = Stage::symptom;
  }
  compare_fingerprints(model, result);
  CallsOfGroups stuck, recorded;
  const std::vector<RecordedGroup> groups = recorded_groups(model);
  const RecordedNames names(groups);
  for (const WatchdogTimeout& one : model.stuck) add_call(names.of(one), one, stuck);
  for (const RecordedGroup& group : groups)
    for (const FlightRecord* one : group.ranks) add_call(group.name, *one, recorded);
  compare_stuck(stuck, result);
  if (result.findings.empty()) compare_stuck(recorded, result);
  compare_calls(model, result);
  compare_launches(model, result);
  if (result.findings.empty()) compare_unnamed_calls(model, result);
  return result;
}

}  // namespace nccl_analyze::nca603
