#pragma once
/// The push parser, which turns the bytes of a log into typed records.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>

#include "nccl_analyze/event.h"
#include "nccl_analyze/model/line.h"

namespace nccl_analyze {

/// One NCCL record. All its views, including the views in the event, are valid only while the sink runs.
struct Record {
  LineRef at;
  Level level = Level::info;
  /// If the record is `cut` or `torn`, its event is Damaged, except when only the end of a list is missing.
  Damage damage = Damage::none;
  Origin origin;
  /// A number for quick comparison: within a source, records with equal numbers have equal host, pid, tid and device.
  /// The converse does not hold. 0: unknown.
  std::uint64_t sender = 0;
  std::string_view message;  ///< The text after `NCCL INFO `, without trailing blanks.
  /// The text that reports quote: the record, unchanged, from the start of its prefix. If the record was reassembled
  /// from several lines, ` ... ` separates its pieces. `…` marks an end at which the rest of a line is left out.
  std::string_view text;
  /// The message with its missing end or blank restored, if the event could be parsed only from this text; else empty.
  std::string_view completed;
  /// How many records of the log this record represents: 1 from a Parser, more from a Summary.
  std::uint64_t times = 1;
  /// Whether the event is a fact from the output of another tool. `text` then shows the values of the event, which
  /// cannot be parsed from it.
  bool is_fact = false;
  Event event;
};

/// Limits of a Parser's memory.
struct ParserLimits {
  std::size_t max_line = std::size_t{1} << 20;  ///< Bytes of one line that are parsed; the rest is skipped.
  /// Whether the parser caches recent prefixes and messages. Without the caches, parsing is slower and Record::sender
  /// may differ; the records are otherwise equal.
  bool caches = true;
};

/// Turns the bytes of one source into records. The records do not depend on where the bytes are cut into chunks. A
/// record that was interrupted by another process or wrapped by a terminal is reassembled if its pieces clearly belong
/// together; the sink receives the record when its last piece is parsed. UTF-16 is decoded. Memory: one line of at most
/// `max_line` bytes, a few megabytes of caches, and up to 64 MiB of a JSON document that must be read as a whole or is
/// newest first. Different parsers may run on different threads.
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
  /// Returns, after finish(), the tool whose JSON the source begins with, if that JSON could not be read because it is
  /// damaged or beyond a limit (64 MiB, 4 million values). Empty in other cases, and if any output of a tool was read.
  std::string_view unread_tool() const noexcept;

  struct Impl;
  Impl& impl() { return *impl_; }  ///< For the library itself.
  const Impl& impl() const { return *impl_; }

 private:
  std::unique_ptr<Impl> impl_;
};

}  // namespace nccl_analyze
