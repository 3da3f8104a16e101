// The difference of two runs as Markdown and HTML, from the blocks of a document.

#include "report/document/document.h"

#include <ostream>
#include <utility>
#include <vector>

#include "nccl_analyze/compare.h"
#include "report/diff/words.h"
#include "report/document/markdown.h"
#include "report/html/parts.h"

namespace nccl_analyze {
namespace {

constexpr std::size_t max_rows = 16;  // Limit on rows for one fact, such as a setting; a table shows several facts.

Paragraph paragraph_of(std::string text) { return {{.strong = {}, .text = std::move(text)}}; }

TableBlock table_of(const RunDiff& diff, const DiffTopic& topic) {
  TableBlock table{{"", "old: " + diff.old_name, "new: " + diff.new_name, "where"}, {}};
  for (const DiffRow& row : topic.rows) table.rows.push_back({row.what, row.old_value, row.new_value, row.who});
  return table;
}

std::vector<Block> document_of(const RunDiff& diff) {
  std::vector<Block> blocks;
  blocks.push_back({Heading{1, diff.same() ? "SAME" : "DIFFERENT", {{}, describe_diff(diff)}, {}}});
  if (std::string shared = describe_shared(diff); !shared.empty()) blocks.push_back({paragraph_of(std::move(shared))});
  for (const DiffTopic& topic : describe_changes(diff, max_rows)) {
    std::string word{to_string(topic.topic)};
    blocks.push_back({Heading{2, {}, {.strong = word, .text = {}}, word}});
    blocks.push_back({table_of(diff, topic)});
    if (topic.left_out > 0)
      blocks.push_back({paragraph_of("and " + std::to_string(topic.left_out) + " more, which --format json holds")});
  }
  List rest;
  if (std::string equal = describe_equal(diff); !equal.empty()) rest.items.push_back({{}, std::move(equal)});
  for (std::string& line : describe_not_compared(diff)) rest.items.push_back({"Not compared", std::move(line)});
  if (rest.items.empty()) return blocks;
  blocks.push_back({Heading{2, {}, {.strong = "Equal and not compared", .text = {}}, "rest"}});
  blocks.push_back({std::move(rest)});
  return blocks;
}

}  // namespace

void write_diff_markdown(std::ostream& out, const RunDiff& diff) {
  out << "<!-- nccl-analyze diff -->\n" << markdown_of(document_of(diff)) << "\nnccl-analyze " << version() << "\n";
}

void write_diff_html(std::ostream& out, const RunDiff& diff) { write_page(out, document_of(diff), {}, {}); }

}  // namespace nccl_analyze
