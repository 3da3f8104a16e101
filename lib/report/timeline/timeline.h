#pragma once
/// The time line of initialisations and failures, from the timestamps of log lines. Offsets between the clocks of hosts
/// are not corrected.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "nccl_analyze/model.h"
#include "nccl_analyze/rule.h"

namespace nccl_analyze {

/// The initialisation of one rank. Times are microseconds on the clock in Timeline::clock.
struct InitSpan {
  Index process = -1, communicator = -1;
  int rank = -1, device = -1;  ///< `device`: NVML number, or the CUDA number if that is unknown.
  std::int64_t from = 0, to = 0;
  bool open = false;  ///< Whether no line shows its end; `to` is then the end of the time line.
  /// The phases of NCCL's `Init timings` line (2.22.3+) in seconds, in NCCL's order, without phases of length 0. NCCL
  /// logs only the lengths of phases; pictures draw them one after the other from `from` on.
  std::vector<std::pair<std::string_view, double>> phases;
  LineRef at;  ///< The line that shows its end, or its start if no line shows the end.
};

/// An incident at the time of its first line.
struct Mark {
  Index incident = -1;  ///< Index into Model::incidents.
  std::int64_t at = 0;
};

struct Timeline {
  enum class Clock : std::uint8_t {
    none,       ///< No initialisation has a timestamp: every span begins at 0, and there are no marks.
    of_day,     ///< Time since the midnight before the first event; the events lie within a day.
    since_1970  ///< Time since 1970-01-01; time zones are ignored.
  };
  Clock clock = Clock::none;
  bool collected = false;         ///< Whether the timestamps come from the log collector.
  std::vector<InitSpan> spans;    ///< Sorted by communicator and rank.
  std::vector<Mark> marks;        ///< In the order of Model::incidents.
  std::int64_t from = 0, to = 0;  ///< Start and end of all spans and marks.
  /// Numbers of spans and marks that are left out because they have no timestamp, or a timestamp of another clock.
  std::size_t spans_left_out = 0, marks_left_out = 0;
};

/// Builds the time line. Every incident with a time of the chosen clock is a mark. But if `report` is given and shows
/// no failure of the job, only incidents of its errors and warnings and unexplained warnings are marks, because closed
/// connections and similar lines belong to a normal end.
Timeline timeline_of(const Model& model, const Report* report = nullptr);

}  // namespace nccl_analyze
