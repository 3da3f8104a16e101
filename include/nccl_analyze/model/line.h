#pragma once
/// The position, origin and damage of log lines, and line counts: the part of the parser's output that the model, the
/// rules and the writers share.

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "nccl_analyze/language.h"

namespace nccl_analyze {

/// The number of an input; callers number their inputs from 0.
enum class SourceId : std::uint32_t {};

/// A line of an input. Lines are numbered from 1; 0 = no line. Packed into one word, because a model holds millions of
/// LineRefs. Numbers beyond the limits, which no real log reaches, are clamped.
struct LineRef {
  static constexpr std::uint64_t max_line = (std::uint64_t{1} << 40U) - 1;
  static constexpr std::uint32_t max_source = (std::uint32_t{1} << 24U) - 1;
  std::uint64_t line : 40 = 0;
  SourceId source : 24 = SourceId{0};

  constexpr LineRef() = default;
  constexpr LineRef(SourceId in, std::uint64_t number)
      : line((number < max_line ? number : max_line) & max_line),
        source(static_cast<SourceId>(
            (static_cast<std::uint32_t>(in) < max_source ? static_cast<std::uint32_t>(in) : max_source) & max_source)) {
  }
  friend bool operator==(const LineRef&, const LineRef&) = default;
  friend auto operator<=>(const LineRef& a, const LineRef& b) {
    return std::pair{a.source, std::uint64_t{a.line}} <=> std::pair{b.source, std::uint64_t{b.line}};
  }
};

/// The level that NCCL prints in a record. `attn` (2.32+): NCCL continues without a feature or resource. `error` (RCCL
/// and NCCLX): the cause of a failure, which later records of level `warn` report again. `diag` (2.31+): a result of
/// NCCL's diagnostics. `external` marks a failure that a framework, a launcher or the kernel reports; such a line is
/// not counted as an NCCL line.
enum class Level : std::uint8_t { version, warn, info, abort, trace, call, diag, attn, error, external };
/// Whether NCCL reports failures at this level.
constexpr bool warns(Level level) { return level == Level::warn || level == Level::error || level == Level::abort; }
/// Whether records of this level need attention: they report a failure, or that NCCL continues without a feature or
/// resource.
constexpr bool is_notable(Level level) { return warns(level) || level == Level::attn; }
std::string_view to_string(Level level);

/// The origin of a line, as the line shows it. The views are valid as long as the views of the Record.
struct Origin {
  std::string_view host;  ///< The host name up to the first dot, as NCCL prints it. Empty: the line has no prefix.
  /// The pid inside the container; processes in different pods may have equal pids. Lines without a pid have a negative
  /// number for each device, which distinguishes the ranks in a pasted log without prefixes.
  std::int64_t pid = -1;
  std::int64_t tid = -1;
  int device = -1;              ///< CUDA ordinal of the calling thread, not the rank.
  std::string_view timestamp;   ///< The timestamp of NCCL (2.26.2+), without brackets and blanks.
  std::string_view location;    ///< `file.cc:123` or a C++ signature with its line; warnings only.
  std::string_view decoration;  ///< Text that the launcher or collector put before the record.
  std::string_view pod;         ///< From kubectl logs --prefix, stern or JSON; the container for docker compose.
  std::string_view container;
  std::string_view time;  ///< The collector's timestamp in a JSON line; see collected_at().
};

/// Returns the timestamp of the launcher or collector, as printed: Origin::time if it is set, else the first time of
/// day in the decoration, with its date if present. Empty if there is neither.
std::string_view collected_at(const Origin& origin);

/// How a record or its line is damaged.
enum class Damage : std::uint8_t {
  none,
  glued,   ///< The record follows another record on the same line.
  joined,  ///< The record was reassembled from several lines.
  cut,     ///< The record ends early: at the end of NCCL's buffer (1023 bytes), of the input or of a pasted excerpt.
  torn,    ///< The record was interrupted by another process; the rest was not found.
};
inline constexpr std::size_t damage_kinds = 5;
std::string_view to_string(Damage damage);

/// A run of lines of a source: in the order of reading, the lines from number `first` up to the next run. Their line
/// numbers in the source are `place`, `place + step`, … The two numbers differ if a log is inside a JSON document,
/// where its lines may be on a single line or far apart, or if a source was read from its end.
struct LineRun {
  std::uint64_t first = 0;  ///< LineRef::line
  std::uint64_t place = 0;  ///< Number of the line in the source, from 1.
  std::int64_t step = 1;    ///< 1, 0 or -1
  friend auto operator<=>(const LineRun&, const LineRun&) = default;
};

/// Maps the numbers of lines in the order of reading to line numbers in the source. Empty if they are equal.
class LinePlaces {
 public:
  static constexpr std::size_t max_runs = std::size_t{1} << 18;
  /// Returns the line number in the source; `number` is the LineRef::line of the line.
  std::uint64_t operator()(std::uint64_t number) const;
  /// Adds a run: the lines from `number` on have the line numbers `place`, `place + step`, … in the source. `number`
  /// must not decrease from call to call. After `max_runs` runs, calls have no effect.
  void add(std::uint64_t number, std::uint64_t place, std::int64_t step);
  /// Returns the composition of two mappings: first `inner`, the mapping of the parser, then `outer`, the mapping of a
  /// caller that passed the lines to the parser in another order.
  static LinePlaces through(const LinePlaces& inner, const LinePlaces& outer);
  const std::vector<LineRun>& runs() const { return runs_; }
  friend auto operator<=>(const LinePlaces&, const LinePlaces&) = default;

 private:
  std::vector<LineRun> runs_;
};

/// Consecutive lines of a source that belong to the output of another tool, as LineRef::line numbers.
struct ToolLines {
  std::uint64_t first = 0, last = 0;
  friend auto operator<=>(const ToolLines&, const ToolLines&) = default;
};

/// Counts of the parsed input. They do not depend on where the bytes were cut into chunks.
struct ParseStats {
  std::uint64_t bytes = 0;
  std::uint64_t lines = 0;         ///< Number of lines; each line of a log inside a JSON document counts.
  std::uint64_t nccl_lines = 0;    ///< Records found; two records on one line count as two.
  std::uint64_t unrecognized = 0;  ///< Records that no row of the message table matches.
  std::uint64_t malformed = 0;     ///< Records without a readable prefix.
  std::uint64_t truncated = 0;     ///< Lines longer than ParserLimits::max_line; only their first bytes were parsed.
  /// 1 if the end of the input is missing: its archive is cut off or damaged, it could not be read to its end, or its
  /// last line is an incomplete record. The absence of a line from such an input proves nothing.
  std::uint64_t ends_early = 0;
  std::array<std::uint64_t, damage_kinds> damaged{};  ///< Number of records, indexed by Damage.
  /// Sources that are newest first, as many log stores print them by default, and that were read in this order.
  /// Conclusions from the order of their lines are wrong.
  std::uint64_t newest_first = 0;
  std::uint64_t reversed = 0;  ///< Sources, or documents in them, that are newest first and were read from their end.
  /// Pickles of PyTorch's flight recorder. Their lines and bytes are those of their content as JSON, in which each
  /// entry has a line of its own.
  std::uint64_t pickles = 0;
  std::uint64_t program_texts = 0;  ///< Sources that begin as a program or a document in Markdown, and not as a log.
  /// The number of the last line with a training step that at least two later steps follow, or with an answer of a
  /// server that two answers follow; nothing before that line stopped the job. 0: the source does not end with them, or
  /// its lines were not read in their order.
  /// operator+= keeps the larger number.
  std::uint64_t trained_at = 0;
  LinePlaces places = {};                 ///< For a single source. operator+= keeps the first that is not empty.
  std::uint64_t document_lines = 0;       ///< Lines that belong to output of other tools (a manifest, a table, JSON).
  std::vector<ToolLines> documents = {};  ///< The last `max_documents` runs of such lines, in order.
  static constexpr std::size_t max_documents = 64;
  friend auto operator<=>(const ParseStats&, const ParseStats&) = default;
  ParseStats& operator+=(const ParseStats& other);
  /// Moves the numbers of all lines: the source is a part of a log, in which so many lines stand before it.
  void move_behind(std::uint64_t lines_before);
  /// The number of lines after `line` in the source, without those of `documents`. If it is not 0, the log continues
  /// after `line`.
  std::uint64_t log_lines_after(std::uint64_t line) const;
  /// Adds lines that belong to the output of another tool. Must be called in the order of the source.
  void note_document(ToolLines run);
  /// Removes line number `line` and all later lines from `documents`, because they belong to the log.
  void drop_documents_from(std::uint64_t line);
  std::uint64_t damage(Damage kind) const { return damaged[static_cast<std::size_t>(kind)]; }
};

/// The time of a line, from the timestamp of NCCL (2.26.2+) or of the collector. The clocks of hosts need not agree.
struct Moment {
  /// Since 1970 if `dated`, else since midnight; time zones are ignored. -1: the line has no timestamp.
  std::int64_t microseconds = -1;
  bool dated = false, collected = false;  ///< `dated`: the timestamp has a date; `collected`: it is the collector's.
};

/// The number of facts of one kind, and the lines of the first `max_lines` facts.
struct Evidence {
  static constexpr std::size_t max_lines = 8;
  std::uint64_t count = 0;
  std::vector<LineRef> lines;
  /// Adds `times` facts, the first one at line `at`.
  void add(LineRef at, std::uint64_t times = 1);
  /// Adds the count and the lines of `other`, without duplicate lines.
  void add(const Evidence& other);
};

}  // namespace nccl_analyze
