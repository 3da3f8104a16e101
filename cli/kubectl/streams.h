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
  bool previous = false;  ///< From before the last restart of the container.
  friend auto operator<=>(const StreamName&, const StreamName&) = default;
};

/// How far a stream has been read.
struct Stream {
  std::string last;            ///< The time stamp of the last line, as printed; empty: no line so far.
  std::uint64_t times = 0;     ///< Number of lines with this time stamp.
  std::uint64_t lines = 0;     ///< Number of all lines.
  std::uint64_t repeated = 0;  ///< While lines are repeated: number of those with the time stamp `last`.
  bool repeating = false;      ///< A call has begun to read the stream again.
  bool gap = false;            ///< Lines are missing, because the log was rotated while it was read again.
  std::string doubted;         ///< The time stamp of a line that looked broken; see Transcript.
};

class Streams {
 public:
  /// Takes a line, with its prefix and a newline. A very long line comes in several parts.
  using Sink = std::function<void(const StreamName&, std::string_view line)>;
  explicit Streams(Sink sink) : sink_(std::move(sink)) {}

  /// Begins to read the stream, perhaps again.
  void begin(const StreamName& name);
  /// Takes a line of a call of kubectl, without its prefix's end at `message`: `[pod/a/b] TIME message`. `time` is its
  /// time stamp, empty if it has none.
  void add(const StreamName& name, std::string_view line, std::string_view time);
  /// Passes on a part of a line that is too long to be kept, and whose beginning was passed on.
  void add_rest(const StreamName& name, std::string_view part) { sink_(name, part); }

  /// Whether the line with this time stamp, or without one, is doubted for the first time.
  bool doubt(const StreamName& name, std::string_view time);
  /// Whether a line with this time stamp may come behind the last one of the stream.
  bool may_follow(const StreamName& name, std::string_view time) const;
  const Stream* find(const StreamName& name) const;
  const std::map<StreamName, Stream>& all() const { return streams_; }

 private:
  Sink sink_;
  std::map<StreamName, Stream> streams_;
};

/// The time stamp in front of a line of `kubectl logs --timestamps`; empty if there is none.
std::string_view leading_time(std::string_view text);

/// A time of RFC 3339 two seconds before `time`, for --since-time, which counts in whole seconds; empty if `time` is
/// none. Lines of standard output and standard error may be a little out of order.
std::string shortly_before(std::string_view time);

}  // namespace nccl_analyze::kubectl
