// Detects the encoding from a byte order mark or from zero bytes, and decodes UTF-16 byte by byte.

#include "text/encoding.h"

namespace nccl_analyze {

void append_utf8(std::string& out, std::uint32_t code) {
  const auto byte = [&out](std::uint32_t value) {
    out.push_back(static_cast<char>(static_cast<unsigned char>(value)));
  };
  if (code < 0x80) {
    byte(code);
  } else if (code < 0x800) {
    byte(0xc0 | code >> 6);
    byte(0x80 | (code & 0x3f));
  } else if (code < 0x10000) {
    if (code >= 0xd800 && code < 0xe000) return;
    byte(0xe0 | code >> 12);
    byte(0x80 | (code >> 6 & 0x3f));
    byte(0x80 | (code & 0x3f));
  } else if (code < 0x110000) {
    byte(0xf0 | code >> 18);
    byte(0x80 | (code >> 12 & 0x3f));
    byte(0x80 | (code >> 6 & 0x3f));
    byte(0x80 | (code & 0x3f));
  }
}

Decoder::Encoding Decoder::encoding_of(std::string_view& head) {
  struct Mark {
    std::string_view bytes;
    Encoding encoding;
  };
  constexpr Mark marks[] = {
      {"\xef\xbb\xbf", Encoding::plain}, {"\xff\xfe", Encoding::utf16_little}, {"\xfe\xff", Encoding::utf16_big}};
  for (const Mark& mark : marks) {
    if (!head.starts_with(mark.bytes)) continue;
    head.remove_prefix(mark.bytes.size());
    return mark.encoding;
  }
  // There is no byte order mark. Logs start with ASCII characters, in which every other byte is zero in UTF-16.
  const auto zeros_at = [head](std::size_t first) {
    return head.size() == head_size && head[first] == 0 && head[first + 2] == 0 && head[1 - first] != 0 &&
           head[3 - first] != 0;
  };
  if (zeros_at(1)) return Encoding::utf16_little;
  if (zeros_at(0)) return Encoding::utf16_big;
  return Encoding::plain;
}

void Decoder::add_byte(unsigned char byte) {
  if (first_byte_ == no_byte) {
    first_byte_ = byte;
    return;
  }
  const auto first = static_cast<std::uint32_t>(first_byte_);
  const std::uint32_t unit =
      encoding_ == Encoding::utf16_little ? first | std::uint32_t{byte} << 8U : first << 8U | byte;
  first_byte_ = no_byte;
  if (unit >= 0xd800 && unit < 0xdc00) {
    high_surrogate_ = unit;
    return;
  }
  const bool pair = high_surrogate_ != 0 && unit >= 0xdc00 && unit < 0xe000;
  append_utf8(decoded_, pair ? 0x10000 + ((high_surrogate_ - 0xd800) << 10U) + (unit - 0xdc00) : unit);
  high_surrogate_ = 0;
}

}  // namespace nccl_analyze
