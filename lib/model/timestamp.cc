#include "model/timestamp.h"

#include "text/line_time.h"

namespace nccl_analyze::builder {

namespace {

constexpr std::int64_t second = 1'000'000;
constexpr std::int64_t day = std::int64_t{24} * 3600 * second;

}  // namespace

Moment moment_of(const Origin& origin) {
  const Timestamps timestamps = timestamps_of(origin);
  const bool own = timestamps.own.microseconds >= 0;
  const Timestamp& timestamp = own ? timestamps.own : timestamps.collected;
  return {timestamp.microseconds, timestamp.dated, !own && timestamp.microseconds >= 0};
}

std::int64_t utc_of(const Origin& origin) {
  for (const Timestamp& one : {read_timestamp(origin.timestamp), time_of_field(collected_at(origin))})
    if (one.microseconds >= 0 && one.dated && one.zone != Timestamp::no_zone)
      return one.microseconds - one.zone * (60 * second);
  return -1;
}

bool is_timed(const Record& record) {
  return is_notable(record.level) || record.level == Level::external ||
         std::holds_alternative<NetworkChosen>(record.event) || std::holds_alternative<CommInitStarted>(record.event) ||
         std::holds_alternative<CommInitCompleted>(record.event);
}

double seconds_between(const Timestamp& from, const Timestamp& to) {
  if (from.microseconds < 0 || to.microseconds < 0 || from.dated != to.dated) return -1;
  std::int64_t between = to.microseconds - from.microseconds;
  if (between < 0 && !to.dated) between += day;
  return between < 0 || between >= day / 2 ? -1 : static_cast<double>(between) / static_cast<double>(second);
}

Timestamps timestamps_of(const Origin& origin) {
  return {read_timestamp(origin.timestamp), read_timestamp(collected_at(origin))};
}

double seconds_between(const Timestamps& from, const Timestamps& to) {
  const double own = seconds_between(from.own, to.own);
  return own >= 0 ? own : seconds_between(from.collected, to.collected);
}

}  // namespace nccl_analyze::builder
