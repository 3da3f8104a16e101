#pragma once
/// The place, origin, damage and counts of log lines: the part of the parser's output that the model, the rules and the
/// writers need without the events.

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace nccl_analyze {

/// The number of the input that a line came from; callers number their inputs from 0.
enum class SourceId : std::uint32_t {};

/// A line of an input. Lines count from 1; 0 = no line. Packed into one word, because a model holds millions of them;
/// numbers beyond the limits are clamped, which no readable log reaches.
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

/// The level as NCCL prints it. `external`: a framework, a launcher or the kernel reports a failure; such a line is not
/// counted as an NCCL line.
enum class Level : std::uint8_t { version, warn, info, abort, trace, call, diag, external };
std::string_view to_string(Level level);

/// The origin of a line, as far as the line shows it. Views live as long as the Record.
struct Origin {
  std::string_view host;  ///< NCCL cuts it at the first dot. Empty: the line has no prefix.
  /// The pid inside the container, so that pods may have equal pids. Negative for lines without a pid: lines of one
  /// device share one negative number, which keeps the ranks of a pasted log without prefixes apart.
  std::int64_t pid = -1;
  std::int64_t tid = -1;
  int device = -1;              ///< CUDA ordinal of the calling thread, not the rank.
  std::string_view timestamp;   ///< The timestamp of NCCL (2.26.2+), without brackets and blanks.
  std::string_view location;    ///< `file.cc:123` or a C++ signature with its line; warnings only.
  std::string_view decoration;  ///< Text that the launcher or collector put before the record.
  std::string_view pod;         ///< From `[pod/NAME/CONTAINER]` (kubectl logs --prefix) or JSON.
  std::string_view container;
  std::string_view time;  ///< The collector's time in a JSON line; see collected_at().
};

/// When the launcher or collector saw the line, as printed: the first time of day in the wrapper, with its date if
/// there is one. Empty if the wrapper has none.
std::string_view collected_at(const Origin& origin);

/// The damage of a record or its line.
enum class Damage : std::uint8_t {
  none,
  glued,   ///< Follows another record on the same line.
  joined,  ///< Reassembled from several lines.
  cut,     ///< Ends early: NCCL's buffer (1023 bytes), the input or a pasted excerpt ends here.
  torn,    ///< Interrupted by another process; the rest was not found.
};
inline constexpr std::size_t damage_kinds = 5;
std::string_view to_string(Damage damage);

/// Counts of what was read, exact however the bytes are cut into chunks.
struct ParseStats {
  std::uint64_t bytes = 0;
  std::uint64_t lines = 0;
  std::uint64_t nccl_lines = 0;    ///< Records found; two records on one line count as two.
  std::uint64_t unrecognized = 0;  ///< Records that no row of the message table matches.
  std::uint64_t malformed = 0;     ///< Records without a readable prefix.
  std::uint64_t truncated = 0;     ///< Lines longer than ParserLimits::max_line, of which only the head was read.
  std::array<std::uint64_t, damage_kinds> damaged{};  ///< Number of records, indexed by Damage.
  friend auto operator<=>(const ParseStats&, const ParseStats&) = default;
  ParseStats& operator+=(const ParseStats& other);
  std::uint64_t damage(Damage kind) const { return damaged[static_cast<std::size_t>(kind)]; }
};

/// When a line was printed, by the timestamp of NCCL (2.26.2+) or of the collector. The clocks of hosts need not agree.
struct Moment {
  /// Since 1970 if `dated`, else since midnight; time zones are not read. -1: the line has no timestamp.
  std::int64_t microseconds = -1;
  bool dated = false, collected = false;
};

/// How many facts of one kind there are, and the lines of the first `max_lines` facts.
struct Evidence {
  static constexpr std::size_t max_lines = 8;
  std::uint64_t count = 0;
  std::vector<LineRef> lines;
  /// Counts `times` facts, the first of which is at line `at`.
  void add(LineRef at, std::uint64_t times = 1);
  /// Adds the count and the lines of `other`, each line once.
  void add(const Evidence& other);
};

}  // namespace nccl_analyze
