#pragma once
/// The acceptance of a cluster as blocks of a document.

#include <cstddef>
#include <vector>

#include "nccl_analyze/acceptance.h"
#include "report/document/document.h"

namespace nccl_analyze {

/// Heading, matrix of at most `most` rows, and what was seen of the nodes that do not pass. Empty if no check of nodes
/// was expected.
std::vector<Block> acceptance_blocks(const Acceptance& acceptance, std::size_t most);

}  // namespace nccl_analyze
