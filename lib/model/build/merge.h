#pragma once
// What a communicator under construction takes in: batches of connections, names, lists, another communicator.

#include <cstdint>
#include <string_view>
#include <vector>

#include "model/build/state.h"

namespace nccl_analyze::builder {

/// The communicator that has taken this one over, or itself.
Index owner_of(const BuilderState& state, Index comm);

/// Ends a communicator that another has taken over. The number of its first rank stays, for incidents that name the
/// communicator alone.
void hand_over(CommState& from, Index into);

/// Adds all edges, connections and counts of one communicator to another.
void merge_graph(CommState& into, CommState& from);

/// Adds a batch of connections to a communicator.
void merge_batch(BuilderState& state, Index comm, const Batch& batch);

/// Adds a transport that a communicator uses, and the lines that show it.
void add_transport(CommState& comm, std::uint16_t transport, const Evidence& evidence);

/// Adds CollNet's chains of one rank.
void add_chains(CommState& comm, const std::vector<ChainLink>& chains);

/// Keeps the longest list of a head: another may be cut.
void add_head(Communicator& comm, int head, std::vector<int> ranks);

/// Adds how many coll channels a rank printed.
void add_channel_count(Communicator& comm, const ChannelCount& count);

/// Gives a communicator the name that one of its ranks printed; ranks that differ leave it without one.
void add_name(CommState& comm, std::string_view name);

}  // namespace nccl_analyze::builder
