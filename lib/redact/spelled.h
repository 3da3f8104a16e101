#pragma once
// Recognises addresses and texts that are spelled so that each word is a harmless number: `10[.]44[.]7[.]91`,
// `[97, 108, 105, 99, 101]`.

#include <cstddef>
#include <string_view>

namespace nccl_analyze::redact {

/// Returns the length of an address whose points are written so that no program takes it for one, `10[.]44[.]7[.]91` or
/// `10\.44\.7\.91`, at the start of `text`; 0 if there is none. Three numbers suffice.
std::size_t defanged_length(std::string_view text);

/// Returns the length of an address with commas, with its port or without, `130,237,44,91,195,149`, at the start of
/// `text` and before its end or a closing bracket; 0 if there is none. At least two numbers must be above 31.
std::size_t address_tuple_length(std::string_view text);

/// Returns the length of a text as a list of the numbers of its bytes, `97, 108, 105, 99, 101, 45`, at the start of
/// `text`; 0 if there is none. At least six numbers are required, most of them of letters. Numbers in rising order do
/// not count: they are a list of ranks or processors.
std::size_t byte_list_length(std::string_view text);

/// Whether a line is one byte of a message as `journalctl -o json-pretty` prints it, with two tabs before it.
bool is_byte_of_journal(std::string_view line);

/// Returns the length of an encoded letter or digit, `%6e`, `\u006e`, `\x6e`, `\156` or `&#110;`, at the start of
/// `text`; 0 if there is none.
std::size_t encoded_length(std::string_view text);

}  // namespace nccl_analyze::redact
