#pragma once
/// The tables of documents, and the list of checks for a terminal, where their table would be too wide.

#include "nccl_analyze/model.h"
#include "nccl_analyze/rule.h"
#include "report/document/document.h"

namespace nccl_analyze {

/// Removes the columns in which every cell is empty.
void drop_empty_columns(TableBlock& table);

/// Builds a table with a row for each rank of the communicator, up to `most` rows: address, state, init time, last call
/// and the rules that suspect the rank. Leaves out columns in which every cell is empty.
TableBlock ranks_table(const Model& model, const Report& report, Index communicator, std::size_t most);

/// Builds a table with a row for each value of each environment variable, with the number of processes that have this
/// value and, if the variable has several values, their hosts.
TableBlock settings_table(const Model& model);

/// Builds a table with a row for each communicator, up to `most` rows: its sizes, and its ring orders in words.
TableBlock communicators_table(const Model& model, std::size_t most);

/// Builds a table with a row for each source, up to `most` rows.
TableBlock source_table(const Model& model, std::size_t most);

TableBlock check_table(const std::vector<Check>& checks);
/// Builds a list of the checks, marked with their answers. Most checks of a part of a log are unknown: unless
/// `everything`, those about which the input shows nothing are only named, in one item.
List check_list(const std::vector<Check>& checks, bool everything);

}  // namespace nccl_analyze
