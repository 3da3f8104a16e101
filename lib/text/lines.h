#pragma once
// Splits chunks into lines. Lines without a keyword, which are nearly all lines of some logs, can be skipped; they are
// then only counted.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "text/line_scan.h"
#include "text/prefix.h"

namespace nccl_analyze {

/// Returns the position after the last newline of `text`; 0 if there is no newline.
std::size_t line_start(std::string_view text);

/// Whether `text` has no escape character, NUL, carriage return, newline or double quote: the functions of decoration.h
/// would not change it.
bool is_plain(std::string_view text);

struct LineCounts {
  std::uint64_t lines = 0;      ///< All lines, including a last line without a newline.
  std::uint64_t truncated = 0;  ///< Lines longer than max_line bytes.
};

/// A line of the input.
struct Line {
  std::string_view text;  ///< Without the newline, at most max_line bytes. Valid until the next call of the splitter.
  std::uint64_t number = 0;  ///< From 1.
  /// Position of `NCCL ` in a plain line (PlainLine); npos in other lines.
  std::size_t marker = std::string_view::npos;
  Sender* sender = nullptr;  ///< The result of SenderCache::find_head(), for a plain line.
  bool ends_input = false;   ///< Whether this is the last line of the input and has no newline.

  bool plain() const { return marker != std::string_view::npos; }
};

/// Which lines the splitter returns.
enum class Wanted : std::uint8_t {
  keyword,  ///< Lines with a keyword.
  all,      ///< All lines. Line::plain() is true for some of them, which saves the caller work.
  every     ///< All lines; Line::plain() is false for each.
};

/// Splits one source into lines. Callers feed a chunk, then call next() until it returns false. Up to max_line bytes of
/// an unfinished last line are kept for the next chunk.
class LineSplitter {
 public:
  /// `senders` must outlive the splitter.
  LineSplitter(std::size_t max_line, SenderCache& senders)
      : max_line_(max_line), senders_(&senders), scan_(line_scans().front()) {}

  /// `chunk` must stay valid until next() returns false.
  void feed(std::string_view chunk) {
    drop_kept();
    if (open_) {
      const std::size_t newline = chunk.find('\n');
      keep(chunk.substr(0, newline));
      if (newline == std::string_view::npos) return;
      chunk.remove_prefix(newline + 1);
      open_ = false;
      finished_ = true;
    }
    const std::size_t last = line_start(chunk);
    rest_ = chunk.substr(0, last);
    tail_ = chunk.substr(last);
  }

  /// Counts the lines of `text` without returning them. Its last line, whose newline has not been fed yet, continues in
  /// the next chunk. Must be called before the first feed().
  void skip(std::string_view text) {
    counts_.lines += scan_->count_newlines(text);
    open_ = true;
  }

  /// Ends the source; next() then returns the unfinished last line, if any.
  void finish() {
    drop_kept();
    finished_ = ends_input_ = open_;
    open_ = false;
  }

  /// Stores the next wanted line in `line`. Returns false if the chunk has no more wanted lines. Only the first
  /// max_line bytes of a line are searched for keywords.
  [[gnu::always_inline]] bool next(Wanted wanted, Line& line) {
    return (wanted != Wanted::every && next_plain(line)) || next_other(wanted != Wanted::keyword, line);
  }

  /// If the next line is a plain line of this chunk, stores it in `line` without consuming it and returns true.
  bool peek(Line& line) { return find_plain(line); }

  const LineCounts& counts() const { return counts_; }
  /// Whether the bytes fed so far end within a line.
  bool holds_part() const { return open_ || !tail_.empty(); }

  /// Sets the number of the last line, so that the next line gets the number after it.
  void set_number(std::uint64_t number) { counts_.lines = number; }
  /// Counts a line as truncated, because the caller parses only its first bytes.
  void count_truncated() { ++counts_.truncated; }

 private:
  void keep(std::string_view part) {
    kept_size_ += part.size();
    kept_.append(part.substr(0, max_line_ - kept_.size()));
  }

  /// Clears `kept_`, unless it has a line that next() still has to return.
  void drop_kept() {
    if (open_ || finished_) return;
    kept_.clear();
    if (kept_.capacity() > max_kept_capacity) kept_.shrink_to_fit();
    kept_size_ = 0;
  }

  [[gnu::always_inline]] bool find_plain(Line& line) {
    PlainLine plain;
    line.sender = senders_->find_head(rest_);
    if (line.sender != nullptr) plain.marker = line.sender->decoration_size() + line.sender->size;
    if (finished_ || !scan_->begins_plain(rest_, plain) || plain.size > max_line_) return false;
    line.text = {rest_.data(), plain.size};
    line.marker = plain.marker;
    line.number = counts_.lines + 1;
    return true;
  }

  [[gnu::always_inline]] bool next_plain(Line& line) {
    if (!find_plain(line)) return false;
    ++counts_.lines;
    rest_.remove_prefix(line.text.size() + 1);
    return true;
  }

  bool next_other(bool every_line, Line& line);
  bool next_kept(bool every_line, Line& line);
  void count_line(std::size_t size) {
    ++counts_.lines;
    if (size > max_line_) ++counts_.truncated;
  }
  bool has_keyword(std::string_view text) const { return static_cast<bool>(scan_->find(keywords, text, 0)); }
  /// Counts the lines of `text`, which are complete and have no keyword.
  void skip_lines(std::string_view text);

  static constexpr std::size_t max_kept_capacity = std::size_t{1} << 16;
  std::size_t max_line_;
  SenderCache* senders_;
  const LineScan* scan_;
  LineCounts counts_;
  std::string_view rest_;        ///< The complete lines of the chunk that next() has not consumed yet.
  std::string_view tail_;        ///< The unfinished line at the end of the chunk.
  std::string kept_;             ///< The first max_line_ bytes of a line that started in an earlier chunk.
  std::uint64_t kept_size_ = 0;  ///< Size of the whole kept line so far.
  bool open_ = false;            ///< Whether the newline of the kept line has not been fed yet.
  bool finished_ = false;        ///< Whether the kept line is complete; next() then returns it first.
  bool ends_input_ = false;      ///< Line::ends_input of the kept line.
};

}  // namespace nccl_analyze
