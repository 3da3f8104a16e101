#pragma once
// Timestamps that stand before a line.

#include <cstdint>
#include <string_view>

#include "nccl_analyze/model.h"
#include "nccl_analyze/model/line.h"
#include "nccl_analyze/parser.h"

namespace nccl_analyze::builder {

/// A time as printed. Only times of one clock can be compared, because zones are not read.
struct Timestamp {
  std::int64_t microseconds = -1;  ///< Since 1970 when `dated`, else since midnight; -1 = none that can be read.
  bool dated = false;
};

/// Reads `2026-01-31T12:34:56.789Z`, `2026-01-31 12:34:56,789+01:00`, `12:34:56.789` and the like. A zone is ignored.
Timestamp read_timestamp(std::string_view text);

/// NCCL's own timestamp of a line, else the collector's.
Moment moment_of(const Origin& origin);
/// Whether the model uses the time of the line; only then a summary keeps it.
bool is_timed(const Record& record);

/// Seconds from one timestamp to a later one of the same clock. Without dates a later time of day may be of the next
/// day; -1 when either is not known, the order is wrong, or half a day or more lies between.
double seconds_between(const Timestamp& from, const Timestamp& to);

/// The timestamps of one line: NCCL's own (2.26.2+), and that of the log collector.
struct Timestamps {
  Timestamp own, collected;
};
Timestamps timestamps_of(const Origin& origin);

/// Uses NCCL's own timestamps when both lines have one, else the collector's.
double seconds_between(const Timestamps& from, const Timestamps& to);

}  // namespace nccl_analyze::builder
