#pragma once
// Takes names apart: the words that become other letters, the numbers of a series that stay, and the numbers that tell
// something.

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace nccl_analyze::redact {

struct NameUnit {
  enum class Kind : unsigned char {
    sign,    ///< A separator, or a byte that is neither a letter nor a digit.
    word,    ///< A run of letters, or an id, whose digits tell as much as its letters.
    number,  ///< The number of a host in a series.
    telling  ///< A number that may be a part of an address or an id.
  };
  std::size_t begin = 0, end = 0;
  Kind kind = Kind::sign;
};

/// The unit of a name that begins at `at`.
NameUnit unit_at(std::string_view name, std::size_t at);

/// Whether the number at `at` may be a part of an address or an id, and not the number of a host in a series: it has
/// more than four digits, it is one of four numbers in a row (`a10-0-4-51b`), of three of which one has three digits
/// (`n122-246-085`), or of two such (`gpu-144-103`), or it is the size of a model (`llama-70b-node-3`).
bool is_telling_number(std::string_view name, std::size_t at);

/// The length of an address whose numbers have one of the separators of names between them, if one begins at `at`.
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
