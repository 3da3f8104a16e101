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
  context.process->last_call.at = context.record->at;
  context.process->last_call.text.assign(context.record->text.substr(0, max_call_text));
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
  const auto [known, is_new] = index_.try_emplace({context.process_number, event.comm.value}, all.size());
  if (is_new && all.size() == max_unnamed) {
    index_.erase(known);
    context.drop();
    return;
  }
  if (is_new)
    all.push_back({.process = context.process_number,
                   .comm = event.comm.value,
                   .nranks = event.nranks,
                   .device = context.record->origin.device,
                   .calls = {}});
  UnnamedCalls& own = all[known->second];
  // the pointer was reused for a communicator of another size
  if (own.nranks != event.nranks) own = {own.process, own.comm, event.nranks, own.device, {}};
  own.calls.add(call, context.record->times);
}

}  // namespace nccl_analyze::builder
