#pragma once
// Forms of words that tell nothing about the owner of a log: numbers, versions, quantities, dates, devices.

#include <cstddef>
#include <string_view>

namespace nccl_analyze::redact {

/// Whether a word is a number of at most eight digits, a version, a range, a date, a number with its unit, a word for
/// something that is counted with its number (`gpu3`, `cuda12.4`), the usual name of a network interface or card
/// (`enp12s0f1`, `mlx5_0`), or words of the vocabulary with separators between them. What may be an address in any of
/// its spellings is none: four numbers, long numbers, long hexadecimal ones.
bool is_harmless_form(std::string_view word);

/// The length of a PCI address at the start of `text`: `0000:3b:00.0`, `3b:00.0`; 0 if there is none.
std::size_t bus_id_length(std::string_view text);

/// The length of hexadecimal numbers with colons between them that may be an address or a GUID; 0 if there are none.
/// `10:00:00` and `::` are none.
std::size_t colon_run_length(std::string_view text);

}  // namespace nccl_analyze::redact
