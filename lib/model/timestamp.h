#pragma once
// Timestamps of lines, as NCCL or a log collector prints them.

#include <cstdint>
#include <string_view>

#include "nccl_analyze/model.h"
#include "nccl_analyze/model/line.h"
#include "nccl_analyze/parser.h"
#include "text/timestamp.h"

namespace nccl_analyze::builder {

/// Returns the time of a line: NCCL's own timestamp, or the log collector's if NCCL printed none.
Moment moment_of(const Origin& origin);
/// Returns the time of a line in microseconds since 1970 in UTC; -1 if no timestamp of the line has both a date and a
/// time zone.
std::int64_t utc_of(const Origin& origin);
/// Whether the model uses the time of the record. A summary drops all other times.
bool is_timed(const Record& record);

/// Returns the seconds from `from` to `to`, which must be of the same clock. Times without a date may cross midnight.
/// Returns -1 if either time is unknown, if only one has a date, if `to` is earlier, or if they are half a day or more
/// apart.
double seconds_between(const Timestamp& from, const Timestamp& to);

/// The timestamps of one line: NCCL's own (2.26.2+) and the log collector's.
struct Timestamps {
  Timestamp own, collected;
};
Timestamps timestamps_of(const Origin& origin);

/// Returns the seconds between two lines by NCCL's own timestamps, or by the collector's if that result is -1.
double seconds_between(const Timestamps& from, const Timestamps& to);

}  // namespace nccl_analyze::builder
