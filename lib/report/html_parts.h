#pragma once
/// Elements of the HTML page that several of its writers share.

#include <ostream>

#include "report/document.h"

namespace nccl_analyze {

/// Writes a table, whose columns the page's script makes sortable.
void write_table(std::ostream& out, const TableBlock& table);

}  // namespace nccl_analyze
