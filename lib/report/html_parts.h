#pragma once
/// Parts that several files of the HTML page write.

#include <ostream>

#include "report/document.h"

namespace nccl_analyze {

/// With a head that the page's script makes sortable.
void write_table(std::ostream& out, const TableBlock& table);

}  // namespace nccl_analyze
