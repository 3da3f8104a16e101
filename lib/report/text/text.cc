// Writes the blocks of the report for a terminal: wraps them at the width of the page and colours labels and places.

#include <ostream>
#include <span>
#include <string>
#include <utility>
#include <variant>

#include "nccl_analyze/report.h"
#include "report/document/document.h"
#include "report/text/answer_table.h"
#include "report/text/colors.h"
#include "text/escape.h"
#include "text/wrap.h"

namespace nccl_analyze {
namespace {

class TextWriter {
 public:
  TextWriter(std::ostream& out, const Model& model, const TextOptions& options)
      : out_(out), model_(model), options_(options) {}

  void write(std::span<const Block> blocks) {
    for (const Block& block : blocks) std::visit([this](const auto& content) { write(content); }, block.content);
  }

 private:
  /// A heading without a label begins a section. One with a label is the verdict, whose paragraphs stand below its
  /// sentence, or begins a finding, whose message has no hanging indent.
  void write(const Heading& heading) {
    const auto& [strong, text] = heading.line;
    const bool is_verdict = heading.level == 1;
    std::size_t column = heading.label.size() + 2;
    indent_ = below_ = is_verdict ? column : step;
    hang_ = is_verdict || heading.label.empty() ? step : 0;
    advice_ = indent_;
    relation_ = {};
    if (!is_verdict) out_ << "\n";
    if (heading.label.empty()) {
      out_ << colored(options_, bold, visible(text_of(heading.line))) << "\n";
      return;
    }
    out_ << colored(options_, label_color(heading.label), heading.label);
    if (!strong.empty()) {
      out_ << "  " << colored(options_, bold, visible(strong));
      column += columns(visible(strong)) + 2;
    }
    if (!text.empty()) out_ << "  " << wrap(text, column, column, options_.columns);
    out_ << "\n";
  }

  /// A paragraph of emphasised text alone is a label, which begins the first line of the next block.
  void write(const Paragraph& paragraph) {
    if (!paragraph.line.strong.empty()) label_ = paragraph.line.strong;
    if (paragraph.line.text.empty()) return;
    const std::size_t column = begin_line(indent_);
    out_ << wrap(paragraph.line.text, column, indent_ + hang_, options_.columns) << "\n";
    below_ = indent_ + step;
  }

  void write(const List& list) {
    for (const Line& item : list.items) {
      const std::string mark = list.marked && !item.strong.empty() ? visible(item.strong) + "  " : "";
      const std::size_t column = below_ + columns(mark);
      out_ << blanks(below_) << mark
           << wrap(mark.empty() ? text_of(item) : item.text, column, mark.empty() ? below_ + step : column,
                   options_.columns)
           << "\n";
    }
  }

  void write(const Quotes& quotes) {
    advice_ = below_;
    for (const QuotedLine& line : quotes.lines) {
      out_ << blanks(below_) << linked(line.at, colored(options_, dim, line.place));
      if (line.text.empty() && quotes.lines.size() == 1 && quotes.more > 0) {
        out_ << " and " << quotes.more << " more\n";
        return;
      }
      const std::size_t column = below_ + columns(line.place) + 2;
      if (!line.text.empty()) out_ << "  " << wrap(line.text, column, below_ + 2 * step, options_.columns);
      out_ << "\n";
    }
    if (quotes.more > 0) out_ << blanks(below_) << "... and " << quotes.more << " more\n";
  }

  /// Commands are not wrapped, because readers copy them.
  void write(const Commands& commands) {
    const std::size_t column = begin_line(label_.empty() ? below_ : indent_);
    for (const std::string& command : commands.lines)
      out_ << (&command == commands.lines.data() ? "" : blanks(column)) << visible(command) << "\n";
  }

  void write(const Advice& advice) {
    const std::size_t column = begin_line(label_.empty() ? advice_ : indent_);
    out_ << wrap_markdown(advice.markdown, column, "\n", options_.columns, options_.color).substr(column) << "\n";
  }

  void write(const TableBlock& table) { write_answers(out_, table, options_); }

  /// A terminal has no pictures, and its report none of these blocks.
  void write(const Graph&) {}
  void write(const TimelinePicture&) {}

  /// A fold is open: its kind as a heading above the first of its kind, its title as the label of its first block.
  void write(const Fold& fold) {
    if (relation_ != fold.summary.strong)
      out_ << blanks(indent_) << colored(options_, bold, visible(fold.summary.strong) + ":") << "\n";
    relation_ = fold.summary.strong;
    label_ = fold.summary.text;
    const std::size_t hang = std::exchange(hang_, step);
    indent_ += step;
    write(fold.inside);
    indent_ -= step;
    hang_ = hang;
  }

  /// Begins a line with the label, if there is one, and returns the column at which the line goes on.
  std::size_t begin_line(std::size_t indent) {
    out_ << blanks(indent);
    if (label_.empty()) return indent;
    const std::string label = visible(std::exchange(label_, {})) + ":";
    out_ << colored(options_, bold, label) << " ";
    return indent + columns(label) + 1;
  }

  /// Makes `text` a terminal hyperlink to the source that contains the log line `at`. If TextOptions::link is empty or
  /// returns no URL, returns `text` unchanged.
  std::string linked(LineRef at, const std::string& text) const {
    const auto source = static_cast<std::size_t>(at.source);
    if (!options_.link || source >= model_.sources.size()) return text;
    const std::string url = options_.link(model_.sources[source]);
    return url.empty() ? text : "\x1b]8;;" + url + "\x1b\\" + text + "\x1b]8;;\x1b\\";
  }

  static std::string text_of(const Line& line) {
    return line.strong + (line.strong.empty() || line.text.empty() ? "" : ": ") + line.text;
  }
  static std::string blanks(std::size_t count) { return std::string(count, ' '); }

  static constexpr std::size_t step = 2;  ///< Columns by which each level is indented.

  std::ostream& out_;
  const Model& model_;
  const TextOptions& options_;
  std::size_t indent_ = step;  ///< The column of paragraphs.
  std::size_t hang_ = step;    ///< The further indent of their second and later lines.
  std::size_t below_ = step;   ///< The column of lists, quotes and commands, which stand deeper after a paragraph.
  std::size_t advice_ = step;  ///< The column of advice, which explains the paragraph or quotes above it.
  std::string label_;          ///< What begins the next line.
  std::string relation_;       ///< The kind of the last fold of the finding.
};

}  // namespace

void write_text(std::ostream& out, const Model& model, const Report& report, const TextOptions& options) {
  const Extent extent = options.verbose ? Extent::verbose : Extent::terminal;
  TextWriter(out, model, options).write(document_of(model, report, extent));
}

}  // namespace nccl_analyze
