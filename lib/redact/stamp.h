#pragma once
// Recognises the time that log collectors print before each line, so that lines that differ only in it count as equal.

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "redact/bytes.h"

namespace nccl_analyze::redact {

/// Compares eight bytes with a pattern, in which 0 stands for any digit and each other byte for itself. All eight are
/// compared at once, because each line of a log collector is searched for a time.
class FormOfEight {
 public:
  static constexpr std::size_t size = sizeof(std::uint64_t);

  constexpr explicit FormOfEight(std::string_view form) {
    constexpr unsigned char most = 0x7f, most_difference = 9;
    std::array<unsigned char, size> bytes{}, room{};
    for (std::size_t i = 0; i < size; ++i) {
      bytes[i] = static_cast<unsigned char>(form[i]);
      room[i] = form[i] == '0' ? most - most_difference : most;
    }
    form_ = std::bit_cast<std::uint64_t>(bytes);
    room_ = std::bit_cast<std::uint64_t>(room);
  }

  bool matches(const char* text) const {
    constexpr std::uint64_t high_bits = 0x8080808080808080;
    std::uint64_t bytes = 0;
    std::memcpy(&bytes, text, size);
    // A digit differs from `0` by at most 9, which does not reach the highest bit of its byte.
    const std::uint64_t difference = bytes ^ form_;
    return (((difference + room_) | difference) & high_bits) == 0;
  }

 private:
  std::uint64_t form_ = 0, room_ = 0;
};

/// Whether a text begins with a time such as `2025-12-28T16:04:25`.
inline bool begins_as_time(const char* text) {
  constexpr std::string_view form = "0000-00-00T00:00:00";
  constexpr FormOfEight first(form), second(form.substr(8)), last(form.substr(11));
  return first.matches(text) && second.matches(text + 8) && last.matches(text + 11);
}

/// Returns the length of the fraction of a second at the end of a text, including the point (`.000015679`); 0 if there
/// is none.
inline std::size_t fraction_length(std::string_view text) {
  constexpr std::size_t most_digits = 9;
  constexpr FormOfEight digits_of_nanoseconds("00000000");
  const std::size_t point = text.size() - std::min(text.size(), most_digits + 1);
  const bool has_nanoseconds = text.size() > most_digits && text[point] == '.' && is_digit(text.back()) &&
                               digits_of_nanoseconds.matches(text.data() + point + 1);
  if (has_nanoseconds) return most_digits + 1;  // kubectl prints nine digits.
  std::size_t digits = 0;
  while (digits < text.size() && digits < most_digits && is_digit(text[text.size() - 1 - digits])) ++digits;
  return digits > 0 && digits < text.size() && text[text.size() - 1 - digits] == '.' ? digits + 1 : 0;
}

/// Returns the index at which a time such as `2025-12-28T16:04:25.000015679Z ` at the end of a decoration begins; the
/// size of the decoration if it does not end with a time.
inline std::size_t begin_of_stamp(std::string_view decoration) {
  constexpr std::size_t size = std::string_view("0000-00-00T00:00:00").size();
  const std::size_t whole = decoration.size();
  if (whole < 2 || decoration[whole - 1] != ' ' || decoration[whole - 2] != 'Z') return whole;
  const std::string_view time = decoration.substr(0, whole - 2);
  const std::size_t end = time.size() - fraction_length(time);
  if (end < size || !begins_as_time(time.data() + end - size)) return whole;
  const std::size_t begin = end - size;
  const bool is_of_these_years =
      (time[begin] == '1' && time[begin + 1] == '9') || (time[begin] == '2' && time[begin + 1] == '0');
  const bool is_apart = begin == 0 || decoration[begin - 1] == ' ';
  return is_of_these_years && is_apart ? begin : whole;
}

/// Whether a text is only such a time, or only the end of a pod's tag (`] `) and such a time.
inline bool is_stamp(std::string_view text) {
  const std::size_t begin = begin_of_stamp(text);
  return begin < text.size() && (begin == 0 || text.substr(0, begin) == "] ");
}

/// Returns a decoration without the time at its end. The time is kept if words other than a pod's tag precede it,
/// because they may describe the time.
inline std::string_view without_stamp(std::string_view decoration) {
  const std::size_t begin = begin_of_stamp(decoration);
  const std::string_view before = decoration.substr(0, begin);
  constexpr std::string_view end_of_tag = "] ";
  const bool is_tag = before.starts_with("[pod/") && before.find(end_of_tag) + end_of_tag.size() == before.size();
  return before.empty() || is_tag ? before : decoration;
}

/// The position of a time, with the blank after it, at the start of a line or after the tag of a pod.
struct Stamp {
  std::size_t begin = 0, end = 0;  ///< Both are 0 if the line has none.
};
inline Stamp find_stamp(std::string_view line) {
  constexpr std::size_t longest = std::string_view("0000-00-00T00:00:00.000000000Z ").size();
  constexpr std::string_view end_of_tag = "] ";
  std::size_t begin = 0;
  if (line.starts_with("[pod/")) begin = std::min(line.find(end_of_tag), line.size() - 1) + end_of_tag.size();
  if (begin >= line.size() || !is_digit(line[begin])) return {};
  const std::size_t end = line.substr(begin, longest).find(' ');
  if (end == std::string_view::npos || begin_of_stamp(line.substr(begin, end + 1)) != 0) return {};
  return {begin, begin + end + 1};
}

/// Returns the line without its time, in the memory of `scratch`.
inline std::string_view without(const Stamp& stamp, std::string_view line, std::string& scratch) {
  if (stamp.end == 0) return line;
  return scratch.assign(line.substr(0, stamp.begin)).append(line.substr(stamp.end));
}

}  // namespace nccl_analyze::redact
