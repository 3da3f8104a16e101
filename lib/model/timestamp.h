#pragma once
// Timestamps of lines, as NCCL or a log collector prints them.

#include <cstdint>
#include <string_view>

#include "nccl_analyze/model.h"
#include "nccl_analyze/model/line.h"
#include "nccl_analyze/parser.h"

namespace nccl_analyze::builder {

/// A time as printed. Time zones are ignored, therefore only times of the same clock can be compared.
struct Timestamp {
  std::int64_t microseconds = -1;  ///< Since 1970 if `dated`, else since midnight; -1 = unknown.
  bool dated = false;
};

/// Reads `2026-01-31T12:34:56.789Z`, `2026-01-31 12:34:56,789+01:00`, `12:34:56.789` and the like, and the microseconds
/// since 1970 of systemd's journal. A zone is ignored.
Timestamp read_timestamp(std::string_view text);

/// The time of a line: NCCL's own timestamp, or the log collector's if NCCL printed none.
Moment moment_of(const Origin& origin);
/// Whether the model uses the time of the record. A summary drops all other times.
bool is_timed(const Record& record);

/// Seconds from `from` to `to`, which must be of the same clock. Times without a date may cross midnight. Returns -1 if
/// either time is unknown, if `to` is earlier, or if they are half a day or more apart.
double seconds_between(const Timestamp& from, const Timestamp& to);

/// The timestamps of one line: NCCL's own (2.26.2+) and the log collector's.
struct Timestamps {
  Timestamp own, collected;
};
Timestamps timestamps_of(const Origin& origin);

/// Seconds between two lines, by NCCL's own timestamps if both lines have one, else by the collector's.
double seconds_between(const Timestamps& from, const Timestamps& to);

}  // namespace nccl_analyze::builder
