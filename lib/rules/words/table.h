#pragma once
/// The tables in the documents of rules: what a setting, an error number or a status means.

#include <span>
#include <string_view>

namespace nccl_analyze {

struct TableRow {
  std::string_view key, text;
};

/// Returns the rows of the table in the document of the rule with this id; empty if it has none.
std::span<const TableRow> table_of(std::string_view rule);

/// Returns the text of the row with this key; empty if there is none.
inline std::string_view table_text(std::string_view rule, std::string_view key) {
  for (const TableRow& row : table_of(rule))
    if (row.key == key) return row.text;
  return {};
}

}  // namespace nccl_analyze
