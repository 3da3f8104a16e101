// Writes elements that occur in several parts of the HTML page.

#include "report/html/parts.h"

#include <string>

#include "text/escape.h"
#include "text/phrases.h"

namespace nccl_analyze {

void write_table(std::ostream& out, const TableBlock& table) {
  out << "<div class=\"scroll\">\n<table>\n<thead><tr>";
  for (const std::string& cell : table.head) out << "<th scope=\"col\">" << html_text(cell) << "</th>";
  out << "</tr></thead>\n<tbody>\n";
  for (const auto& row : table.rows) {
    out << "<tr>";
    for (const std::string& cell : row) out << "<td>" << html_text(cell) << "</td>";
    out << "</tr>\n";
  }
  out << "</tbody>\n</table>\n</div>\n";
}

void write_remark(std::ostream& out, std::string_view text) {
  out << "<p class=\"place\">" << html_text(text) << "</p>\n";
}

void write_heading(std::ostream& out, std::string_view text, std::string_view remark) {
  out << "<h3>" << html_text(text) << "</h3>\n";
  if (!remark.empty()) write_remark(out, remark);
}

void open_scroll(std::ostream& out, std::string_view label) {
  out << "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"" << html_text(label) << "\">\n";
}

void write_rest(std::ostream& out, std::size_t items, std::size_t most, std::string_view one, std::string_view many,
                std::string_view where) {
  if (items > most) out << "<p>and " << count_text(items - most, one, many) << html_text(where) << "</p>\n";
}

}  // namespace nccl_analyze
