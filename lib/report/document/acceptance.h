#pragma once
/// The acceptance of a cluster as blocks of a document.

#include <cstddef>
#include <string_view>
#include <vector>

#include "nccl_analyze/acceptance.h"
#include "report/document/document.h"

namespace nccl_analyze {

/// Returns a heading, a matrix of at most `most` rows, and a list with the details of nodes in these rows that do not
/// pass, and of the job's checks. `elsewhere` says who shows the other nodes. Empty if no check of nodes was expected.
std::vector<Block> acceptance_blocks(const Acceptance& acceptance, std::size_t most, std::string_view elsewhere);

}  // namespace nccl_analyze
