// Decodes untrusted bytes and escapes them for all output formats.

#include "text/escape.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <iterator>

#include "text/rune.h"

namespace nccl_analyze {
namespace {

struct Range {
  std::uint32_t first, last;
};

/// Code points that are always escaped: controls, invisible characters (Unicode's Default_Ignorable_Code_Point, other
/// format characters, the blank Braille pattern), line separators, private use, noncharacters and code points that XML
/// forbids.
constexpr std::array unsafe_ranges{
    Range{0x00, 0x1F},       Range{0x7F, 0x9F},       Range{0xAD, 0xAD},       Range{0x034F, 0x034F},
    Range{0x0600, 0x0605},   Range{0x061C, 0x061C},   Range{0x06DD, 0x06DD},   Range{0x070F, 0x070F},
    Range{0x0890, 0x0891},   Range{0x08E2, 0x08E2},   Range{0x115F, 0x1160},   Range{0x17B4, 0x17B5},
    Range{0x180B, 0x180F},   Range{0x200B, 0x200F},   Range{0x2028, 0x202E},   Range{0x2060, 0x206F},
    Range{0x2800, 0x2800},   Range{0x3164, 0x3164},   Range{0xE000, 0xF8FF},   Range{0xFDD0, 0xFDEF},
    Range{0xFE00, 0xFE0F},   Range{0xFEFF, 0xFEFF},   Range{0xFFA0, 0xFFA0},   Range{0xFFF0, 0xFFFB},
    Range{0x110BD, 0x110BD}, Range{0x110CD, 0x110CD}, Range{0x13430, 0x1343F}, Range{0x1BCA0, 0x1BCA3},
    Range{0x1D173, 0x1D17A}, Range{0xE0000, 0x10FFFF}};

bool is_unsafe(std::uint32_t rune) {
  const auto behind = std::upper_bound(unsafe_ranges.begin(), unsafe_ranges.end(), rune,
                                       [](std::uint32_t value, Range range) { return value < range.first; });
  const bool listed = behind != unsafe_ranges.begin() && rune <= std::prev(behind)->last;
  return listed || (rune & 0xFFFEU) == 0xFFFE;  // the last two code points of each plane are noncharacters
}

/// Whether `c` is printable ASCII that needs no escape in JSON or on a terminal; append_runes() copies such characters
/// without decoding.
bool is_plain(char c) { return c >= 0x20 && c < 0x7F && c != '"' && c != '\\'; }

std::size_t plain_prefix(std::string_view text) {
  return static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), is_plain) - text.begin());
}

void append_hex(std::string& out, std::uint32_t value, int digits) {
  for (int shift = 4 * (digits - 1); shift >= 0; shift -= 4)
    out += "0123456789abcdef"[value >> static_cast<unsigned>(shift) & 0xFU];
}

void append_json_unit(std::string& out, std::uint32_t unit) {
  out += "\\u";
  append_hex(out, unit, 4);
}

void append_json_rune(std::string& out, const Rune& rune, std::string_view bytes) {
  if (!rune.valid) {
    out += "\xEF\xBF\xBD";
  } else if (rune.value == '"' || rune.value == '\\') {
    out += '\\';
    out += bytes;
  } else if (rune.value == '\n') {
    out += "\\n";
  } else if (is_unsafe(rune.value)) {
    if (rune.value > 0xFFFF) {  // JSON represents such a code point by a surrogate pair
      append_json_unit(out, 0xD800U + (rune.value - 0x10000U) / 0x400U);
      append_json_unit(out, 0xDC00U + (rune.value - 0x10000U) % 0x400U);
    } else {
      append_json_unit(out, rune.value);
    }
  } else {
    out += bytes;
  }
}

void append_visible_rune(std::string& out, const Rune& rune, std::string_view bytes) {
  if (!rune.valid || (is_unsafe(rune.value) && rune.value < 0x100)) {
    out += "\\x";
    append_hex(out, rune.valid ? rune.value : static_cast<unsigned char>(bytes.front()), 2);
  } else if (is_unsafe(rune.value)) {
    const bool wide = rune.value > 0xFFFF;
    out += wide ? "\\U" : "\\u";
    append_hex(out, rune.value, wide ? 8 : 4);
  } else {
    out += bytes;
  }
}

template <class AppendRune>
void append_runes(std::string& out, std::string_view text, AppendRune append_rune) {
  while (!text.empty()) {
    const std::size_t plain = plain_prefix(text);
    out += text.substr(0, plain);
    text.remove_prefix(plain);
    if (text.empty()) break;
    const Rune rune = first_rune(text);
    append_rune(out, rune, text.substr(0, rune.size));
    text.remove_prefix(rune.size);
  }
}

}  // namespace

void append_json_string(std::string& out, std::string_view text) {
  out += '"';
  append_runes(out, text, append_json_rune);
  out += '"';
}

std::string visible(std::string_view text) {
  std::string out;
  append_runes(out, text, append_visible_rune);
  return out;
}

std::string dot_text(std::string_view text) {
  std::string out;
  for (const char c : visible(text)) {
    if (c == '&') {
      out += "\\\\x26";  // Graphviz decodes entities in labels and copies some into SVG without escaping them.
    } else {
      if (c == '\\') out += '\\';
      out += c;
    }
  }
  return out;
}

std::string uri_text(std::string_view path) {
  constexpr std::string_view kept = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/";
  constexpr std::string_view digits = "0123456789ABCDEF";
  std::string out;
  for (const char c : path) {
    if (kept.find(c) != std::string_view::npos) {
      out += c;
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    out += '%';
    out += digits[byte >> 4U];
    out += digits[byte & 0xFU];
  }
  return out;
}

std::size_t columns(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return !continues(static_cast<unsigned char>(c)); }));
}

std::string truncated(std::string text, std::size_t max_columns) {
  std::size_t seen = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (continues(static_cast<unsigned char>(text[i]))) continue;
    if (seen++ == max_columns) {
      text.resize(i);
      text += "...";
      break;
    }
  }
  return text;
}

std::string to_hex(std::uint64_t value) {
  std::array<char, 16> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value, 16).ptr;
  return {digits.data(), end};
}

std::string html_text(std::string_view raw) {
  std::string out;
  for (const char c : visible(raw)) {
    switch (c) {
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '&':
        out += "&amp;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

}  // namespace nccl_analyze
