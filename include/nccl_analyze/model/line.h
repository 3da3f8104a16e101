#pragma once
/// Where a line stands, who printed it, what is wrong with it and what was counted: what the model, the rules and the
/// writers need of the parser, without the events.

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

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
      : line((number < max_line ? number : max_line) & max_line),
        source(static_cast<SourceId>(
            (static_cast<std::uint32_t>(in) < max_source ? static_cast<std::uint32_t>(in) : max_source) & max_source)) {
  }
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

/// When a line was printed, by the stamp of NCCL (2.26.2+) or of whoever collected it. Clocks of hosts need not agree.
struct Moment {
  /// Since 1970 where `dated`, else since midnight; the zone of a stamp is not read. -1: the line has no time.
  std::int64_t microseconds = -1;
  bool dated = false, collected = false;
};

/// How many facts of one kind there are, and where the first of them stand (at most `max_lines`).
struct Evidence {
  static constexpr std::size_t max_lines = 8;
  std::uint64_t count = 0;
  std::vector<LineRef> lines;
  void add(LineRef at, std::uint64_t times = 1);
  void add(const Evidence& other);
};

}  // namespace nccl_analyze
