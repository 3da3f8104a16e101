#pragma once
/// Escapes untrusted log bytes for terminals, JSON, HTML and Graphviz labels. Control characters, invisible characters,
/// characters that change the direction of text, and bytes that are not UTF-8 are unsafe.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace nccl_analyze {

/// Appends `text` as a JSON string, with quotes. Unsafe characters become `\u` escapes, invalid bytes U+FFFD.
void append_json_string(std::string& out, std::string_view text);

/// Escapes `text` for a terminal: unsafe characters and invalid bytes become escapes such as `\x1b` or `\u202e`.
std::string visible(std::string_view text);

/// Escapes `text` for a Graphviz label. The label shows visible(text): backslashes and ampersands are escaped, so that
/// Graphviz finds no escapes (`\N`) or entities (`&#27;`) to replace.
std::string dot_text(std::string_view text);

/// Escapes visible(raw) for the text of an HTML element or the value of an attribute.
std::string html_text(std::string_view raw);

/// Escapes a path for a URI (RFC 3986): all bytes except letters, digits and `-._~/` become `%` and two digits.
std::string uri_text(std::string_view path);

/// Returns the width of valid UTF-8 in terminal columns; each code point is counted as one column.
std::size_t columns(std::string_view text);

/// Returns at most `max_columns` columns of `text`, followed by `...` if the text is longer.
std::string truncated(std::string text, std::size_t max_columns);

/// Formats `value` in lower-case hex, without `0x`.
std::string to_hex(std::uint64_t value);

}  // namespace nccl_analyze
