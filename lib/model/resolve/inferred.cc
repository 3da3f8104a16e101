#include "model/resolve/inferred.h"

#include <algorithm>

#include "model/build/merge.h"

namespace nccl_analyze::builder {

namespace {

constexpr std::size_t max_inferred = 64;  // Limit for one source.

bool is_other_gpu(const PeerDevice& a, const PeerDevice& b) {
  if (a.nvml_dev >= 0 && b.nvml_dev >= 0) return a.nvml_dev != b.nvml_dev;
  return a.bus_id != 0 && b.bus_id != 0 && a.bus_id != b.bus_id;
}

}  // namespace

bool InferredCommunicators::has_room(const Inferred& one, const Batch& batch) const {
  const auto is_apart = [&](const PeerDevice& peer) {
    const auto known = one.devices.find(peer.rank);
    return known != one.devices.end() && is_other_gpu(known->second, peer);
  };
  if (std::any_of(batch.devices.begin(), batch.devices.end(), is_apart)) return false;
  for (auto own = one.rank_of_gpu.lower_bound({batch.process, -1});
       own != one.rank_of_gpu.end() && own->first.first == batch.process; ++own) {
    const int gpu = own->first.second;
    const bool is_same_gpu = gpu < 0 || batch.device < 0 || gpu == batch.device;
    if (is_same_gpu != (own->second == batch.self)) return false;
  }
  const CommState& comm = state_.comm(one.comm);
  const Index slot = comm.slot_of(batch.self);
  return slot < 0 || comm.rank_at(slot).process == batch.process;
}

bool InferredCommunicators::take(const Batch& batch) {
  std::vector<Inferred>& all = inferred_[state_.model.processes[batch.process].source];
  auto found = std::find_if(all.begin(), all.end(), [&](const Inferred& one) { return has_room(one, batch); });
  if (found == all.end()) {
    if (all.size() >= max_inferred) return false;
    found = all.insert(all.end(), Inferred{static_cast<Index>(state_.comms.size()), {}, {}});
    CommState& made = state_.comms.emplace_back();
    made.comm.inferred = true;
    made.comm.nranks = batch.nranks;
    made.comm.first = batch.first;
  }
  if (state_.comm(found->comm).slot_of(batch.self) < 0) add_rank(*found, batch);
  for (const PeerDevice& peer : batch.devices) found->devices.emplace(peer.rank, peer);
  merge_batch(state_, found->comm, batch);
  return true;
}

void InferredCommunicators::add_rank(Inferred& one, const Batch& batch) {
  one.rank_of_gpu[{batch.process, batch.device}] = batch.self;
  CommState& comm = state_.comm(one.comm);
  Rank rank;
  rank.rank = batch.self;
  rank.process = batch.process;
  rank.state = RankState::complete;  // find_failed_ranks() takes it back where the release connects earlier
  rank.phase = InitPhase::connect;
  for (const PeerDevice& peer : batch.devices)
    if (peer.rank == batch.self && state_.naming_in(batch.process) != DeviceNaming::bus_id)
      rank.nvml_dev = peer.nvml_dev;
  comm.comm.ranks.push_back(rank);
  comm.note_slot(static_cast<Index>(comm.comm.ranks.size()) - 1);
}

}  // namespace nccl_analyze::builder
