#pragma once
/// Judges whether the input may lack lines of the job. If so, the absence of a line proves nothing.

#include <cstddef>
#include <cstdint>

#include "nccl_analyze/model.h"

namespace nccl_analyze {

/// Whether the end of this source is missing (ParseStats::ends_early).
bool ends_early(const Model& model, SourceId source);
/// Whether the end of any source is missing.
bool ends_early(const Model& model);

/// Returns the number of damaged lines of this source: cut, torn, truncated or without a readable prefix. If it is not
/// 0, the source may also lack whole lines. For a source that ends early, returns 2^32, because it may lack any number
/// of lines. Lines without a prefix do not count if they are at least half of all lines, because the prefixes were then
/// removed on purpose.
std::uint64_t count_damaged_lines(const Model& model, SourceId source);

/// Whether damage may explain the absence of `missing` lines that are expected of this communicator. True if the
/// sources of its logged ranks have at least as many damaged lines together.
bool may_be_lost(const Model& model, const Communicator& comm, std::size_t missing);

/// Whether the input shows how the process of every logged rank started: its bootstrap interface, its network, and the
/// version of NCCL or of the driver. If not, the input is probably an excerpt, in which the absence of a line proves
/// nothing. False also if two ranks of one apparent process have the same GPU (shares_gpus()), because the lines of
/// several processes are then mixed.
bool shows_start_of_every_rank(const Model& model, const Communicator& comm);

/// Whether the lines of this communicator are complete and unambiguous: the communicator has an id or a known parent,
/// every logged rank has an Init START, no source of its ranks has damaged or reassembled lines, and no line may belong
/// to another communicator. Only then do contradictions between ranks prove a fault of the job instead of the log.
bool has_unambiguous_lines(const Model& model, const Communicator& comm);

/// Whether the input shows that any rank completed the initialisation of a communicator.
bool is_initialised(const Model& model);

}  // namespace nccl_analyze
