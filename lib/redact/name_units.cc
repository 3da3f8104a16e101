#include "redact/name_units.h"

#include <algorithm>
#include <array>

#include "redact/addresses.h"
#include "redact/bytes.h"

namespace nccl_analyze::redact {

namespace {

bool is_part_byte(char c) { return is_digit(c) || is_letter(c); }

/// Whether all runs of letters in a part of a name are long enough for words, as in `rack1gpu3`. In an id, some run is
/// shorter.
bool has_long_words(std::string_view part) {
  constexpr std::size_t shortest = 3;
  for (std::size_t at = 0; at < part.size();) {
    const std::size_t end = end_of(part, at, is_letter);
    if (end > at && end - at < shortest) return false;
    at = end_of(part, end, is_digit);
  }
  return true;
}

/// Whether a part of a name that has letters and digits is an id: a hash, a MAC, the end of the name of a pod.
/// `node012`, `a100` and `1b` are not.
bool is_id(std::string_view part) {
  constexpr std::size_t shortest_hex = 6, shortest = 5, longest_mark = 2;
  const std::size_t letters = end_of(part, 0, is_letter), series = end_of(part, letters, is_digit);
  const bool is_series = series == part.size();
  if (letters == part.size() || (letters == 0 && is_series)) return false;
  if (part.size() >= shortest_hex && end_of(part, 0, is_hex) == part.size())
    return !is_series || letters > longest_mark;
  if (is_series) return false;
  const bool begins_with_number = letters == 0, has_one_change = end_of(part, series, is_letter) == part.size();
  return begins_with_number && has_one_change ? part.size() >= shortest : !has_long_words(part);
}

/// Whether the last of several parts of a name is a short hash: `node-fb97`. `a100`, `ab01` and `1b` are not.
bool is_short_hash(std::string_view name, std::size_t begin, std::size_t end) {
  constexpr std::size_t size = 4, longest_index = 3;
  const std::string_view part = name.substr(begin, end - begin);
  if (begin == 0 || end != name.size() || part.size() != size || end_of(part, 0, is_hex) != size) return false;
  const std::size_t letters = end_of(part, 0, is_letter), digits = digits_in(part);
  const bool is_series = letters + digits == size && end_of(part, letters, is_digit) == size;
  return digits > 0 && digits < size && !(is_series && (digits == longest_index || part[letters] == '0'));
}

/// Whether a UUID begins at `at`.
bool is_uuid(std::string_view name, std::size_t at) {
  constexpr std::array<std::size_t, 5> sizes = {8, 4, 4, 4, 12};
  for (const std::size_t size : sizes) {
    if (size != sizes.front() && (at >= name.size() || name[at++] != '-')) return false;
    if (at + size > name.size() || end_of(name.substr(0, at + size), at, is_hex) != at + size) return false;
    at += size;
  }
  return at == name.size() || !is_part_byte(name[at]);
}

bool is_in_uuid(std::string_view name, std::size_t at) {
  constexpr std::array<std::size_t, 5> starts = {0, 9, 14, 19, 24};
  constexpr std::size_t size = 36;
  return name.size() >= size &&
         std::ranges::any_of(starts, [&](std::size_t start) { return start <= at && is_uuid(name, at - start); });
}

/// Whether a number that ends at `end` is the size of a model, as in `llama-70b-node-3`: the letter b ends its part of
/// the name, and other parts follow.
bool is_size_of_model(std::string_view name, std::size_t end) {
  const bool has_more = end + 2 < name.size() && is_separator(name[end + 1]);
  return has_more && lower(name[end]) == 'b';
}

/// Consecutive numbers in a name that are separated by single separators.
struct NumberRun {
  std::size_t count = 0, long_ones = 0;  ///< `long_ones` counts those of three digits.
  bool are_octets = true;
  bool is_address() const {
    if (!are_octets) return count > 3;
    return count > 3 || (count == 3 && long_ones > 0) || (count == 2 && long_ones == 2);
  }
};

NumberRun run_around(std::string_view name, std::size_t at) {
  constexpr std::size_t digits_of_octet = 3;
  const auto is_joint = [&](std::size_t i) { return i > 0 && is_separator(name[i]) && is_digit(name[i - 1]); };
  while (at > 0 && is_digit(name[at - 1])) --at;
  while (at > 1 && is_joint(at - 1))
    for (--at; at > 0 && is_digit(name[at - 1]);) --at;
  NumberRun run;
  while (true) {
    const std::size_t end = end_of(name, at, is_digit);
    const std::string_view number = name.substr(at, end - at);
    ++run.count;
    run.are_octets =
        run.are_octets && number.size() <= digits_of_octet && (number.size() < digits_of_octet || number <= "255");
    // A number such as those in `rack-001-002` counts hosts and is no part of an address.
    const bool is_counted = number.starts_with("00");
    if (number.size() == digits_of_octet && !is_counted) ++run.long_ones;
    if (end + 1 >= name.size() || !is_joint(end) || !is_digit(name[end + 1])) return run;
    at = end + 1;
  }
}

/// Whether a number belongs to the end of an address in a name that Tencent gives: `VM-0-14-ubuntu`.
bool is_in_tencent_name(std::string_view name, std::size_t at) {
  constexpr std::string_view begin = "vm-";
  const std::size_t second = end_of(name, std::min(begin.size(), name.size()), is_digit);
  return lowered(name.substr(0, begin.size())) == begin && second + 1 < name.size() && name[second] == '-' &&
         is_digit(name[second + 1]) && (at <= second || at == second + 1);
}

}  // namespace

std::size_t address_length(std::string_view name, std::size_t at, std::uint32_t& address) {
  if (at > 0 && is_digit(name[at - 1])) return 0;
  for (const char separator : {'-', '.', '_'})
    if (const std::size_t size = ipv4_length(name.substr(at), separator, address); size > 0) return size;
  return 0;
}

bool is_identifying_number(std::string_view name, std::size_t at) {
  constexpr std::size_t most_kept_digits = 3;
  const std::size_t end = end_of(name, at, is_digit), digits = end - at;
  const bool is_filled = digits == most_kept_digits + 1 && name[at] == '0';  // `node0007`
  return (digits > most_kept_digits && !is_filled) || is_size_of_model(name, end) ||
         run_around(name, at).is_address() || is_in_tencent_name(name, at);
}

NameUnit unit_at(std::string_view name, std::size_t at) {
  using Kind = NameUnit::Kind;
  const bool begins_part = at == 0 || is_separator(name[at - 1]);
  const std::size_t part = end_of(name, at, is_part_byte);
  if (part == at) return {at, at + 1, Kind::sign};
  if (begins_part && (is_id(name.substr(at, part - at)) || is_short_hash(name, at, part) || is_in_uuid(name, at)))
    return {at, part, Kind::word};
  if (is_letter(name[at])) return {at, end_of(name, at, is_letter), Kind::word};
  return {at, end_of(name, at, is_digit), is_identifying_number(name, at) ? Kind::identifying : Kind::number};
}

}  // namespace nccl_analyze::redact
