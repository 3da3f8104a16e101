#pragma once
/// Findings in the short form of write_brief(), for readers with little room.

#include <cstddef>
#include <iosfwd>

#include "nccl_analyze/model.h"
#include "nccl_analyze/rule.h"

namespace nccl_analyze {

/// The part of the findings that a page shows.
struct FindingPage {
  std::size_t offset = 0, limit = 0;
  std::size_t bytes = 0;  ///< A longer page gets fewer findings, but one at least.
};

/// Writes the verdict and a page of findings, the likeliest cause first, as one line of JSON. `next_offset` is null on
/// the last page.
void write_finding_page(std::ostream& out, const Model& model, const Report& report, const FindingPage& page);

}  // namespace nccl_analyze
