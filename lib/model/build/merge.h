#pragma once
// Adds data to a communicator under construction: batches, names, lists, and other communicators.

#include <cstdint>
#include <string_view>
#include <vector>

#include "model/build/state.h"

namespace nccl_analyze::builder {

/// Returns the communicator into which `comm` was merged in the end, or `comm` itself if it was not merged.
Index owner_of(const BuilderState& state, Index comm);

/// Empties a communicator that was merged into `into`. Keeps its first rank, because incidents may refer to the
/// communicator without a rank.
void empty_merged(CommState& from, Index into);

/// Adds all edges, connections and counts of `from` to `into`.
void merge_graph(CommState& into, CommState& from);

/// Adds a batch of connections to a communicator.
void merge_batch(BuilderState& state, Index comm, const Batch& batch);

/// Adds a transport and the lines that show its use.
void add_transport(CommState& comm, std::uint16_t transport, const Evidence& evidence);

/// Adds the CollNet chains of one rank.
void add_chains(CommState& comm, const std::vector<ChainLink>& chains);

/// Adds the ranks of an NVLS head. Keeps the longest list of each head, because shorter lists may be truncated.
void add_head(Communicator& comm, int head, std::vector<int> ranks);

/// Adds a number of collective channels that a rank printed. Equal numbers are kept once, with their first line.
void add_channel_count(Communicator& comm, const ChannelCount& count);

/// Sets the communicator's name as printed by one of its ranks. If ranks print different names, the name becomes empty.
void add_name(CommState& comm, std::string_view name);

}  // namespace nccl_analyze::builder
