// The difference of two runs for a terminal: rows by topic, old and new side by side.

#include <algorithm>
#include <array>
#include <ostream>
#include <string>
#include <vector>

#include "nccl_analyze/compare.h"
#include "report/diff/words.h"
#include "text/escape.h"
#include "text/wrap.h"

namespace nccl_analyze {
namespace {

constexpr std::string_view bold = "\x1b[1m", dim = "\x1b[2m", different = "\x1b[1;33m", plain = "\x1b[0m";
constexpr std::string_view bar = " \u2502 ";
constexpr std::size_t bar_columns = 3, cells = 4;

/// The cells of a row: name of the fact, old value, new value, ranks and hosts.
using Cells = std::array<std::string, cells>;
using Widths = std::array<std::size_t, cells>;

/// Returns the number of bytes of the code point that begins at `at`; the text is valid UTF-8.
std::size_t code_point(std::string_view text, std::size_t at) {
  std::size_t size = 1;
  while (at + size < text.size() && (static_cast<unsigned char>(text[at + size]) & 0xC0U) == 0x80) ++size;
  return size;
}

/// Breaks text that visible() returned into lines of at most `width` columns: after a blank, comma or arrow if a line
/// has one, else within a word.
std::vector<std::string> break_cell(std::string_view text, std::size_t width) {
  std::vector<std::string> lines;
  while (columns(text) > width) {
    std::size_t end = 0, good = 0;
    for (std::size_t column = 0; column < width; ++column) {
      const std::size_t size = code_point(text, end);
      const std::string_view point = text.substr(end, size);
      end += size;
      if (point == " " || point == "," || point == "\u2192") good = end;
    }
    if (good == 0) good = end;
    lines.emplace_back(text.substr(0, good));
    while (lines.back().ends_with(' ')) lines.back().pop_back();
    text.remove_prefix(good);
  }
  if (!text.empty() || lines.empty()) lines.emplace_back(text);
  return lines;
}

/// Truncates a text at its start, because the names of runs differ at their ends. An ellipsis replaces the removed
/// part.
std::string end_of(const std::string& text, std::size_t width) {
  std::size_t left = columns(text), at = 0;
  if (left <= width) return text;
  for (; at < text.size() && left + 1 > width; --left) at += code_point(text, at);
  return "\u2026" + text.substr(at);
}

class TextDiff {
 public:
  TextDiff(std::ostream& out, const RunDiff& diff, const TextOptions& options)
      : out_(out), diff_(diff), options_(options), topics_(describe_changes(diff, options.verbose ? SIZE_MAX : 4)) {}

  void write() {
    const std::string_view label = diff_.same() ? "SAME" : "DIFFERENT";
    out_ << colored(diff_.same() ? bold : different, label) << "  "
         << wrap(describe_diff(diff_), label.size() + 2, label.size() + 2, options_.columns) << '\n';
    write_sentence(describe_shared(diff_));
    if (!topics_.empty()) write_table();
    if (const std::string equal = describe_equal(diff_); !equal.empty()) {
      out_ << '\n';
      write_sentence(equal);
    }
    const std::vector<std::string> lines = describe_not_compared(diff_);
    if (!lines.empty()) out_ << '\n' << colored(bold, "Not compared") << '\n';
    for (const std::string& line : lines) write_sentence(line);
  }

 private:
  std::string colored(std::string_view color, std::string_view text) const {
    if (!options_.color || text.empty()) return std::string{text};
    return std::string{color}.append(text).append(plain);
  }

  void write_sentence(const std::string& text) {
    if (!text.empty()) out_ << "  " << wrap(text, 2, 4, options_.columns) << '\n';
  }

  static Cells cells_of(const DiffRow& row) {
    return {"  " + visible(row.what), visible(row.old_value), visible(row.new_value), visible(row.who)};
  }

  /// Distributes the columns of the terminal: names and ranks get what they need up to a limit, old and new share the
  /// rest.
  Widths measure(const Cells& head) const {
    constexpr std::size_t max_name = 30, max_who = 28, min_value = 10;
    Widths widths{};
    const auto add = [&widths](const Cells& row) {
      for (std::size_t i = 0; i < cells; ++i) widths[i] = std::max(widths[i], columns(row[i]));
    };
    add(head);
    for (const DiffTopic& topic : topics_)
      if (topic.topic != Topic::findings)
        for (const DiffRow& row : topic.rows) add(cells_of(row));
    widths[0] = std::min(widths[0], max_name);
    widths[3] = std::min(widths[3], max_who);
    const std::size_t taken = widths[0] + widths[3] + bar_columns * (widths[3] > 0 ? 3 : 2);
    const std::size_t left = options_.columns > taken ? options_.columns - taken : 0;
    const std::size_t half = std::max(left / 2, min_value);
    const std::size_t old_width = std::min(widths[1], std::max(half, left - std::min(left, widths[2])));
    widths[2] = std::min(widths[2], std::max(half, left - std::min(left, old_width)));
    widths[1] = old_width;
    return widths;
  }

  void write_table() {
    constexpr std::string_view before = "old: ", after = "new: ";
    const std::string old_name = visible(diff_.old_name), new_name = visible(diff_.new_name);
    const Widths widths = measure({"", std::string{before} + old_name, std::string{after} + new_name, ""});
    const Cells head{"", std::string{before} + end_of(old_name, widths[1] - before.size()),
                     std::string{after} + end_of(new_name, widths[2] - after.size()), ""};
    bool has_head = false;
    for (const DiffTopic& topic : topics_) {
      if (topic.topic != Topic::findings && !has_head) {
        out_ << '\n';
        write_row(head, widths, dim);
        has_head = true;
      } else if (topic.topic == Topic::findings) {
        out_ << '\n';
      }
      out_ << colored(bold, to_string(topic.topic)) << '\n';
      for (const DiffRow& row : topic.rows) {
        if (topic.topic == Topic::findings)
          write_finding(row);
        else
          write_row(cells_of(row), widths, {});
        if (options_.verbose) write_places(row);
      }
      if (topic.left_out > 0) out_ << "  ... and " << topic.left_out << " more (-v shows all)\n";
    }
  }

  void write_row(const Cells& row, const Widths& widths, std::string_view color) {
    std::array<std::vector<std::string>, cells> lines;
    std::size_t height = 0;
    for (std::size_t i = 0; i < cells; ++i) {
      lines[i] = break_cell(row[i], std::max<std::size_t>(widths[i], 1));
      height = std::max(height, lines[i].size());
    }
    const std::size_t last = row[3].empty() ? 2 : 3;
    for (std::size_t line = 0; line < height; ++line) {
      std::string text;
      for (std::size_t i = 0; i <= last; ++i) {
        const std::string cell = line < lines[i].size() ? lines[i][line] : "";
        text.append(i == 0 ? "" : bar).append(cell);
        if (i < last) text.append(widths[i] - std::min(widths[i], columns(cell)), ' ');
      }
      while (text.ends_with(' ')) text.pop_back();
      out_ << colored(color, text) << '\n';
    }
  }

  /// Writes a finding over the full width, because a column is too narrow for its long sentence.
  void write_finding(const DiffRow& row) {
    const bool came = row.old_value == "none", went = row.new_value == "none";
    const std::string text = came   ? "+ " + row.what + "  " + row.new_value
                             : went ? "- " + row.what + "  " + row.old_value
                                    : "~ " + row.what + "  " + row.new_value + " (before: " + row.old_value + ")";
    out_ << "  " << wrap(text, 2, 4, options_.columns) << '\n';
  }

  void write_places(const DiffRow& row) {
    for (const std::string* place : {&row.old_place, &row.new_place})
      if (!place->empty()) out_ << colored(dim, "    " + visible(*place)) << '\n';
  }

  std::ostream& out_;
  const RunDiff& diff_;
  const TextOptions& options_;
  std::vector<DiffTopic> topics_;
};

}  // namespace

void write_diff_text(std::ostream& out, const RunDiff& diff, const TextOptions& options) {
  if (!diff.same() || !diff.not_compared.empty()) TextDiff(out, diff, options).write();
}

}  // namespace nccl_analyze
