#include "model/build/collectives.h"

#include <optional>

#include "model/calls.h"

namespace nccl_analyze::builder {

namespace {

/// Limit of Model::unnamed_calls. Each entry takes up to 2 KiB.
constexpr std::size_t max_unnamed = std::size_t{1} << 15;
/// How many bytes of the text of a call are kept for quotes; NCCL prints about 200.
constexpr std::size_t max_call_text = 300;

}  // namespace

void Collectives::apply(Context& context, const CollectiveCalled& event) {
  context.note_progress();
  const std::optional<CollectiveCall> call = call_of(event, context.record->at);
  if (!call) return;
  // If a job hangs, the last call of each rank is the one in which it waits.
  Quote& last = context.process->last_call.made();
  last.at = context.record->at;
  last.text.assign(context.record->text.substr(0, max_call_text));
  const LiveRank* const live = context.process->by_pointer.find(event.comm.value);
  if (live == nullptr) {
    context.process->has_split_log = true;
    return add_unnamed_call(context, event, *call);
  }
  Rank& rank = context.rank(live->ref);
  if (!rank.calls) rank.calls.emplace().from_start = rank.state == RankState::complete;
  rank.calls->add(*call, context.record->times);
}

void Collectives::add_unnamed_call(Context& context, const CollectiveCalled& event, const CollectiveCall& call) {
  if (event.comm.value == 0 || event.nranks <= 0 || event.nranks > context.limits.max_ranks) return;
  std::vector<UnnamedCalls>& all = context.state.model.unnamed_calls;
  const auto calls_of = [&all](Index index) -> UnnamedCalls& { return all[static_cast<std::size_t>(index)]; };
  const auto hash_of = [](Index process, std::uint64_t comm) {
    return spread(comm ^ static_cast<std::uint64_t>(process));
  };
  const std::size_t hash = hash_of(context.process_number, event.comm.value);
  const Index* known = index_.find(hash, [&](Index index) {
    return calls_of(index).comm == event.comm.value && calls_of(index).process == context.process_number;
  });
  const Index at = known != nullptr ? *known : static_cast<Index>(all.size());
  if (known == nullptr) {
    if (all.size() == max_unnamed) return context.drop();
    all.push_back({.process = context.process_number,
                   .comm = event.comm.value,
                   .nranks = event.nranks,
                   .device = context.record->origin.device,
                   .calls = {}});
    index_.add(at, hash, [&](Index index) { return hash_of(calls_of(index).process, calls_of(index).comm); });
  }
  UnnamedCalls& own = calls_of(at);
  // the pointer was reused for a communicator of another size
  if (own.nranks != event.nranks) own = {own.process, own.comm, event.nranks, own.device, {}};
  own.calls.add(call, context.record->times);
}

}  // namespace nccl_analyze::builder
