#pragma once
/// The tables of ranks, settings and communicators in documents.

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

}  // namespace nccl_analyze
