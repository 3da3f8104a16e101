#pragma once
/// The time line as a picture of the page, with the table that it is drawn from.

#include <ostream>

#include "nccl_analyze/model.h"
#include "nccl_analyze/rule.h"
#include "report/timeline.h"

namespace nccl_analyze {

/// A row for each process, of many those that took longest and those that something failed in. Nothing where nothing
/// has a length.
void write_timeline(std::ostream& out, const Model& model, const Report& report, const Timeline& timeline);

}  // namespace nccl_analyze
