#include "evidence/json_extent.h"

#include <array>

namespace nccl_analyze::evidence {

namespace {

/// Bytes that JSON has outside of strings: blanks, punctuation, numbers, and the letters of `true`, `false` and `null`.
/// Nearly every line of a log contains a byte that is none of these.
constexpr std::array<bool, 256> outside_bytes = [] {
  std::array<bool, 256> all{};
  for (const char c : std::string_view(" \t\r\n{}[]:,\"+-.0123456789Eaeflnrstu"))
    all[static_cast<unsigned char>(c)] = true;
  return all;
}();

}  // namespace

std::size_t JsonExtent::take(std::string_view bytes) {
  std::size_t at = 0;
  while (at < bytes.size() && state_ == State::open) {
    const char c = bytes[at++];
    if (in_string_)
      take_inside(c);
    else
      take_outside(c);
  }
  return at;
}

void JsonExtent::take_inside(char c) {
  constexpr unsigned char first_printable = 0x20;
  if (static_cast<unsigned char>(c) < first_printable) state_ = State::broken;  // JSON escapes control characters
  if (escaped_) {
    escaped_ = false;
    return;
  }
  escaped_ = c == '\\';
  in_string_ = c != '"';
}

void JsonExtent::take_outside(char c) {
  if (!outside_bytes[static_cast<unsigned char>(c)]) state_ = State::broken;
  in_string_ = c == '"';
  if (c == '{' || c == '[') ++depth_;
  if ((c == '}' || c == ']') && (depth_ == 0 || --depth_ == 0)) state_ = State::complete;
}

}  // namespace nccl_analyze::evidence
