#pragma once
// Cuts chunks into lines and hands out those that may hold an NCCL record, or tell what became of its process, or go
// on with one; the others are only counted.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace nccl_analyze {

/// First position at or after `from` of a word that NCCL's lines, or lines that quote its version, hold: `NCCL `,
/// `RCCL version `, `nccl==`; npos when there is none.
std::size_t find_marker(std::string_view text, std::size_t from = 0);

/// The same for the words, too, of other programs that tell of a failure: frameworks, launchers, the kernel.
std::size_t find_sign(std::string_view text, std::size_t from = 0);

/// Position after the last newline of `text`; 0 when there is none.
std::size_t line_start(std::string_view text);

/// Whether `text` has no escape, NUL, carriage return, newline or double quote: nothing to strip or to unwrap.
bool is_plain(std::string_view text);

/// Newlines in `text`.
std::size_t count_newlines(std::string_view text);

struct LineCounts {
  std::uint64_t bytes = 0;
  std::uint64_t lines = 0;      ///< A last line without a newline counts.
  std::uint64_t truncated = 0;  ///< Lines longer than max_line.
};

/// Push splitter. `Emit` is called as emit(line, number) for every line with a sign in its first `max_line` bytes,
/// and for the line after one for which it returned true; the line comes without its newline and lives during the call.
/// Keeps at most one line of max_line bytes.
class LineSplitter {
 public:
  explicit LineSplitter(std::size_t max_line) : max_line_(max_line) {}

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
    const std::size_t last = chunk.rfind('\n');
    if (last != std::string_view::npos) {
      whole_lines(chunk.substr(0, last + 1), emit);
      chunk.remove_prefix(last + 1);
    }
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
    if (want_next_ || find_sign(kept_) != std::string_view::npos)
      want_next_ = emit(std::string_view{kept_}, counts_.lines);
    kept_.clear();
    if (kept_.capacity() > max_kept_capacity) kept_.shrink_to_fit();
    kept_size_ = 0;
    open_ = false;
  }

  /// `text` ends with a newline.
  template <class Emit>
  void whole_lines(std::string_view text, Emit&& emit) {
    std::size_t from = 0;
    while (from < text.size()) {
      if (want_next_) {
        const std::size_t end = text.find('\n', from);
        ++counts_.lines;
        if (end - from > max_line_) ++counts_.truncated;
        want_next_ = emit(text.substr(from, std::min(end - from, max_line_)), counts_.lines);
        from = end + 1;
        continue;
      }
      const std::size_t sign = find_sign(text, from);
      if (sign == std::string_view::npos) break;
      const std::size_t start = from + line_start(text.substr(from, sign - from));
      const std::size_t end = text.find('\n', sign);
      pass_over(text.substr(from, start - from));
      ++counts_.lines;
      const bool too_long = end - start > max_line_;
      if (too_long) ++counts_.truncated;
      if (!too_long || find_sign(text.substr(start, max_line_)) != std::string_view::npos)
        want_next_ = emit(text.substr(start, too_long ? max_line_ : end - start), counts_.lines);
      from = end + 1;
    }
    pass_over(text.substr(from));
  }

  /// Counts lines that hold no sign.
  void pass_over(std::string_view text);

  static constexpr std::size_t max_kept_capacity = std::size_t{1} << 16;
  std::size_t max_line_;
  LineCounts counts_;
  std::string kept_;             ///< Head of the line that is not finished.
  std::uint64_t kept_size_ = 0;  ///< Its full length so far.
  bool open_ = false;
  bool want_next_ = false;  ///< The next line is handed out whatever it holds.
};

}  // namespace nccl_analyze
