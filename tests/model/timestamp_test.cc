// Tests timestamps before lines: the formats of collectors, and which times may be subtracted.

#include "model/timestamp.h"

#include "catch.h"

namespace nccl_analyze {

TEST_CASE("timestamps: dates and times of day of every collector are read, other words are not") {
  constexpr std::int64_t second = 1'000'000;
  CHECK(read_timestamp("1970-01-01T00:00:00Z").microseconds == 0);
  CHECK(read_timestamp("2026-03-01T12:34:56.789123456Z").microseconds == 1772368496 * second + 789123);
  CHECK(read_timestamp("2024-02-29 23:59:59,5+01:00").microseconds == 1709251199 * second + 500000);
  CHECK(read_timestamp("2000-02-29T00:00:00").microseconds == 951782400 * second);
  CHECK(read_timestamp("2000-12-31T00:00:00").dated);
  CHECK(read_timestamp("2000-12-31T00:00:00").microseconds == 978220800 * second);
  CHECK(read_timestamp("12:34:56.7").microseconds == 45296 * second + 700000);
  CHECK(!read_timestamp("12:34:56").dated);
  CHECK(read_timestamp("1772368496789123").microseconds == 1772368496 * second + 789123);
  CHECK(read_timestamp("1772368496789123").dated);
  for (const char* const bad : {"", "12:34", "24:00:00", "12:60:00", "2026-13-01T00:00:00", "2026-01-32 00:00:00",
                                "2026-01-01", "x2:00:00", "0026-01-01 00:00:00", "12-34-56", "2026-01-01T", "-1:00:00",
                                "177236849678912", "17723684967891234", "177236849678912x", "2026-02-31T12:00:00Z",
                                "2026-04-31 00:00:00", "2026-02-29T00:00:00", "2100-02-29T00:00:00"})
    CHECK(read_timestamp(bad).microseconds == -1);
}

TEST_CASE("timestamps: the zone is read where it is printed") {
  CHECK(read_timestamp("2026-03-01T12:34:56.789123456Z").zone == 0);
  CHECK(read_timestamp("2026-03-01T12:34:56+05:30").zone == 330);
  CHECK(read_timestamp("2026-03-01 12:34:56,789-0800").zone == -480);
  CHECK(read_timestamp("1772368496789123").zone == 0);
  for (const char* const none :
       {"2026-03-01 12:34:56", "12:34:56.7", "2026-03-01T12:34:56+99:00", "2026-03-01T12:34:56-"})
    CHECK(read_timestamp(none).zone == Timestamp::no_zone);
}

TEST_CASE("timestamps: a time in UTC needs a date and a zone") {
  constexpr std::int64_t noon = 1772366400'000'000;  // 2026-03-01 12:00:00 UTC
  const auto utc = [](std::string_view own, std::string_view collected) {
    Origin origin;
    origin.timestamp = own;
    origin.time = collected;
    return builder::utc_of(origin);
  };
  CHECK(utc("2026-03-01T13:00:00+01:00", "") == noon);
  CHECK(utc("2026-03-01 05:00:00", "2026-03-01T12:00:00Z") == noon);
  CHECK(utc("", "1772366400000000000") == noon);
  CHECK(utc("2026-03-01 12:00:00", "12:00:00Z") == -1);
  CHECK(utc("", "") == -1);
}

TEST_CASE("timestamps: a duration is known only between times of one clock in their order") {
  const auto between = [](const char* from, const char* to) {
    return builder::seconds_between(read_timestamp(from), read_timestamp(to));
  };
  CHECK(between("12:00:00", "12:01:00.25") == 60.25);
  CHECK(between("23:59:30", "00:00:30") == 60);  // The second time is on the next day.
  CHECK(between("12:00:00", "11:00:00") == -1);
  CHECK(between("2026-01-01 12:00:00", "2026-01-01 11:00:00") == -1);
  CHECK(between("2026-01-31 23:59:59", "2026-02-01 00:00:01") == 2);
  CHECK(between("2026-01-01 12:00:00", "12:00:01") == -1);
  CHECK(between("2026-01-01 12:00:00", "2026-01-02 12:00:00") == -1);
}

}  // namespace nccl_analyze
