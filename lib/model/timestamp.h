#pragma once
// Timestamps that stand before a line.

#include <cstdint>
#include <string_view>

#include "nccl_analyze/line.h"
#include "nccl_analyze/model.h"
#include "nccl_analyze/parser.h"

namespace nccl_analyze::builder {

/// A time as a timestamp tells it. Only times of one clock can be compared: nothing is known of zones.
struct Timestamp {
  std::int64_t microseconds = -1;  ///< Since 1970 when `dated`, else since midnight; -1 = none that can be read.
  bool dated = false;
};

/// Of `2026-01-31T12:34:56.789Z`, `2026-01-31 12:34:56,789+01:00`, `12:34:56.789` and the like. A zone is passed over.
Timestamp read_timestamp(std::string_view text);

/// NCCL's own timestamp of a line, else the collector's.
Moment moment_of(const Origin& origin);
/// Whether a model asks when the line was printed; a summary keeps its time then.
bool is_timed(const Record& record);

/// Seconds from one timestamp to a later one of the same clock. Without dates a later time of day may be of the next
/// day; -1 when either is not known, the order is wrong, or half a day or more lies between.
double seconds_between(const Timestamp& from, const Timestamp& to);

/// Those of one line: NCCL's own (2.26.2+), and that of whoever collected it.
struct Timestamps {
  Timestamp own, collected;
};
Timestamps timestamps_of(const Origin& origin);

/// By their own timestamps when both have one, else by the collector's.
double seconds_between(const Timestamps& from, const Timestamps& to);

}  // namespace nccl_analyze::builder
