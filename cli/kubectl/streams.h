#pragma once
/// Log streams: one for each container. Their lines come through several calls of kubectl, which may break off and be
/// repeated; each line is passed on once.

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace nccl_analyze::kubectl {

struct StreamName {
  std::string name_space, pod, container;
  bool previous = false;  ///< Whether this is the log from before the last restart.
  friend auto operator<=>(const StreamName&, const StreamName&) = default;
};

/// How far a stream has been read.
struct Stream {
  std::string last;            ///< The time stamp of the last line, as printed; empty: no line so far.
  std::uint64_t times = 0;     ///< Number of lines with this time stamp.
  std::uint64_t lines = 0;     ///< Number of all lines.
  std::uint64_t repeated = 0;  ///< Number of lines with the time stamp `last` that the current call has repeated.
  bool repeating = false;      ///< Whether the current call repeats lines that were passed on.
  bool gap = false;            ///< Whether lines are missing, because the log was rotated meanwhile.
  std::string doubted;         ///< The time stamp of a line that looked broken; see LogsOutputParser.
};

class Streams {
 public:
  /// Receives a line with its prefix and its newline. A very long line comes in several parts.
  using Sink = std::function<void(const StreamName&, std::string_view line)>;
  explicit Streams(Sink sink) : sink_(std::move(sink)) {}

  /// Begins a call that reads the stream, for the first time or again.
  void begin(const StreamName& name);
  /// Passes a line of a call on, unless it repeats an earlier one. `line` has its prefix: `[pod/a/b] TIME message`.
  /// `time` is its time stamp; empty if it has none.
  void add(const StreamName& name, std::string_view line, std::string_view time);
  /// Passes on a further part of a line that is too long to be kept in memory.
  void add_rest(const StreamName& name, std::string_view part) { sink_(name, part); }

  /// Whether to hold back a line that looks like an error of kubectl. The second line with the same time stamp is not
  /// held back, because then a program has printed it.
  bool doubt(const StreamName& name, std::string_view time);
  /// Whether a line with this time stamp may come after the last line of the stream.
  bool may_follow(const StreamName& name, std::string_view time) const;
  const Stream* find(const StreamName& name) const;
  const std::map<StreamName, Stream>& all() const { return streams_; }

 private:
  Sink sink_;
  std::map<StreamName, Stream> streams_;
};

/// Returns the time stamp at the start of `text`; empty if there is none. `kubectl logs --timestamps` prints one before
/// each line.
std::string_view leading_time(std::string_view text);

/// Returns the time two seconds before `time`, for --since-time; empty if `time` is not in the format of RFC 3339. Two
/// seconds, because --since-time counts in whole seconds, and lines of standard output and standard error may be
/// slightly out of order.
std::string shortly_before(std::string_view time);

}  // namespace nccl_analyze::kubectl
