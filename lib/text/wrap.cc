// Breaks lines for the text report and for `explain`. Markdown is parsed by cmark, which also renders the page.

#include "text/wrap.h"

#include <cmark.h>

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "text/escape.h"
#include "text/split.h"

namespace nccl_analyze {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\n' || c == '\t'; }

/// Words and the number of blanks before each, ready to be laid out.
class Words {
 public:
  explicit Words(bool styled = false) : styled_(styled) {}

  void add(std::string_view text) {
    while (!text.empty()) {
      const auto end = std::ranges::find_if(text, [&](char c) { return is_blank(c) != is_blank(text.front()); });
      const std::string_view run = text.substr(0, static_cast<std::size_t>(end - text.begin()));
      text.remove_prefix(run.size());
      if (is_blank(run.front())) {
        blanks_ += run.size();
        continue;
      }
      const std::string shown = visible(run);
      append(shown, columns(shown));
    }
  }

  /// Adds code, which stays in one piece with its blanks.
  void add_code(std::string_view code) {
    const std::string shown = visible(code);
    add_mark("`", "\x1b[36m");
    append(shown, columns(shown));
    add_mark("`", "\x1b[39m");
  }

  /// Adds a mark of Markdown or, if styled, the escape sequence that replaces it. The lines break at the same places.
  void add_mark(std::string_view mark, std::string_view style) { append(styled_ ? style : mark, mark.size()); }

  /// Breaks the words at `width` columns. The first line starts at `column`, the others are indented by `indent`.
  std::string lay_out(std::size_t column, std::size_t indent, std::size_t width) const {
    std::string out;
    for (const Word& word : words_) {
      const bool is_first = &word == words_.data();
      column += is_first ? 0 : word.blanks;
      if (!is_first && column + word.columns > width) {
        out.append("\n").append(indent, ' ');
        column = indent;
      } else if (!is_first) {
        out.append(word.blanks, ' ');
      }
      out += word.text;
      column += word.columns;
    }
    return out;
  }

 private:
  struct Word {
    std::string text;
    std::size_t columns = 0, blanks = 0;
  };

  void append(std::string_view text, std::size_t width) {
    if (words_.empty() || blanks_ > 0) words_.push_back({{}, 0, std::exchange(blanks_, 0)});
    words_.back().text += text;
    words_.back().columns += width;
  }

  bool styled_;
  std::size_t blanks_ = 0;
  std::vector<Word> words_;
};

std::string_view view_of(const char* text) { return text == nullptr ? std::string_view{} : std::string_view{text}; }

/// Writes the blocks of a document one below the other. Works without recursion, because texts of site rules may nest
/// lists to any depth.
class BlockWriter {
 public:
  BlockWriter(std::size_t indent, std::string_view gap, std::size_t width, bool styled)
      : gap_(gap), width_(width), styled_(styled), columns_{indent} {}

  void read(cmark_node* node, bool enters) {
    switch (cmark_node_get_type(node)) {
      case CMARK_NODE_LIST:
        return turn_list(node, enters);
      case CMARK_NODE_ITEM:
        return enters ? begin_item() : end_item(node);
      case CMARK_NODE_CODE_BLOCK:
        return write_code(node);
      case CMARK_NODE_HTML_BLOCK:
        words_.add(view_of(cmark_node_get_literal(node)));
        return write_words(node);
      case CMARK_NODE_PARAGRAPH:
      case CMARK_NODE_HEADING:
        return enters ? void() : write_words(node);
      default:
        return read_inline(node, enters);
    }
  }

  std::string take() { return std::move(out_); }

 private:
  void turn_list(cmark_node* node, bool enters) {
    if (!enters) return numbers_.pop_back();
    const bool is_numbered = cmark_node_get_list_type(node) == CMARK_ORDERED_LIST;
    numbers_.push_back(is_numbered ? cmark_node_get_list_start(node) : -1);
  }

  void begin_item() {
    int& number = numbers_.back();
    const std::string marker = number < 0 ? "- " : std::to_string(number++) + ". ";
    if (marker_.empty()) marker_column_ = columns_.back();
    marker_ += marker;
    columns_.push_back(columns_.back() + marker.size());
  }

  void end_item(cmark_node* item) {
    if (!marker_.empty()) {  // an item without contents
      begin_block(cmark_node_get_start_line(item));
      last_line_ = cmark_node_get_start_line(item);
    }
    columns_.pop_back();
  }

  void read_inline(cmark_node* node, bool enters) {
    switch (cmark_node_get_type(node)) {
      case CMARK_NODE_TEXT:
      case CMARK_NODE_HTML_INLINE:
        return words_.add(view_of(cmark_node_get_literal(node)));
      case CMARK_NODE_SOFTBREAK:
      case CMARK_NODE_LINEBREAK:
        return words_.add(" ");
      case CMARK_NODE_CODE:
        return words_.add_code(view_of(cmark_node_get_literal(node)));
      case CMARK_NODE_STRONG:
        return words_.add_mark("**", enters ? "\x1b[1m" : "\x1b[22m");
      case CMARK_NODE_EMPH:
        return words_.add_mark("*", "*");
      case CMARK_NODE_LINK:
      case CMARK_NODE_IMAGE:
        if (!enters) add_target(node);
        return;
      default:
        return;
    }
  }

  /// Adds the target of a link behind its text, unless the text is the target.
  void add_target(cmark_node* link) {
    const std::string_view target = view_of(cmark_node_get_url(link));
    cmark_node* const text = cmark_node_first_child(link);
    if (text == nullptr || view_of(cmark_node_get_literal(text)) != target)
      words_.add(std::string(" (").append(target).append(")"));
  }

  /// Begins the line of a block that starts at `line` of the source, with the markers of its items.
  void begin_block(int line) {
    if (!out_.empty()) out_ += line > last_line_ + 1 ? gap_ : "\n";
    const std::string marker = std::exchange(marker_, {});
    out_.append(marker.empty() ? columns_.back() : marker_column_, ' ').append(marker);
  }

  void write_words(cmark_node* node) {
    begin_block(cmark_node_get_start_line(node));
    out_ += std::exchange(words_, Words(styled_)).lay_out(columns_.back(), columns_.back(), width_);
    last_line_ = cmark_node_get_end_line(node);
  }

  /// Writes code below its text, by four columns further to the right. A gap separates it from the text.
  void write_code(cmark_node* node) {
    constexpr std::size_t indent = 4;
    if (!marker_.empty()) begin_block(cmark_node_get_start_line(node));
    if (!out_.empty()) out_ += gap_;
    std::string_view code = view_of(cmark_node_get_literal(node));
    for (bool is_first = true; !code.empty(); is_first = false) {
      const std::string_view line = take_until(code, '\n');
      if (!is_first) out_ += '\n';
      if (!line.empty()) out_.append(columns_.back() + indent, ' ').append(visible(line));
    }
    last_line_ = -1;
  }

  std::string_view gap_;
  std::size_t width_;
  bool styled_;
  std::string out_;
  Words words_{styled_};              ///< The words of the current paragraph.
  std::vector<std::size_t> columns_;  ///< The column of the text outside of all lists, then of each open item.
  std::vector<int> numbers_;          ///< The number of the next item of each open list; -1 for bullets.
  std::string marker_;                ///< The markers of the items that begin in the next line.
  std::size_t marker_column_ = 0;
  int last_line_ = -1;  ///< The last line of the previous block in the source; -1: none, or code.
};

}  // namespace

std::string wrap(std::string_view text, std::size_t column, std::size_t indent, std::size_t width) {
  Words words;
  words.add(text);
  return words.lay_out(column, indent, width);
}

std::string wrap_markdown(std::string_view text, std::size_t indent, std::string_view gap, std::size_t width,
                          bool styled) {
  const std::unique_ptr<cmark_node, decltype(&cmark_node_free)> document(
      cmark_parse_document(text.data(), text.size(), CMARK_OPT_DEFAULT), &cmark_node_free);
  const std::unique_ptr<cmark_iter, decltype(&cmark_iter_free)> nodes(cmark_iter_new(document.get()), &cmark_iter_free);
  BlockWriter writer(indent, gap, width, styled);
  for (cmark_event_type event = cmark_iter_next(nodes.get()); event != CMARK_EVENT_DONE;
       event = cmark_iter_next(nodes.get()))
    writer.read(cmark_iter_get_node(nodes.get()), event == CMARK_EVENT_ENTER);
  return writer.take();
}

}  // namespace nccl_analyze
