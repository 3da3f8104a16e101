#pragma once
/// Tables of a document: what the pictures and sentences are drawn from.

#include "nccl_analyze/model.h"
#include "nccl_analyze/rule.h"
#include "report/document.h"

namespace nccl_analyze {

/// Leaves out the columns that say nothing of any row.
void drop_empty_columns(TableBlock& table);

/// The ranks of a communicator with their addresses and the findings that suspect them, no more than `most`.
TableBlock ranks_table(const Model& model, const Report& report, Index communicator, std::size_t most);

/// The settings of all processes: a row for each value, and who has it where values differ.
TableBlock settings_table(const Model& model);

/// Each communicator, no more than `most`, with its ring orders in words.
TableBlock communicators_table(const Model& model, std::size_t most);

}  // namespace nccl_analyze
