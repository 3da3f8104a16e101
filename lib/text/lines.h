#pragma once
// Cuts chunks into lines and hands out those that may hold an NCCL record, or tell what became of its process, or go
// on with one; the others are only counted.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "text/line_scan.h"
#include "text/prefix.h"

namespace nccl_analyze {

/// Position after the last newline of `text`; 0 when there is none.
std::size_t line_start(std::string_view text);

/// Whether `text` has no escape, NUL, carriage return, newline or double quote: nothing to strip or to unwrap.
bool is_plain(std::string_view text);

struct LineCounts {
  std::uint64_t lines = 0;      ///< A last line without a newline counts.
  std::uint64_t truncated = 0;  ///< Lines longer than max_line.
};

/// A line of the input.
struct Line {
  std::string_view text;  ///< Without its newline, at most max_line bytes. Valid until the next call of the splitter.
  std::uint64_t number = 0;  ///< From 1.
  /// Where its first marker stands, if it is known to be plain (LineScan::begins_plain); npos where that is not known.
  std::size_t marker = std::string_view::npos;
  Sender* sender = nullptr;  ///< Of a plain line that begins like another of its sender (SenderCache::find_head).
  bool ends_input = false;   ///< It has no newline.

  bool plain() const { return marker != std::string_view::npos; }
};

/// The lines of one source. A chunk is fed, then its lines are taken until there is none; a line that is not finished
/// waits for the next chunk. Keeps at most one line of max_line bytes.
class LineSplitter {
 public:
  /// `senders` must outlive the splitter.
  LineSplitter(std::size_t max_line, SenderCache& senders)
      : max_line_(max_line), senders_(&senders), scan_(line_scans().front()) {}

  /// `chunk` must live until all its lines are taken.
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

  /// The last line ends without a newline.
  void finish() {
    drop_kept();
    finished_ = ends_input_ = open_;
    open_ = false;
  }

  /// The next line if `any`, else the next that holds a sign in its first max_line bytes. False when nothing is left of
  /// the chunk.
  [[gnu::always_inline]] bool next(bool any, Line& line) { return (!any && take_plain(line)) || take_other(any, line); }

  /// Whether the chunk goes on with a plain line, which is not taken.
  bool peek(Line& line) { return find_plain(line); }

  const LineCounts& counts() const { return counts_; }

 private:
  void keep(std::string_view part) {
    kept_size_ += part.size();
    kept_.append(part.substr(0, max_line_ - kept_.size()));
  }

  /// Once the line that was kept is taken.
  void drop_kept() {
    if (open_ || finished_) return;
    kept_.clear();
    if (kept_.capacity() > max_kept_capacity) kept_.shrink_to_fit();
    kept_size_ = 0;
  }

  [[gnu::always_inline]] bool find_plain(Line& line) {
    PlainLine plain;
    line.sender = senders_->find_head(rest_);
    if (line.sender != nullptr) plain.marker = line.sender->size_before() + line.sender->text.size();
    if (finished_ || !scan_->begins_plain(rest_, plain) || plain.size > max_line_) return false;
    line.text = {rest_.data(), plain.size};
    line.marker = plain.marker;
    line.number = counts_.lines + 1;
    return true;
  }

  [[gnu::always_inline]] bool take_plain(Line& line) {
    if (!find_plain(line)) return false;
    ++counts_.lines;
    rest_.remove_prefix(line.text.size() + 1);
    return true;
  }

  bool take_other(bool any, Line& line);
  bool take_kept(bool any, Line& line);
  void count_line(std::size_t size) {
    ++counts_.lines;
    if (size > max_line_) ++counts_.truncated;
  }
  bool has_sign(std::string_view text) const { return static_cast<bool>(scan_->find(signs, text, 0)); }
  /// Counts whole lines that hold no sign.
  void pass_over(std::string_view text);

  static constexpr std::size_t max_kept_capacity = std::size_t{1} << 16;
  std::size_t max_line_;
  SenderCache* senders_;
  const LineScan* scan_;
  LineCounts counts_;
  std::string_view rest_;        ///< Whole lines of the chunk.
  std::string_view tail_;        ///< What follows them.
  std::string kept_;             ///< Head of the line that began in an earlier chunk.
  std::uint64_t kept_size_ = 0;  ///< Its full length so far.
  bool open_ = false;            ///< Its newline has not come.
  bool finished_ = false;        ///< It is whole, and is to be taken next.
  bool ends_input_ = false;
};

}  // namespace nccl_analyze
