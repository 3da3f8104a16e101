#pragma once
// Redacts lines whose parts were all seen before, except for numbers and times: nearly all lines of a log.

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "redact/free_text.h"
#include "redact/text_memo.h"
#include "text/line_scan.h"
#include "text/prefix.h"

namespace nccl_analyze::redact {

/// Caches how the full redaction changed the parts of earlier lines, and changes equal parts in the same way. The
/// result for a part depends only on the text of the part, and has the same length.
class PlainLines {
 public:
  /// `keeps_times`: whether times stay, because no name looks like a time.
  explicit PlainLines(bool keeps_times) : keeps_times_(keeps_times) {}

  /// Appends the redacted form of the line of `size` bytes at the start of `text`. After the line, `text` continues
  /// with the newline and the next bytes. `is_own`: whether the message has only NCCL's own words and numbers, and
  /// stays. Returns false, and appends nothing, if a part of the line is new.
  bool append(std::string_view text, std::size_t size, bool is_own, std::string& out);
  /// Notes the redacted form `made` of the line for which append() has just returned false. It must depend only on the
  /// text of the line. `is_known`: whether the message of the line has a known wording.
  void learn(std::string_view line, std::string_view made, bool is_known);

 private:
  /// The parts of a plain line: decoration with time, prefix, and the message with what follows it.
  struct Parts {
    std::string_view decoration, prefix, message;
    std::size_t end = 0;        ///< Where the message ends in `message`; 0 if a location precedes it.
    bool is_plain = false;      ///< The line is plain and has these parts.
    bool is_decorated = false;  ///< A decoration stands before the prefix.
  };
  /// The redacted decoration and prefix of a sender. `sender`: its number from SenderCache.
  struct Head {
    std::uint64_t sender = 0;
    std::string decoration = {}, redacted_decoration = {}, redacted_prefix = {};
  };
  Head* head_of_line();
  Parts split(std::string_view text, std::size_t size);
  /// Whether nothing but blanks follows the message in its line.
  bool is_all_message() const;
  /// Looks up the message, or the free text in it, among those that were learned. Returns false if it is new.
  bool is_message_known();
  /// Appends a plain line, or returns false if its sender or a part of its message is new.
  bool append_plain(std::string_view line, bool is_own, std::string& out);
  /// Appends a line that is not plain as a whole, or returns false if it is new.
  bool append_other(std::string_view line, std::string& out);
  void learn_plain(std::string_view line, std::string_view made);
  /// Replaces the parts of the message that stands at `begin` in `out`.
  void overwrite_message(std::string& out, std::size_t begin);

  bool keeps_times_;
  const LineScan* scan_ = line_scans().front();
  SenderCache senders_;
  RecordView view_;
  Origin origin_;
  FreeTextFinder finder_;
  FreeText free_text_;
  Parts parts_;
  std::optional<std::string_view> whole_;  ///< The redacted form of the whole message, if it was learned.
  std::array<std::string_view, max_captures> redacted_parts_{};  ///< The redacted parts of `free_text_`.
  bool is_new_ = false;      ///< Some part of `free_text_` was not learned, but is harmless.
  std::vector<Head> heads_;  ///< The index is computed from the number of the sender and the level.
  TextMemo texts_;           ///< Free text of messages, by the hole in which it stands.
  TextMemo messages_;        ///< Whole messages, by whether a decoration stands before them.
  TextMemo lines_;           ///< Other lines without their time, by the position of the time.
  std::string scratch_, redacted_line_;
};

}  // namespace nccl_analyze::redact
