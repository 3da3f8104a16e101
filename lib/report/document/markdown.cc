// Writes the report as Markdown for tickets on GitHub, GitLab and any CommonMark site. Log text is escaped, so that it
// cannot form links, mentions or markup.

#include "report/document/markdown.h"

#include <algorithm>
#include <ostream>
#include <span>
#include <sstream>
#include <string>
#include <utility>
#include <variant>

#include "nccl_analyze/report.h"
#include "report/document/document.h"
#include "text/blanks.h"
#include "text/escape.h"

namespace nccl_analyze {
namespace {

/// An empty HTML comment. GitHub and GitLab turn mentions, issue numbers, URLs and emoji into links after they parse
/// the Markdown; a comment inside such text prevents this.
constexpr std::string_view no_markup = "<!-- -->";

bool is_letter_or_digit(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         static_cast<unsigned char>(c) >= 0x80;
}

/// Whether GitHub or GitLab may turn the start of `text` into a link or an emoji. If `text` starts with a dot, whether
/// they may turn a `www` before the dot into a link.
bool may_link(std::string_view text) {
  if (text.size() < 2) return false;
  const char next = text[1];
  const auto is_name = [](char c) { return is_letter_or_digit(c) || c == '_' || c == '+' || c == '-'; };
  switch (text[0]) {
    case '@':
    case '#':
      return is_name(next);
    case '!':
    case '%':
      return next >= '0' && next <= '9';
    case '.':
      return is_name(next);
    case '/':
      return next == '/';
    case ':': {
      const auto end = std::find_if_not(text.begin() + 1, text.end(), is_name);
      return next == '/' || (end != text.begin() + 1 && end != text.end() && *end == ':');
    }
    default:
      return false;
  }
}

/// Whether `text` ends in `www`, which begins a URL if a dot follows. All other URLs begin with a scheme.
bool ends_www(std::string_view text) {
  if (text.size() < 3) return false;
  const std::string_view end = text.substr(text.size() - 3);
  return std::all_of(end.begin(), end.end(), [](char c) { return c == 'w' || c == 'W'; });
}

/// Whether the character at `at` begins a Markdown block: a mark at the start of the line, or the delimiter after the
/// number of a list item (`1.`, `1)`).
bool begins_block(std::string_view text, std::size_t at) {
  constexpr std::string_view marks = "#>+-=:";
  if (at == 0) return marks.find(text[0]) != std::string_view::npos;
  return (text[at] == '.' || text[at] == ')') && text.find_first_not_of("0123456789") == at;
}

/// Escapes log text for a paragraph, a list item or a table cell.
std::string inert(std::string_view raw) {
  constexpr std::string_view marks = "\\`*_[]{}|~$";
  const std::string text = visible(raw);
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    // Markdown ignores an underscore inside a word.
    const bool inside_word =
        c == '_' && i > 0 && i + 1 < text.size() && is_letter_or_digit(text[i - 1]) && is_letter_or_digit(text[i + 1]);
    if ((marks.find(c) != std::string_view::npos && !inside_word) || begins_block(text, i)) out += '\\';
    out += c == '<' ? "&lt;" : c == '&' ? "&amp;" : std::string(1, c);
    if (may_link(std::string_view(text).substr(i)) && (c != '.' || ends_www(std::string_view(text).substr(0, i))))
      out += no_markup;
  }
  return out;
}

/// Escapes log text for an HTML element, in which Markdown is not parsed.
std::string inert_html(std::string_view raw) {
  const std::string text = visible(raw);
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    out += text[i] == '<' ? "&lt;" : text[i] == '&' ? "&amp;" : std::string(1, text[i]);
    if (may_link(std::string_view(text).substr(i))) out += no_markup;
  }
  return out;
}

class Writer {
 public:
  explicit Writer(std::ostream& out) : out_(out) {}

  void write(std::span<const Block> blocks) {
    for (const Block& block : blocks) {
      if (!first_) out_ << '\n';
      first_ = false;
      std::visit([this](const auto& content) { write(content); }, block.content);
    }
  }

 private:
  void write(const Heading& heading) {
    out_ << std::string(static_cast<std::size_t>(heading.level), '#') << ' ' << heading.label
         << (heading.label.empty()         ? ""
             : heading.line.strong.empty() ? ": "
                                           : " ")
         << text_of(heading.line, "") << '\n';
  }
  void write(const Paragraph& paragraph) { out_ << text_of(paragraph.line, "**") << '\n'; }
  void write(const List& list) {
    for (const Line& item : list.items) out_ << "- " << text_of(item, "**") << '\n';
  }
  void write(const Quotes& quotes) { write_fenced(lines_of(quotes)); }
  void write(const Commands& commands) { write_fenced(commands.lines); }
  void write(const Advice& advice) { out_ << trimmed(advice.markdown) << '\n'; }
  /// Markdown has no pictures, and Extent::ticket has none of these blocks.
  void write(const Graph&) {}
  void write(const TimelinePicture&) {}
  void write(const TableBlock& table) {
    write_row(table.head);
    for (std::size_t i = 0; i < table.head.size(); ++i) out_ << "| --- ";
    out_ << "|\n";
    for (const auto& row : table.rows) write_row(row);
  }
  void write(const Fold& fold) {
    out_ << "<details><summary>"
         << inert_html(fold.summary.strong + (fold.summary.text.empty() ? "" : ": ") + fold.summary.text)
         << "</summary>\n\n";
    first_ = true;
    write(fold.inside);
    out_ << "\n</details>\n";
  }

  void write_fenced(const std::vector<std::string>& lines) {
    std::size_t longest = 2;
    for (const std::string& line : lines) longest = std::max(longest, backticks_of(line));
    const std::string fence(longest + 1, '`');
    out_ << fence << "text\n";
    for (const std::string& line : lines) out_ << visible(line) << '\n';
    out_ << fence << '\n';
  }

  void write_row(const std::vector<std::string>& cells) {
    for (const std::string& cell : cells) out_ << "| " << inert(cell) << ' ';
    out_ << "|\n";
  }

  static std::string text_of(const Line& line, std::string_view mark) {
    std::string text;
    if (!line.strong.empty()) text.append(mark).append(inert(line.strong)).append(mark);
    if (!line.strong.empty() && !line.text.empty()) text += ": ";
    return text.append(inert(line.text));
  }

  static std::size_t backticks_of(std::string_view text) {
    std::size_t longest = 0, now = 0;
    for (const char c : text) {
      now = c == '`' ? now + 1 : 0;
      longest = std::max(longest, now);
    }
    return longest;
  }

  std::ostream& out_;
  bool first_ = true;
};

}  // namespace

std::string markdown_of(std::span<const Block> blocks) {
  std::ostringstream out;
  Writer(out).write(blocks);
  return std::move(out).str();
}

void write_markdown(std::ostream& out, const Model& model, const Report& report) {
  out << "<!-- nccl-analyze report -->\n";
  Writer(out).write(document_of(model, report, Extent::ticket));
  out << "\nnccl-analyze " << version() << "\n";
}

}  // namespace nccl_analyze
