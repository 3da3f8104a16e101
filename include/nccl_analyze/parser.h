#pragma once
/// The push parser: bytes of a log in, typed records out.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>
#include <utility>

#include "nccl_analyze/event.h"

namespace nccl_analyze {

/// Which input a line came from; the caller numbers its inputs from 0.
enum class SourceId : std::uint32_t {};

/// A line of an input. Lines count from 1; 0 means "no line". In one word, because a model has millions of them:
/// numbers beyond its room stop at the highest, which no log that could be read comes near.
struct LineRef {
  static constexpr std::uint64_t max_line = (std::uint64_t{1} << 40U) - 1;
  static constexpr std::uint32_t max_source = (std::uint32_t{1} << 24U) - 1;
  std::uint64_t line : 40 = 0;
  SourceId source : 24 = SourceId{0};

  constexpr LineRef() = default;
  constexpr LineRef(SourceId in, std::uint64_t number)
      : line(std::min(number, max_line) & max_line),
        source(static_cast<SourceId>(std::min(static_cast<std::uint32_t>(in), max_source) & max_source)) {}
  friend bool operator==(const LineRef&, const LineRef&) = default;
  friend auto operator<=>(const LineRef& a, const LineRef& b) {
    return std::pair{a.source, std::uint64_t{a.line}} <=> std::pair{b.source, std::uint64_t{b.line}};
  }
};

/// As NCCL prints it. `outside`: the line is not NCCL's, nor counted as one: a framework that quotes NCCL, a launcher
/// or the kernel tells what went wrong.
enum class Level : std::uint8_t { version, warn, info, abort, trace, call, diag, outside };
std::string_view to_string(Level level);

/// Who printed a line, as far as the line tells. Views live as long as the Record.
struct Origin {
  std::string_view host;  ///< Cut by NCCL at the first dot; empty when the line has no prefix.
  /// In the container's own numbering: pids repeat between pods. Negative when the line does not say; one number then
  /// stands for the lines of one device, so that the ranks of a post without prefixes stay apart.
  std::int64_t pid = -1;
  std::int64_t tid = -1;
  int device = -1;             ///< CUDA ordinal of the calling thread, not the rank.
  std::string_view timestamp;  ///< NCCL's own (2.26.2+), without its brackets and blanks.
  std::string_view location;   ///< `file.cc:123` or a C++ signature with its line; warnings only.
  std::string_view wrapper;    ///< What the launcher or collector put before the record.
  std::string_view pod;        ///< From `[pod/NAME/CONTAINER]` (kubectl logs --prefix) or a member of a JSON line.
  std::string_view container;
  std::string_view time;  ///< Of a JSON line's collector; see collected_at().
};

/// When the launcher or collector saw the line, as it printed it: the first time of day in the wrapper, with its date
/// when there is one. Empty when the wrapper has none.
std::string_view collected_at(const Origin& origin);

/// What is wrong with the line of a record, or with the record.
enum class Damage : std::uint8_t {
  none,
  glued,   ///< Stands behind another record on one line.
  joined,  ///< Put together again from several lines.
  cut,     ///< Ends early: in NCCL's buffer (1023 bytes), at the end of the input, in a poster's selection.
  torn,    ///< Another process wrote into it; its rest was not found.
};
inline constexpr std::size_t damage_kinds = 5;
std::string_view to_string(Damage damage);

/// One NCCL record. Every view in it, those of the event included, is valid only while the sink runs.
struct Record {
  LineRef at;
  Level level = Level::info;
  Damage damage = Damage::none;  ///< The event of a cut or torn record is Damaged, unless its list could be shortened.
  Origin origin;
  /// Records of one source that have the same number, not 0, have host, pid, tid and device in common: to compare it
  /// saves comparing those. 0 tells nothing.
  std::uint64_t speaker = 0;
  std::string_view message;  ///< The text after `NCCL INFO `, without trailing blanks.
  std::string_view text;     ///< From the prefix on: what a report quotes.
  std::uint64_t times = 1;   ///< How many records it stands for: 1 from a Parser, more from a Summary.
  Event event;
};

/// What was read. All counts are exact, whatever the chunks.
struct ParseStats {
  std::uint64_t bytes = 0;
  std::uint64_t lines = 0;
  std::uint64_t nccl_lines = 0;    ///< Records found, two on one physical line counted as two.
  std::uint64_t unrecognized = 0;  ///< Records that no row of the table matches.
  std::uint64_t malformed = 0;     ///< Records without a readable prefix.
  std::uint64_t truncated = 0;     ///< Lines longer than ParserLimits::max_line: only the head was read.
  std::array<std::uint64_t, damage_kinds> damaged{};  ///< Records by Damage.
  friend auto operator<=>(const ParseStats&, const ParseStats&) = default;
  ParseStats& operator+=(const ParseStats& other);
  std::uint64_t damage(Damage kind) const { return damaged[static_cast<std::size_t>(kind)]; }
};

struct ParserLimits {
  std::size_t max_line = std::size_t{1} << 20;  ///< Bytes of one line that are looked at; the rest is skipped.
};

/// What a parser has learned of the processes that speak.
struct ParserKnowledge;
struct ParsedPart;

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

  /// All records from now on are of this source, as if the parser had been made for it.
  void move_to(SourceId source) noexcept;

  /// What PartParser needs for later parts of the input. Null where no part can begin: inside a line, while a record
  /// waits for its rest, in UTF-16 or between the lines of a terminal that wraps.
  std::shared_ptr<const ParserKnowledge> knowledge() const;

  /// Goes on behind the next part of the input as if it had been fed. False where its records may not be those that
  /// this parser would give: then nothing has changed, and it has to be fed.
  bool pass(const ParsedPart& part);

 private:
  friend class PartParser;
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace nccl_analyze
