#include "text/timestamp.h"

#include <array>
#include <charconv>
#include <cstddef>

namespace nccl_analyze {

namespace {

constexpr std::int64_t micros_per_second = 1'000'000;
constexpr std::int64_t micros_per_day = std::int64_t{24} * 3600 * micros_per_second;

/// Reads numbers of fixed width from the front of a text.
class Digits {
 public:
  explicit Digits(std::string_view text) : text_(text) {}

  /// Reads the next `digits` digits as a number; -1 if there are fewer.
  int number(std::size_t digits) {
    if (text_.size() < digits) return -1;
    int value = 0;
    for (std::size_t i = 0; i < digits; ++i) {
      if (text_[i] < '0' || text_[i] > '9') return -1;
      value = value * 10 + (text_[i] - '0');
    }
    text_.remove_prefix(digits);
    return value;
  }
  bool skip(std::string_view one_of) {
    if (text_.empty() || one_of.find(text_.front()) == std::string_view::npos) return false;
    text_.remove_prefix(1);
    return true;
  }
  /// Reads `.789` or `,789` as microseconds; 0 if there is no fraction.
  std::int64_t fraction() {
    if (!skip(".,")) return 0;
    std::int64_t value = 0;
    for (std::int64_t digit = micros_per_second / 10; digit > 0; digit /= 10) {
      const int next = number(1);
      if (next < 0) break;
      value += digit * next;
    }
    return value;
  }
  /// Reads `Z`, `+01:00` or `+0100` as minutes east of UTC, after the digits of a fraction that fraction() left.
  int zone() {
    constexpr int max_hours = 14;  // Kiribati
    while (number(1) >= 0) {
    }
    if (skip("Z")) return 0;
    const bool west = text_.starts_with('-');
    if (!skip("+-")) return Timestamp::no_zone;
    const int hours = number(2);
    skip(":");
    const int minutes = number(2);
    if (hours < 0 || hours > max_hours || minutes < 0 || minutes > 59) return Timestamp::no_zone;
    return (west ? -1 : 1) * (hours * 60 + minutes);
  }

 private:
  std::string_view text_;
};

}  // namespace

int days_of(int year, int month, int day_of_month) {
  if (year < 1970 || month < 1 || month > 12) return -1;
  constexpr std::array<int, 13> before = {0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365};
  const auto at = static_cast<std::size_t>(month - 1);
  const bool has_leap_day = month == 2 && year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
  if (day_of_month < 1 || day_of_month > before[at + 1] - before[at] + (has_leap_day ? 1 : 0)) return -1;
  const int last = month > 2 ? year : year - 1;  // the last year whose leap day may precede the date
  const auto leap_days = [](int y) { return y / 4 - y / 100 + y / 400; };
  return (year - 1970) * 365 + leap_days(last) - leap_days(1969) + before[at] + day_of_month - 1;
}

Timestamp read_timestamp(std::string_view text) {
  constexpr std::size_t digits_of_journal = 16;  // microseconds since 1970 have 16 digits from 2001 to 2286
  Timestamp timestamp;
  if (text.size() == digits_of_journal && text.find_first_not_of("0123456789") == std::string_view::npos) {
    std::from_chars(text.data(), text.data() + text.size(), timestamp.microseconds);
    timestamp.dated = true;
    timestamp.zone = 0;
    return timestamp;
  }
  Digits digits(text);
  int days = 0;
  if (text.size() > 4 && text[4] == '-') {
    const int year = digits.number(4);
    if (year < 0 || !digits.skip("-")) return {};
    const int month = digits.number(2);
    if (month < 0 || !digits.skip("-")) return {};
    const int day_of_month = digits.number(2);
    days = days_of(year, month, day_of_month);
    if (days < 0 || !digits.skip("T ")) return {};
    timestamp.dated = true;
  }
  const int hours = digits.number(2);
  if (hours < 0 || hours > 23 || !digits.skip(":")) return {};
  const int minutes = digits.number(2);
  if (minutes < 0 || minutes > 59 || !digits.skip(":")) return {};
  const int seconds = digits.number(2);
  if (seconds < 0 || seconds > 60) return {};
  timestamp.microseconds =
      days * micros_per_day + (hours * 3600 + minutes * 60 + seconds) * micros_per_second + digits.fraction();
  timestamp.zone = digits.zone();
  return timestamp;
}

}  // namespace nccl_analyze
