// Tests timestamps before lines: the formats of collectors, and which times may be subtracted.

#include "model/timestamp.h"

#include "catch.h"

namespace nccl_analyze {

TEST_CASE("timestamps: dates and times of day of every collector are read, other words are not") {
  constexpr std::int64_t second = 1'000'000;
  CHECK(read_timestamp("1970-01-01T00:00:00Z").microseconds == 0);
  CHECK(read_timestamp("2026-03-01T12:34:56.789123456Z").microseconds == 1772368496 * second + 789123);
  CHECK(read_timestamp("2024-02-29 23:59:59,5+01:00").microseconds == 1709251199 * second + 500000);
  CHECK(read_timestamp("2000-12-31T00:00:00").dated);
  CHECK(read_timestamp("2000-12-31T00:00:00").microseconds == 978220800 * second);
  CHECK(read_timestamp("12:34:56.7").microseconds == 45296 * second + 700000);
  CHECK(!read_timestamp("12:34:56").dated);
  CHECK(read_timestamp("1772368496789123").microseconds == 1772368496 * second + 789123);
  CHECK(read_timestamp("1772368496789123").dated);
  for (const char* const bad : {"", "12:34", "24:00:00", "12:60:00", "2026-13-01T00:00:00", "2026-01-32 00:00:00",
                                "2026-01-01", "x2:00:00", "0026-01-01 00:00:00", "12-34-56", "2026-01-01T", "-1:00:00",
                                "177236849678912", "17723684967891234", "177236849678912x"})
    CHECK(read_timestamp(bad).microseconds == -1);
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
