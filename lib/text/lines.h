#pragma once
// Cuts chunks into lines, returns the lines worth parsing and only counts the others: in some logs nearly all lines.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "text/line_scan.h"
#include "text/prefix.h"

namespace nccl_analyze {

/// Position after the last newline of `text`; 0 when it has no newline.
std::size_t line_start(std::string_view text);

/// Whether `text` has no escape, NUL, carriage return, newline or double quote, so that decoration.h has nothing to
/// strip or unwrap in it.
bool is_plain(std::string_view text);

struct LineCounts {
  std::uint64_t lines = 0;      ///< All lines, also a last one without a newline.
  std::uint64_t truncated = 0;  ///< Lines longer than max_line.
};

/// A line of the input.
struct Line {
  std::string_view text;  ///< Without the newline, at most max_line bytes. Valid until the next call of the splitter.
  std::uint64_t number = 0;                     ///< From 1.
  std::size_t marker = std::string_view::npos;  ///< Position of `NCCL ` in a plain line (PlainLine); npos in others.
  Sender* sender = nullptr;                     ///< The result of SenderCache::find_head for a plain line.
  bool ends_input = false;                      ///< The last line of the input lacks its newline.

  bool plain() const { return marker != std::string_view::npos; }
};

/// Which lines a caller of the splitter must see.
enum class Wanted : std::uint8_t {
  keyword,  ///< Lines with a keyword.
  all,      ///< All lines, where plain ones may be returned as such.
  every     ///< All lines, none of them as a plain one.
};

/// The lines of one source. Callers feed a chunk, then call next() until it returns false. An unfinished last line is
/// kept for the next chunk, at most max_line bytes of it.
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

  /// Counts the lines of `text`, the whole source, without returning them.
  void skip(std::string_view text) {
    counts_.lines += scan_->count_newlines(text);
    if (!text.empty() && text.back() != '\n') ++counts_.lines;
  }

  /// Ends the source: next() then returns the unfinished last line, if any.
  void finish() {
    drop_kept();
    finished_ = ends_input_ = open_;
    open_ = false;
  }

  /// The next line that is wanted; without a wish the next one with a keyword in its first max_line bytes. False when
  /// the chunk holds no more of them.
  [[gnu::always_inline]] bool next(Wanted wanted, Line& line) {
    return (wanted != Wanted::every && next_plain(line)) || next_other(wanted != Wanted::keyword, line);
  }

  /// Whether the next line is a plain one of this chunk; returns it without consuming it.
  bool peek(Line& line) { return find_plain(line); }

  const LineCounts& counts() const { return counts_; }

 private:
  void keep(std::string_view part) {
    kept_size_ += part.size();
    kept_.append(part.substr(0, max_line_ - kept_.size()));
  }

  /// Frees the kept line once next() has returned it.
  void drop_kept() {
    if (open_ || finished_) return;
    kept_.clear();
    if (kept_.capacity() > max_kept_capacity) kept_.shrink_to_fit();
    kept_size_ = 0;
  }

  [[gnu::always_inline]] bool find_plain(Line& line) {
    PlainLine plain;
    line.sender = senders_->find_head(rest_);
    if (line.sender != nullptr) plain.marker = line.sender->decoration_size() + line.sender->text.size();
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
  /// Counts whole lines without a keyword.
  void skip_lines(std::string_view text);

  static constexpr std::size_t max_kept_capacity = std::size_t{1} << 16;
  std::size_t max_line_;
  SenderCache* senders_;
  const LineScan* scan_;
  LineCounts counts_;
  std::string_view rest_;        ///< Whole lines of the chunk that next() has not consumed.
  std::string_view tail_;        ///< The unfinished line at the end of the chunk.
  std::string kept_;             ///< A line that began in an earlier chunk, at most max_line_ bytes of it.
  std::uint64_t kept_size_ = 0;  ///< All bytes of that line so far.
  bool open_ = false;            ///< The newline of the kept line is not there yet.
  bool finished_ = false;        ///< The kept line is complete; next() returns it first.
  bool ends_input_ = false;      ///< Line::ends_input of the kept line.
};

}  // namespace nccl_analyze
