#pragma once
/// Elements of the HTML page that several source files write.

#include <ostream>

#include "report/document.h"

namespace nccl_analyze {

/// Writes a table, whose columns the page's script makes sortable.
void write_table(std::ostream& out, const TableBlock& table);

}  // namespace nccl_analyze
