#pragma once
// Recognises a request of HTTP in a number that NCCL read from a stranger's connection.

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace nccl_analyze {

/// Returns the bytes of a little-endian number as they came in: `GET /met` for 74656d2f20544547. Empty if they are not
/// all printable.
inline std::string bytes_of_number(std::uint64_t number) {
  constexpr unsigned bits = 8;
  std::string bytes;
  for (; number != 0; number >>= bits) bytes += static_cast<char>(number & 0xffU);
  return std::ranges::all_of(bytes, [](char c) { return c >= ' ' && c < 0x7f; }) ? bytes : std::string();
}

/// Whether these bytes begin a request of HTTP.
inline bool is_http_request(std::string_view bytes) {
  constexpr std::array<std::string_view, 5> methods{"GET ", "HEAD ", "POST ", "PUT ", "OPTIONS "};
  return std::ranges::any_of(methods, [&](std::string_view method) { return bytes.starts_with(method); });
}

}  // namespace nccl_analyze
