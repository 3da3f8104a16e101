// Breaks lines for the text report and for `explain`.

#include "text/wrap.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "text/escape.h"

namespace nccl_analyze {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\n' || c == '\t'; }

/// Removes and returns the longest prefix of `text` that consists of blanks or, if `blanks` is false, of other
/// characters.
std::string_view take_run(std::string_view& text, bool blanks) {
  const auto end = std::find_if(text.begin(), text.end(), [blanks](char c) { return is_blank(c) != blanks; });
  const std::string_view run = text.substr(0, static_cast<std::size_t>(end - text.begin()));
  text.remove_prefix(run.size());
  return run;
}

/// The bullet or number that a list item begins with.
struct Marker {
  std::size_t size = 0;  ///< Length of `- `, `* ` or `12. `; 0 without a marker.
  std::size_t number = 0;
};

/// Parses the list marker of a line without leading blanks.
Marker marker_of(std::string_view line) {
  constexpr std::size_t most_item_digits = 4;
  Marker marker;
  std::size_t size = line.starts_with('-') || line.starts_with('*') ? 1 : 0;
  if (size == 0) {
    for (; size < line.size() && size <= most_item_digits && line[size] >= '0' && line[size] <= '9'; ++size)
      marker.number = marker.number * 10 + static_cast<std::size_t>(line[size] - '0');
    if (size == 0 || size > most_item_digits || size == line.size() || line[size] != '.') return {};
    ++size;
  }
  if (size == line.size() || line[size] != ' ') return {};
  marker.size = size + 1;
  return marker;
}

/// A paragraph, a list item or a line of a code block.
struct TextBlock {
  std::string text;
  std::size_t indent = 0;  ///< Blanks before the text in the source.
  std::size_t marker = 0;  ///< Length of the list marker that `text` begins with.
  bool code = false;
  bool after_blank = false;  ///< A blank line precedes the block.
};

class BlockReader {
 public:
  void read(std::string_view line) {
    std::string_view rest = line;
    const std::size_t indent = take_run(rest, true).size();
    if (rest.starts_with("```")) return turn_fence(indent);
    if (code_ == Code::fenced || (!rest.empty() && starts_or_goes_on_as_code(indent))) return add_code(line, indent);
    after_blank_ = after_blank_ || rest.empty();
    if (rest.empty()) return;
    code_ = Code::none;
    add_words(rest, indent);
  }
  std::vector<TextBlock> take() { return std::move(blocks_); }

 private:
  enum class Code { none, fenced, indented };

  void turn_fence(std::size_t indent) {
    code_indent_ = indent;
    code_ = code_ == Code::fenced ? Code::none : Code::fenced;
    after_blank_ = true;
  }

  /// Whether a line with this indent begins or continues indented code. In Markdown such code has four blanks more than
  /// the surrounding text, and begins after a blank line.
  bool starts_or_goes_on_as_code(std::size_t indent) {
    if (code_ == Code::indented && indent >= code_indent_) return true;
    if (!after_blank_ || indent < text_column_ + 4) return false;
    code_ = Code::indented;
    code_indent_ = indent;
    return true;
  }

  void add_code(std::string_view line, std::size_t indent) {
    line.remove_prefix(std::min(indent, code_indent_));
    const std::size_t column = code_ == Code::fenced ? code_indent_ + 4 : code_indent_;
    blocks_.push_back({std::string{line}, column, 0, true, after_blank_});
    after_blank_ = false;
  }

  /// Whether a line that begins with this marker is a list item. Because a sentence may continue with a number at the
  /// start of a line, a numbered list must begin after a blank line or a colon and count up by one.
  bool starts_item(const Marker& marker, std::size_t indent) const {
    if (marker.size == 0 || after_blank_ || marker.number == 0) return marker.size > 0;
    if (marker.number == 1) return blocks_.back().text.ends_with(':');
    const auto last = numbers_.find(indent);
    return last != numbers_.end() && last->second + 1 == marker.number;
  }

  void add_words(std::string_view words, std::size_t indent) {
    const Marker marker = marker_of(words);
    if (starts_item(marker, indent)) {
      blocks_.push_back({std::string{words}, indent, marker.size, false, after_blank_});
      text_column_ = indent + marker.size;
      if (marker.number > 0) numbers_[indent] = marker.number;
    } else if (after_blank_ || blocks_.back().code) {
      blocks_.push_back({std::string{words}, indent, 0, false, true});
      text_column_ = std::min(text_column_, indent);
    } else {
      blocks_.back().text += ' ';
      blocks_.back().text += words;
    }
    after_blank_ = false;
  }

  std::vector<TextBlock> blocks_;
  std::map<std::size_t, std::size_t> numbers_;  ///< Number of the last list item, by indent.
  std::size_t text_column_ = 0;                 ///< Column at which the text of the current item or paragraph begins.
  Code code_ = Code::none;
  std::size_t code_indent_ = 0;
  bool after_blank_ = true;
};

std::vector<TextBlock> blocks_of(std::string_view markdown) {
  BlockReader reader;
  while (!markdown.empty()) {
    const std::string_view line = markdown.substr(0, markdown.find('\n'));
    markdown.remove_prefix(std::min(line.size() + 1, markdown.size()));
    reader.read(line);
  }
  return reader.take();
}

/// Removes the next word from `text` and returns it. With `keeps_code`, code between backticks is part of the word,
/// blanks included, because readers copy commands.
std::string_view take_word(std::string_view& text, bool keeps_code) {
  std::size_t end = 0;
  for (bool code = false; end < text.size() && (code || !is_blank(text[end])); ++end)
    if (keeps_code && text[end] == '`') code = !code && text.find('`', end + 1) != std::string_view::npos;
  const std::string_view word = text.substr(0, end);
  text.remove_prefix(end);
  return word;
}

std::string wrap_words(std::string_view text, std::size_t column, std::size_t indent, std::size_t width,
                       bool keeps_code) {
  std::string out;
  take_run(text, true);
  bool line_has_word = false;
  while (!text.empty()) {
    const std::string word = visible(take_word(text, keeps_code));
    if (column + columns(word) > width && line_has_word) {
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

std::string wrap_block(const TextBlock& block, std::size_t indent, std::size_t width) {
  const std::size_t start = indent + block.indent;
  if (block.code) return block.text.empty() ? std::string() : std::string(start, ' ') + visible(block.text);
  return std::string(start, ' ') + wrap_words(block.text, start, start + block.marker, width, true);
}

/// Replaces the marks of bold text and code by terminal styles. A style that is not closed ends with the block.
std::string styled_block(std::string_view text) {
  constexpr std::string_view bold_on = "\x1b[1m", bold_off = "\x1b[22m", code_on = "\x1b[36m", code_off = "\x1b[39m";
  std::string out;
  bool is_bold = false, code = false;
  while (!text.empty()) {
    if (text.front() == '`') {
      code = !code;
      out += code ? code_on : code_off;
      text.remove_prefix(1);
    } else if (!code && text.starts_with("**")) {
      is_bold = !is_bold;
      out += is_bold ? bold_on : bold_off;
      text.remove_prefix(2);
    } else {
      out += text.front();
      text.remove_prefix(1);
    }
  }
  if (code) out += code_off;
  if (is_bold) out += bold_off;
  return out;
}

}  // namespace

std::string wrap(std::string_view text, std::size_t column, std::size_t indent, std::size_t width) {
  return wrap_words(text, column, indent, width, false);
}

std::string wrap_markdown(std::string_view text, std::size_t indent, std::string_view gap, std::size_t width,
                          bool styled) {
  std::string out;
  for (const TextBlock& block : blocks_of(text)) {
    if (!out.empty()) out += block.after_blank ? gap : "\n";
    const std::string wrapped = wrap_block(block, indent, width);
    out += styled && !block.code ? styled_block(wrapped) : wrapped;
  }
  return out;
}

}  // namespace nccl_analyze
