#pragma once
// Splits names into words and identifying numbers, which get stand-ins, and numbers of a series, which stay.

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace nccl_analyze::redact {

struct NameUnit {
  enum class Kind : unsigned char {
    sign,        ///< A separator, or another byte that is neither a letter nor a digit.
    word,        ///< A run of letters, or an id, whose digits identify as much as its letters.
    number,      ///< The number of a host in a series.
    identifying  ///< A number that may be a part of an address or an id.
  };
  std::size_t begin = 0, end = 0;
  Kind kind = Kind::sign;
};

/// Returns the unit of a name that begins at `at`.
NameUnit unit_at(std::string_view name, std::size_t at);

/// Whether the number at `at` may be a part of an address or an id, and is not the number of a host in a series. Such a
/// number has more than three digits (`0007` does not count), belongs to a run of four numbers (`a10-0-4-51b`), of
/// three numbers including one of three digits (`n122-246-085`), or of two numbers of three digits (`gpu-144-103`), or
/// is the size of a model (`llama-70b-node-3`).
bool is_identifying_number(std::string_view name, std::size_t at);

/// Returns the length of an IPv4 address that begins at `at` and has one of the separators of names between its
/// numbers; 0 if there is none.
std::size_t address_length(std::string_view name, std::size_t at, std::uint32_t& address);

/// Calls take(NameUnit) for each unit of a name, from left to right.
template <class Take>
void for_each_unit(std::string_view name, Take&& take) {
  for (std::size_t at = 0; at < name.size();) {
    const NameUnit unit = unit_at(name, at);
    take(unit);
    at = unit.end;
  }
}

}  // namespace nccl_analyze::redact
