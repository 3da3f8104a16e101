#pragma once
// Reads the times that NCCL, collectors and journals print.

#include <cstdint>
#include <string_view>

namespace nccl_analyze {

/// A time as printed. Its time zone is not applied, so only times of the same clock can be compared.
struct Timestamp {
  static constexpr int no_zone = 10'000;
  std::int64_t microseconds = -1;  ///< Since 1970 if `dated`, else since midnight; -1 = unknown.
  bool dated = false;
  int zone = no_zone;  ///< The time zone in minutes east of UTC; no_zone if none is printed.
};

/// Reads `2026-01-31T12:34:56.789Z`, `2026-01-31 12:34:56,789+01:00`, `12:34:56.789` and similar forms, and the
/// microseconds since 1970 of systemd's journal. Unknown if `text` does not begin with a time.
Timestamp read_timestamp(std::string_view text);

/// Returns the number of days from 1970-01-01 to a date of the Gregorian calendar; -1 if the year is before 1970, or
/// the calendar has no such month or day.
int days_of(int year, int month, int day_of_month);

}  // namespace nccl_analyze
