#pragma once
// Cuts chunks into lines and hands out those that may hold an NCCL record, or tell what became of its process, or go
// on with one; the others are only counted.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "text/line_scan.h"

namespace nccl_analyze {

/// Position after the last newline of `text`; 0 when there is none.
std::size_t line_start(std::string_view text);

/// Whether `text` has no escape, NUL, carriage return, newline or double quote: nothing to strip or to unwrap.
bool is_plain(std::string_view text);

struct LineCounts {
  std::uint64_t bytes = 0;
  std::uint64_t lines = 0;      ///< A last line without a newline counts.
  std::uint64_t truncated = 0;  ///< Lines longer than max_line.
};

/// Push splitter. `Emit` is called as emit(line, number) for every line with a sign in its first `max_line` bytes,
/// and for the line after one for which it returned true; the line comes without its newline and lives during the call.
/// A line that is nothing but a record is given as emit.plain(line, number, marker, behind) where it is seen to be one;
/// `behind` is what follows it, as far as it has come. Before that emit.foreseen(text) says what is known of the plain
/// line that `text` may begin with: a PlainLine, its marker, or nothing.
/// Keeps at most one line of max_line bytes.
class LineSplitter {
 public:
  explicit LineSplitter(std::size_t max_line, const LineScan& scan = *line_scans().front())
      : max_line_(max_line), scan_(&scan) {}

  template <class Emit>
  void feed(std::string_view chunk, Emit&& emit) {
    counts_.bytes += chunk.size();
    if (open_) {
      const std::size_t newline = chunk.find('\n');
      keep(chunk.substr(0, newline));
      if (newline == std::string_view::npos) return;
      end_kept(emit);
      chunk.remove_prefix(newline + 1);
    }
    const std::size_t last = line_start(chunk);
    whole_lines(chunk.substr(0, last), emit);
    chunk.remove_prefix(last);
    if (!chunk.empty()) {
      open_ = true;
      keep(chunk);
    }
  }

  template <class Emit>
  void finish(Emit&& emit) {
    if (open_) end_kept(emit);
  }

  const LineCounts& counts() const { return counts_; }

 private:
  void keep(std::string_view part) {
    kept_size_ += part.size();
    kept_.append(part.substr(0, max_line_ - kept_.size()));
  }

  template <class Emit>
  void end_kept(Emit&& emit) {
    ++counts_.lines;
    if (kept_size_ > max_line_) ++counts_.truncated;
    if (want_next_ || has_sign(kept_)) want_next_ = emit(std::string_view{kept_}, counts_.lines);
    kept_.clear();
    if (kept_.capacity() > max_kept_capacity) kept_.shrink_to_fit();
    kept_size_ = 0;
    open_ = false;
  }

  /// `text` ends with a newline, if it is not empty.
  template <class Emit>
  void whole_lines(std::string_view text, Emit&& emit) {
    while (!text.empty())  // in NCCL's own part of a log one plain line follows the other
      if (want_next_ || !plain_line(text, emit)) text = other_line(text, emit);
  }

  /// Takes the first line if it is wanted, else the first that holds a sign; returns what is behind it.
  template <class Emit>
  [[gnu::noinline]] std::string_view other_line(std::string_view text, Emit&& emit) {
    const bool wanted = want_next_;
    const std::size_t sign = wanted ? 0 : scan_->find(signs, text, 0).anchor;
    const std::size_t start = sign == std::string_view::npos ? text.size() : line_start(text.substr(0, sign));
    pass_over(text.substr(0, start));
    text.remove_prefix(start);
    if (text.empty() || (start != 0 && plain_line(text, emit))) return text;
    const std::size_t end = text.find('\n', sign - start);
    const std::string_view line = text.substr(0, end);
    if (wanted || line.size() <= max_line_ || has_sign(line.substr(0, max_line_)))
      end_line(line, emit);
    else
      count_line(line);
    text.remove_prefix(end + 1);
    return text;
  }

  /// Moves `text` behind the line that it takes.
  template <class Emit>
  [[gnu::always_inline]] bool plain_line(std::string_view& text, Emit&& emit) {
    PlainLine line = emit.foreseen(text);
    if ((line.size == 0 && !scan_->begins_plain(text, line)) || line.size > max_line_) return false;
    ++counts_.lines;
    const std::string_view whole{text.data(), line.size};
    text.remove_prefix(line.size + 1);
    want_next_ = emit.plain(whole, counts_.lines, line.marker, text);
    return true;
  }

  template <class Emit>
  void end_line(std::string_view line, Emit&& emit) {
    count_line(line);
    want_next_ = emit(line.substr(0, max_line_), counts_.lines);
  }

  void count_line(std::string_view line) {
    ++counts_.lines;
    if (line.size() > max_line_) ++counts_.truncated;
  }

  bool has_sign(std::string_view text) const { return static_cast<bool>(scan_->find(signs, text, 0)); }

  /// Counts lines that hold no sign.
  void pass_over(std::string_view text);

  static constexpr std::size_t max_kept_capacity = std::size_t{1} << 16;
  std::size_t max_line_;
  const LineScan* scan_;
  LineCounts counts_;
  std::string kept_;             ///< Head of the line that is not finished.
  std::uint64_t kept_size_ = 0;  ///< Its full length so far.
  bool open_ = false;
  bool want_next_ = false;  ///< The next line is handed out whatever it holds.
};

}  // namespace nccl_analyze
