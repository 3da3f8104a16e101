#pragma once
/// When ranks initialised and when something failed, as far as lines have times. Clocks of hosts are taken as they are.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "nccl_analyze/model.h"

namespace nccl_analyze {

/// The initialisation of a rank. Microseconds, as Timeline::clock counts them.
struct InitSpan {
  Index process = -1, communicator = -1;
  int rank = -1, device = -1;  ///< The device as NVML numbers it, else CUDA.
  std::int64_t from = 0, to = 0;
  bool open = false;  ///< No line says that it ended: `to` is the last time of all.
  /// The phases that `Init timings` (2.21.5+) measures, in NCCL's order, those of no length left out: seconds. Where
  /// in the span each lies is not told; they come one after the other, but for what NCCL does in between.
  std::vector<std::pair<std::string_view, double>> phases;
  LineRef at;  ///< The line that ended it, else that began it.
};

/// What went wrong, when it was said first.
struct Mark {
  Index incident = -1;  ///< Into Model::incidents.
  std::int64_t at = 0;
};

struct Timeline {
  enum class Clock : std::uint8_t {
    none,       ///< No initialisation has a time: every span begins at 0, and there is no mark.
    of_day,     ///< Since the midnight before the first; a day at most.
    since_1970  ///< Zones aside.
  };
  Clock clock = Clock::none;
  bool collected = false;         ///< By the clock of whoever collected the lines, not of the hosts.
  std::vector<InitSpan> spans;    ///< By communicator, rank.
  std::vector<Mark> marks;        ///< In the order of Model::incidents.
  std::int64_t from = 0, to = 0;  ///< Of all spans and marks.
  /// Those without a time, or with one of another clock.
  std::size_t spans_left_out = 0, marks_left_out = 0;
};

Timeline timeline_of(const Model& model);

}  // namespace nccl_analyze
