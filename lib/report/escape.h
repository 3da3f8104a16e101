#pragma once
/// Makes bytes of a log safe where they are shown: terminals, JSON strings, Graphviz labels. Unsafe are control
/// characters, invisible and direction-changing ones, and whatever is not UTF-8.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace nccl_analyze {

/// Appends `text` as a JSON string with its quotes. Unsafe characters become `\u` escapes, broken bytes U+FFFD.
void append_json_string(std::string& out, std::string_view text);

/// `text` for a terminal: unsafe characters and broken bytes appear as `\x1b` or `\u202e`.
std::string visible(std::string_view text);

/// `text` for a Graphviz label: visible, and nothing in it is an escape (`\N`) or an entity (`&#27;`).
std::string dot_text(std::string_view text);

/// visible(), as text of an HTML element or value of an attribute.
std::string html_text(std::string_view raw);

/// Columns that valid UTF-8 takes: one a code point.
std::size_t columns(std::string_view text);

/// `text` cut after `max_columns`, with `...` in place of the rest.
std::string shortened(std::string text, std::size_t max_columns);

/// `value` in lower-case hex, without `0x`.
std::string to_hex(std::uint64_t value);

}  // namespace nccl_analyze
