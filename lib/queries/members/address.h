#pragma once
/// What the report shows of ranks and calls in flat lists, so that programs need not join several lists.

#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "nccl_analyze/rule.h"
#include "nccl_analyze/rule_parts.h"
#include "queries/members/line.h"
#include "queries/members/rank.h"
#include "queries/paths.h"
#include "queries/progress.h"

namespace nccl_analyze::members {

/// Returns a text of the process; empty without a process.
template <auto Fact>
inline constexpr auto of_process = [](const auto& row, const Context& context) {
  const Process* const process = context.model.processes.find(row.process);
  return process == nullptr ? std::string_view() : (process->*Fact).view();
};

/// The last collective of a rank, and its number.
struct NumberedCall {
  Operation operation{};
  std::optional<std::uint64_t> number;
};
template <>
inline constexpr auto members_of<NumberedCall> = std::tuple{
    in_line("numbered_call"),
    member("operation", word<Operation::recv>, &NumberedCall::operation),
    member("number", Known{1}, "From 1; null when not all its calls are in the input.", &NumberedCall::number),
};

/// Returns the number of the last call of each rank in `progress`, by communicator and rank.
using CallNumbers = std::map<std::pair<Index, int>, std::uint64_t>;
inline CallNumbers numbers_of(const std::vector<CallProgress>& progress) {
  CallNumbers numbers;
  for (const CallProgress& one : progress) {
    if (one.communicator < 0) continue;
    for (const auto* group : {&one.reached, &one.behind})
      for (const RankProgress& rank : *group) numbers[{one.communicator, rank.rank}] = rank.number;
  }
  return numbers;
}

/// A rank with its address.
struct RankRow {
  const Rank& rank;
  Index communicator, process;
  std::optional<NumberedCall> last_call;
};
/// Returns the row of a rank.
inline RankRow row_of(const Rank& rank, Index communicator, const CallNumbers& numbers) {
  RankRow row{rank, communicator, rank.process, std::nullopt};
  if (!rank.calls || rank.calls->total == 0) return row;
  const CollectiveCall* const last = rank.calls->find(rank.calls->total - 1);
  if (last == nullptr) return row;
  const auto number = numbers.find({communicator, rank.rank});
  row.last_call = {last->operation, number == numbers.end() ? std::nullopt : std::optional{number->second}};
  return row;
}

template <auto Part>
inline constexpr auto of_rank = [](const RankRow& row) { return row.rank.*Part; };
template <>
inline constexpr auto members_of<RankRow> = std::tuple{
    in_line("rank_address"),
    member("rank", known, of_rank<&Rank::rank>),
    member("communicator", at_least(0), "Index into `communicators`.", &RankRow::communicator),
    member("process", reference, "Index into `processes`.", &RankRow::process),
    member("host", known, of_process<&Process::host>),
    member("pod", known, of_process<&Process::pod>),
    member("container", known, of_process<&Process::container>),
    member("pid", known,
           [](const RankRow& row, const Context& context) {
             const Process* const process = context.model.processes.find(row.process);
             return process == nullptr ? -1 : process->pid;
           }),
    member("gpu", known, "NVML's number, else CUDA's.",
           [](const RankRow& row) { return row.rank.nvml_dev >= 0 ? row.rank.nvml_dev : row.rank.cuda_dev; }),
    member("bus_id", bus_id, [](const RankRow& row) { return bus_id_of(row.rank); }),
    member("state", word<RankState::destroyed>, of_rank<&Rank::state>),
    member("phase", word<InitPhase::complete>, of_rank<&Rank::phase>),
    member("init_seconds", known,
           [](const RankRow& row) {
             return row.rank.init_seconds ? std::optional{row.rank.init_seconds->total} : std::nullopt;
           }),
    member("last_call", object, "Its last collective; null without COLL lines.", &RankRow::last_call),
};

/// How the ranks of a communicator reach each other.
struct PathsRow {
  std::size_t communicator;
  CommPaths paths;
};
template <auto Part>
inline constexpr auto of_paths = [](const PathsRow& row) { return row.paths.*Part; };
template <>
inline constexpr auto members_of<PathsRow> = std::tuple{
    in_line("paths"),
    member("communicator", plain, &PathsRow::communicator),
    member("inside", known, "Inside a node: NVLink, PCIe, SHM, NET/..., several joined by ` + `.",
           of_paths<&CommPaths::inside>),
    member("between", known, "Between nodes: NET/Socket, NET/IB, ...", of_paths<&CommPaths::between>),
    member("gdr", known, "GPUDirect RDMA on all connections between nodes, or on none.", of_paths<&CommPaths::gdr>),
    member("nvls", known, "NVLink SHARP is set up, or cannot be.", of_paths<&CommPaths::nvls>),
    member(
        "why", objects, [](const PathsRow& row) -> auto& { return row.paths.why.lines; }),
};

template <>
inline constexpr auto members_of<RankProgress> = std::tuple{
    in_line("rank_progress"),
    member("rank", known, &RankProgress::rank),
    member("number", plain, "Of its last collective; 0: none.", &RankProgress::number),
    member("process", reference, &RankProgress::process),
    member("host", known, of_process<&Process::host>),
};

template <>
inline constexpr auto members_of<CallProgress> = std::tuple{
    in_line("progress"),
    member("communicator", reference, "null: only calls of it are in the input.", &CallProgress::communicator),
    member("nranks", Known{1}, &CallProgress::nranks),
    member("operation", word<Operation::recv>, [](const CallProgress& one) { return one.call.operation; }),
    member("number", at_least(1), "Of the furthest collective, from 1.", &CallProgress::number),
    member("reached", known, "Ranks that called it, 0-3,7; null: their numbers are not known.",
           [](const CallProgress& one) {
             std::vector<int> ranks;
             for (const RankProgress& rank : one.reached) ranks.push_back(rank.rank);
             return rank_set(std::move(ranks));
           }),
    member("reached_count", at_least(1), [](const CallProgress& one) { return one.reached.size(); }),
    member("behind", objects, "The furthest behind first.", &CallProgress::behind),
    member("unknown", known, "Ranks in this input whose calls are not shown, or not all.",
           [](const CallProgress& one) { return rank_set(one.unknown); }),
};

template <>
inline constexpr auto members_of<Ambiguity> = std::tuple{
    in_line("ambiguity"),
    member("candidates", references, "Indices into `communicators`.", &Ambiguity::candidates),
    member("process", reference, &Ambiguity::process),
    member("lines", plain, &Ambiguity::lines),
    flat(&Ambiguity::first),
};

}  // namespace nccl_analyze::members
