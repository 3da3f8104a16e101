// Writes one Markdown table for each fact family.

#include "messages/page.h"

#include <ostream>

#include "messages/row.h"

namespace nccl_analyze {

namespace {

/// Writes `text` as code in a table cell. A `|` is escaped, because it would end the cell.
void write_code(std::ostream& out, std::string_view text) {
  out << '`';
  for (const char c : text) out << (c == '|' ? "\\|" : std::string_view(&c, 1));
  out << '`';
}

}  // namespace

void write_messages_markdown(std::ostream& out) {
  out << "# Messages\n\n"
         "What NCCL prints, and the event that each wording becomes. Generated from the rows in `facts/`; `row.h` "
         "explains the holes.\nAn open range ends with the newest known release. Wordings that carry no fact are lines "
         "of `known_formats.tsv`.\n";
  for (const Family& family : fact_families()) {
    if (family.rows.empty()) continue;
    out << "\n## " << family.name << "\n\n| wording | event | versions |\n| --- | --- | --- |\n";
    for (const Row& row : family.rows) {
      out << "| ";
      write_code(out, row.wording);
      out << " | " << row.kind->name << " | " << row.since << "–" << row.until << " |\n";
    }
  }
}

}  // namespace nccl_analyze
