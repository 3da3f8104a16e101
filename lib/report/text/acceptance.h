#pragma once
/// The acceptance of a cluster in the text report.

#include "report/text/page.h"

namespace nccl_analyze {

/// Writes the matrix of nodes and checks; nothing if no check of nodes was expected.
void write_acceptance(const Page& page);

}  // namespace nccl_analyze
