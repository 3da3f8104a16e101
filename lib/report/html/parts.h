#pragma once
/// Elements of the HTML page that several source files write. Pass all texts unescaped; these functions escape them.

#include <cstddef>
#include <ostream>
#include <string_view>
#include <vector>

#include "nccl_analyze/report.h"
#include "report/document/document.h"

namespace nccl_analyze {

/// Writes the whole page. Blocks of graphs and time lines are drawn from the model and the report.
void write_page(std::ostream& out, const std::vector<Block>& blocks, const Model& model, const Report& report,
                const HtmlOptions& options = {});

/// Writes the verdict, acceptance, findings, failures and next steps as an HTML element for the page of another
/// program, such as a notebook. It has no script and no style, and all text of the log is escaped.
void write_html_fragment(std::ostream& out, const Model& model, const Report& report);

/// Writes a table, which scrolls sideways where its card is narrow. The page's script makes it sortable by its columns.
void write_table(std::ostream& out, const TableBlock& table);

/// Writes a paragraph in small print.
void write_remark(std::ostream& out, std::string_view text);

/// Writes a heading of level 3, with a remark under it unless `remark` is empty.
void write_heading(std::ostream& out, std::string_view text, std::string_view remark);

/// Opens a `div` that scrolls sideways; `label` is its name for screen readers.
void open_scroll(std::ostream& out, std::string_view label);

/// Writes `and 3 other hosts` if there are more than `most` items, of which the first `most` are shown. `where` is
/// appended to the sentence.
void write_rest(std::ostream& out, std::size_t items, std::size_t most, std::string_view one, std::string_view many,
                std::string_view where = {});

}  // namespace nccl_analyze
