#pragma once
// Redacts the lines of which everything was seen before, but for numbers and times: nearly all lines of a log.

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "redact/own_text.h"
#include "redact/text_memo.h"
#include "text/line_scan.h"
#include "text/prefix.h"

namespace nccl_analyze::redact {

/// Learns from lines that were redacted by the whole way. Each part of these lines is as long as before, and what
/// becomes of it depends on its own text, so that an equal part of another line becomes the same.
class PlainLines {
 public:
  /// `keeps_times`: whether no name is written as times are, so that times stay.
  explicit PlainLines(bool keeps_times) : keeps_times_(keeps_times) {}

  /// Appends the line of `size` bytes at the start of `text` as it is redacted. `text` goes on with the newline and the
  /// bytes behind it. Returns false, and appends nothing, if a part of the line is new.
  bool append(std::string_view text, std::size_t size, std::string& out);
  /// Notes what became of the line that append() refused, of which nothing but its own text decides what becomes of it.
  /// `is_known`: whether its message has a known wording.
  void learn(std::string_view line, std::string_view made, bool is_known);

 private:
  /// The parts of a plain line: decoration, time, prefix, and the message with what is behind it.
  struct Parts {
    std::string_view decoration, prefix, message;
    std::size_t end = 0;        ///< Of the message without what is behind it.
    bool is_plain = false;      ///< Whether the line has these parts.
    bool is_decorated = false;  ///< Whether the line is decorated.
  };
  /// What becomes of the decoration and the prefix of a sender, which has a number of its own (SenderCache).
  struct Head {
    std::uint64_t sender = 0;
    std::string decoration = {}, made_decoration = {}, made_prefix = {};
  };
  Head* head_of_line();
  Parts split(std::string_view text, std::size_t size);
  /// Finds the message, or the free text of it, among those that were learned. Returns false if what becomes of it is
  /// not known.
  bool is_message_known();
  bool append_plain(std::string& out);
  /// The same for a line that is not plain, as a whole.
  bool append_other(std::string_view line, std::string& out);
  void learn_plain(std::string_view line, std::string_view made);
  void append_message(std::string& out) const;

  bool keeps_times_;
  const LineScan* scan_ = line_scans().front();
  SenderCache senders_;
  RecordView view_;
  Origin origin_;
  OwnTextFinder finder_;
  OwnText own_;
  Parts parts_;
  std::optional<std::string_view> whole_;              ///< What becomes of the whole message, if that was noted.
  std::array<std::string_view, max_captures> made_{};  ///< What becomes of the parts of `own_`.
  std::vector<Head> heads_;  ///< By the number of the sender and the level, which the prefix ends with.
  TextMemo texts_;           ///< Free text of messages.
  TextMemo messages_;        ///< By whether a decoration stands before them.
  TextMemo lines_;           ///< Lines without their time; by where it stood.
  std::string scratch_, made_line_;
};

}  // namespace nccl_analyze::redact
