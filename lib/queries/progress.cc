// Numbers the calls of each rank in order to compare ranks: all ranks of a communicator call the same collectives in
// the same order. If the log has every call of a rank, its calls are counted. Otherwise NCCL's opCount is the number,
// provided that it increased by exactly one with every call.

#include "queries/progress.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "model/stable_sort.h"
#include "queries/completeness.h"
#include "queries/places.h"
#include "queries/ranks.h"
#include "text/message_text.h"
#include "text/search.h"

namespace nccl_analyze {

namespace {

constexpr std::size_t max_groups = 3;  // A message lists at most this many groups of ranks that are behind.
constexpr std::size_t max_ranks_text = 40;

/// The calls of one rank. `who` holds how far the rank has come.
struct Stream {
  RankProgress who;
  const Calls* calls = nullptr;
};

const CollectiveCall* last_collective(const Calls& calls) {
  return calls.total == 0 ? nullptr : calls.find(calls.total - 1);
}

/// Whether opCount increased by exactly one with every call.
bool is_sequential(const Calls& calls) {
  const CollectiveCall* const last = last_collective(calls);
  return last != nullptr && last->op_count >= calls.first_op_count &&
         last->op_count - calls.first_op_count == calls.total - 1;
}

class Numbering {
 public:
  explicit Numbering(const Model& model) : model_(model), lost_(model.sources.size()) {
    for (std::size_t i = 0; i < lost_.size(); ++i) lost_[i] = count_damaged_lines(model, static_cast<SourceId>(i)) > 0;
  }

  /// Sets the number of the last collective of each stream, starting at 1, which is the count of the stream's calls.
  /// Removes the streams whose log may lack calls, because their count may be wrong. There is one exception: if a log
  /// may lack calls, but opCount increased by one with every call of every stream, and some stream has several calls,
  /// the number is opCount + 1, and no stream is removed. Returns false if no stream remains.
  bool number(std::vector<Stream>& streams) const {
    const auto complete = [&](const Stream& stream) { return is_complete(stream); };
    const auto sequential = [](const Stream& stream) { return is_sequential(*stream.calls); };
    const bool by_count = !std::ranges::all_of(streams, complete) && std::ranges::all_of(streams, sequential) &&
                          std::ranges::any_of(streams, [](const Stream& stream) { return stream.calls->total > 1; });
    if (!by_count) std::erase_if(streams, [&](const Stream& stream) { return !is_complete(stream); });
    for (Stream& stream : streams)
      stream.who.number = by_count ? last_collective(*stream.calls)->op_count + 1 : stream.calls->total;
    return !streams.empty();
  }

 private:
  bool is_complete(const Stream& stream) const {
    const Process* const process = process_of(model_, stream.who.process);
    const std::size_t source = process == nullptr ? lost_.size() : static_cast<std::size_t>(process->source);
    return stream.calls->from_start && source < lost_.size() && !lost_[source];
  }

  const Model& model_;
  std::vector<bool> lost_;
};

/// Compares numbered streams; nullopt if no rank has called a collective.
std::optional<CallProgress> compare(const std::vector<Stream>& streams) {
  CallProgress progress;
  const Stream* first = nullptr;
  for (const Stream& stream : streams)
    if (first == nullptr || stream.who.number > first->who.number) first = &stream;
  if (first == nullptr || last_collective(*first->calls) == nullptr) return std::nullopt;
  progress.number = first->who.number;
  progress.call = *last_collective(*first->calls);
  for (const Stream& stream : streams)
    (stream.who.number == progress.number ? progress.reached : progress.behind).push_back(stream.who);
  sort_stably(progress.behind, [](const RankProgress& a, const RankProgress& b) { return a.number < b.number; });
  return progress;
}

std::optional<CallProgress> progress_of(const Communicator& comm, const Numbering& numbering) {
  if (comm.inferred || comm.nranks < 2) return std::nullopt;
  std::vector<Stream> streams;
  for (const Rank& rank : comm.ranks)
    if (rank.calls && rank.rank >= 0)
      streams.push_back({{.rank = rank.rank,
                          .process = rank.process,
                          .gpu = rank.nvml_dev >= 0 ? rank.nvml_dev : rank.cuda_dev,
                          .number = 0,
                          .at = rank.calls->last.at},
                         &*rank.calls});
  if (streams.empty() || !numbering.number(streams)) return std::nullopt;
  std::optional<CallProgress> progress = compare(streams);
  if (!progress) return progress;
  progress->nranks = comm.nranks;
  std::set<int> compared;
  for (const Stream& stream : streams) compared.insert(stream.who.rank);
  for (const Rank& rank : comm.ranks)
    if (rank.rank >= 0 && !compared.contains(rank.rank)) progress->unknown.push_back(rank.rank);
  return progress;
}

/// Whether all streams have the same operation, root and number of elements at the highest number that every stream has
/// reached.
bool agree(const std::vector<Stream>& streams) {
  std::uint64_t least = streams.front().who.number;
  for (const Stream& stream : streams) least = std::min(least, stream.who.number);
  const CollectiveCall* expected = nullptr;
  for (const Stream& stream : streams) {
    const std::uint64_t past = stream.who.number - least;
    if (past >= stream.calls->total) return false;
    const CollectiveCall* const call = stream.calls->find(stream.calls->total - 1 - past);
    if (call == nullptr) continue;  // the rank is far ahead, and the model no longer keeps this call
    if (expected == nullptr) expected = call;
    if (std::tie(expected->operation, expected->root, expected->count) !=
        std::tie(call->operation, call->root, call->count))
      return false;
  }
  return true;
}

/// Returns the progress of a communicator of size `nranks` that only call lines show, if all `streams` can be assumed
/// to belong to it; else nullopt. There must be exactly `nranks` streams, or at most one in each process, and their
/// collectives must agree.
std::optional<CallProgress> progress_of_unnamed(int nranks, std::vector<Stream> streams, const Numbering& numbering) {
  std::set<Index> processes;
  for (const Stream& stream : streams) processes.insert(stream.who.process);
  const auto size = static_cast<std::size_t>(nranks);
  if (streams.size() > size || (processes.size() < streams.size() && streams.size() != size) || streams.size() < 2)
    return std::nullopt;
  const std::size_t all = streams.size();
  if (!numbering.number(streams) || streams.size() != all || !agree(streams)) return std::nullopt;
  std::optional<CallProgress> progress = compare(streams);
  if (progress) progress->nranks = nranks;
  return progress;
}

std::string name_of(const Model& model, const RankProgress& one) {
  const Process* const process = process_of(model, one.process);
  if (process == nullptr) return "a process";
  return process_text(*process) + when(one.gpu >= 0, " (GPU ", one.gpu, ")");
}

/// Returns `rank 52` or `ranks 1-3`; `node-1:512 (GPU 3)` if rank numbers are unknown.
std::string who_text(const Model& model, const std::vector<RankProgress>& group) {
  std::vector<int> ranks;
  std::vector<std::string> names;
  for (const RankProgress& one : group) {
    if (one.rank >= 0) ranks.push_back(one.rank);
    if (one.rank < 0) add_once(names, name_of(model, one));
  }
  if (names.empty()) return ranks_text(ranks, max_ranks_text);
  return list_text(names, 2);
}

}  // namespace

std::vector<CallProgress> find_call_progress(const Model& model) {
  const Numbering numbering(model);
  std::vector<CallProgress> all;
  for (std::size_t i = 0; i < model.communicators.size(); ++i) {
    std::optional<CallProgress> progress = progress_of(model.communicators[i], numbering);
    if (!progress) continue;
    progress->communicator = static_cast<Index>(i);
    all.push_back(std::move(*progress));
  }
  std::map<int, std::vector<Stream>> unnamed;
  for (const UnnamedCalls& one : model.unnamed_calls)
    unnamed[one.nranks].push_back(
        {{.rank = -1, .process = one.process, .gpu = one.device, .number = 0, .at = one.calls.last.at}, &one.calls});
  for (auto& [nranks, streams] : unnamed)
    if (std::optional<CallProgress> progress = progress_of_unnamed(nranks, std::move(streams), numbering))
      all.push_back(std::move(*progress));
  return all;
}

std::string progress_text(const Model& model, const CallProgress& progress) {
  const auto reached = progress.reached.size();
  const bool everybody = reached == static_cast<std::size_t>(std::max(progress.nranks, 0));
  std::string text = concat(to_string(progress.call.operation), " ", progress.number, ": ", everybody ? "all " : "",
                            when(!everybody, reached, " of "), progress.nranks, " ranks");
  std::map<std::uint64_t, std::vector<RankProgress>> groups;
  for (const RankProgress& one : progress.behind) groups[one.number].push_back(one);
  std::size_t shown = 0, left = progress.behind.size();
  for (const auto& [number, group] : groups) {
    if (shown++ == max_groups) break;
    left -= group.size();
    text += concat("; ", who_text(model, group), group.size() == 1 ? " is at " : " are at ", number);
  }
  if (left > 0) text += concat("; ", count_text(left, "rank"), " between");
  if (!progress.unknown.empty()) text += concat("; not told of ", ranks_text(progress.unknown, max_ranks_text));
  const std::size_t here = reached + progress.behind.size() + progress.unknown.size();
  if (here < static_cast<std::size_t>(std::max(progress.nranks, 0)))
    text += concat("; of ", count_text(static_cast<std::size_t>(progress.nranks) - here, "rank"),
                   " this input has no such call");
  return text;
}

}  // namespace nccl_analyze
