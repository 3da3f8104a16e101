#pragma once
/// Judges whether the input may lack lines of the job. If so, the absence of a line proves nothing.

#include <cstddef>
#include <cstdint>

#include "nccl_analyze/model.h"

namespace nccl_analyze {

/// Number of damaged lines of this source: cut, torn, truncated or without their prefix. Such a source may also lack
/// whole lines, so the absence of a line proves nothing there.
std::uint64_t lost_lines(const Model& model, SourceId source);

/// Whether `missing` lines may be absent only because of damage: the sources of the communicator have at least as many
/// damaged lines.
bool may_be_lost(const Model& model, const Communicator& comm, std::size_t missing);

/// Whether the input shows the start of every rank's process: its bootstrap interface, its network, and the version of
/// NCCL or of the driver. Without them the input is probably an excerpt, in which the absence of a line proves nothing.
bool has_heads(const Model& model, const Communicator& comm);

/// Whether the data of this communicator is complete and unambiguous: every rank has an Init START, no source lost or
/// reassembled lines, and no line may belong to another communicator. Only then do contradictions between ranks prove a
/// fault of the job instead of the log.
bool is_proven(const Model& model, const Communicator& comm);

}  // namespace nccl_analyze
