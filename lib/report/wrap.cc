// Line breaking for the text report and `explain`.

#include "report/wrap.h"

#include <algorithm>
#include <vector>

#include "report/escape.h"

namespace nccl_analyze {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\n' || c == '\t'; }

/// Cuts the longest prefix whose characters all are (or are not) blanks off `text`.
std::string_view take_run(std::string_view& text, bool blanks) {
  const auto end = std::find_if(text.begin(), text.end(), [blanks](char c) { return is_blank(c) != blanks; });
  const std::string_view run = text.substr(0, static_cast<std::size_t>(end - text.begin()));
  text.remove_prefix(run.size());
  return run;
}

/// Length of `- `, `* ` or `12. ` at the start of a line without leading blanks; 0 when there is none.
std::size_t list_marker(std::string_view line) {
  std::size_t size = line.starts_with('-') || line.starts_with('*') ? 1 : 0;
  const auto is_digit = [&](std::size_t i) { return i < line.size() && line[i] >= '0' && line[i] <= '9'; };
  if (size == 0 && is_digit(0)) {
    while (is_digit(size)) ++size;
    if (size == line.size() || line[size] != '.') return 0;
    ++size;
  }
  return size > 0 && size < line.size() && line[size] == ' ' ? size + 1 : 0;
}

/// A paragraph, a list item or a line of a code block.
struct Block {
  std::string text;
  std::size_t indent = 0;  ///< Blanks before it in the source.
  std::size_t marker = 0;  ///< Length of the list marker that `text` begins with.
  bool code = false;
  bool after_blank = false;  ///< A blank line stands before it.
};

std::vector<Block> blocks_of(std::string_view markdown) {
  std::vector<Block> blocks;
  bool in_code = false;
  bool after_blank = true;
  while (!markdown.empty()) {
    const std::string_view line = markdown.substr(0, markdown.find('\n'));
    markdown.remove_prefix(std::min(line.size() + 1, markdown.size()));
    std::string_view rest = line;
    const std::size_t indent = take_run(rest, true).size();
    if (rest.starts_with("```")) {
      in_code = !in_code;
      after_blank = true;
    } else if (in_code) {
      blocks.push_back({std::string{line}, 0, 0, true, after_blank});
      after_blank = false;
    } else if (rest.empty()) {
      after_blank = true;
    } else if (list_marker(rest) > 0 || after_blank) {
      blocks.push_back({std::string{rest}, indent, list_marker(rest), false, after_blank});
      after_blank = false;
    } else {
      blocks.back().text += ' ';
      blocks.back().text += rest;
    }
  }
  return blocks;
}

std::string wrap_block(const Block& block, std::size_t indent) {
  if (block.code) return std::string(indent + 4, ' ') + visible(block.text);
  const std::size_t start = indent + block.indent;
  return std::string(start, ' ') + wrap(block.text, start, start + block.marker);
}

}  // namespace

std::string wrap(std::string_view text, std::size_t column, std::size_t indent) {
  std::string out;
  take_run(text, true);
  bool line_has_word = false;
  while (!text.empty()) {
    const std::string word = visible(take_run(text, false));
    if (column + columns(word) > page_columns && line_has_word) {
      out.erase(out.find_last_not_of(' ') + 1);
      out += '\n';
      out.append(indent, ' ');
      column = indent;
    }
    out += word;
    line_has_word = true;
    const std::size_t blanks = take_run(text, true).size();
    if (text.empty()) break;
    out.append(blanks, ' ');
    column += columns(word) + blanks;
  }
  return out;
}

std::string wrap_markdown(std::string_view text, std::size_t indent, std::string_view gap) {
  std::string out;
  for (const Block& block : blocks_of(text)) {
    if (!out.empty()) out += block.after_blank ? gap : "\n";
    out += wrap_block(block, indent);
  }
  return out;
}

}  // namespace nccl_analyze
