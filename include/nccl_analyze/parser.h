#pragma once
/// The push parser: bytes of a log in, typed records out.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>

#include "nccl_analyze/event.h"
#include "nccl_analyze/model/line.h"

namespace nccl_analyze {

/// One NCCL record. Every view in it, those of the event included, is valid only while the sink runs.
struct Record {
  LineRef at;
  Level level = Level::info;
  Damage damage = Damage::none;  ///< The event of a cut or torn record is Damaged, unless its list could be shortened.
  Origin origin;
  /// Records of one source that have the same number, not 0, have host, pid, tid and device in common: to compare it
  /// saves comparing those. 0 tells nothing.
  std::uint64_t sender = 0;
  std::string_view message;  ///< The text after `NCCL INFO `, without trailing blanks.
  std::string_view text;     ///< From the prefix on: what a report quotes.
  /// What the event was read from where the message is cut or lacks a blank: the message with what it lacks. Else
  /// empty.
  std::string_view completed;
  std::uint64_t times = 1;  ///< How many records it stands for: 1 from a Parser, more from a Summary.
  Event event;
};

struct ParserLimits {
  std::size_t max_line = std::size_t{1} << 20;  ///< Bytes of one line that are looked at; the rest is skipped.
  /// Whether prefixes and messages that were read lately are kept. Without them the records are the same but for
  /// Record::sender, and it takes longer.
  bool caches = true;
};

/// Turns the bytes of one source into records. Cutting the bytes elsewhere never changes the records.
/// A record that another process tore, or that a terminal wrapped, is put together again where the pieces fit one
/// wording and no other; it comes out when its last piece does. UTF-16 is read as UTF-8.
/// Memory: one line of at most `max_line` bytes, and a few megabytes of what was read lately. Distinct parsers may
/// run on distinct threads.
class Parser {
 public:
  using Sink = std::function<void(const Record&)>;

  Parser(SourceId source, Sink sink, ParserLimits limits = {});
  Parser(Parser&&) noexcept;
  Parser& operator=(Parser&&) noexcept;
  ~Parser();

  /// Consumes bytes cut anywhere; an unfinished last line waits for the next call.
  void feed(std::string_view chunk);

  /// Ends the source: parses the line left without a newline, if any. Feeding again starts a new line.
  void finish();

  const ParseStats& stats() const noexcept;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace nccl_analyze
