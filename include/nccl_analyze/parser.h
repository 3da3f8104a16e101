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
  /// `cut` and `torn` records have the event Damaged, unless only the end of a list is lost.
  Damage damage = Damage::none;
  Origin origin;
  /// Equal nonzero numbers within one source imply equal host, pid, tid and device, so that one comparison replaces
  /// four. 0: unknown.
  std::uint64_t sender = 0;
  std::string_view message;  ///< The text after `NCCL INFO `, without trailing blanks.
  std::string_view text;     ///< The record from its prefix on, as reports quote it.
  /// The message with its missing end or blank restored, when the event could only be read from that; else empty.
  std::string_view completed;
  /// How many records of the log this record represents: 1 from a Parser, more from a Summary.
  std::uint64_t times = 1;
  Event event;
};

/// The memory that a Parser may use.
struct ParserLimits {
  std::size_t max_line = std::size_t{1} << 20;  ///< Bytes of one line that are parsed; the rest is skipped.
  /// Caches recent prefixes and messages. Without the caches parsing takes longer and Record::sender may differ;
  /// everything else is equal.
  bool caches = true;
};

/// Turns the bytes of one source into records. The records do not depend on where the bytes are cut into chunks. A
/// record that another process interrupted, or that a terminal wrapped, is reassembled when its pieces fit exactly one
/// wording; the sink receives it with the last piece. UTF-16 is read as UTF-8. Memory: one line of at most `max_line`
/// bytes, and a few megabytes of caches. Different parsers may run on different threads.
class Parser {
 public:
  using Sink = std::function<void(const Record&)>;

  /// `sink` receives each record during feed() or finish(); `source` becomes part of Record::at.
  Parser(SourceId source, Sink sink, ParserLimits limits = {});
  Parser(Parser&&) noexcept;
  Parser& operator=(Parser&&) noexcept;
  ~Parser();

  /// Parses bytes that may be cut anywhere; an unfinished last line waits for the next call.
  void feed(std::string_view chunk);

  /// Ends the source: parses a last line without a newline, if there is one. Bytes fed afterwards start a new line.
  void finish();

  const ParseStats& stats() const noexcept;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace nccl_analyze
