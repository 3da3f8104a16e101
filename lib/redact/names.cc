#include "redact/names.h"

#include <algorithm>
#include <array>

#include "redact/bytes.h"
#include "redact/name_units.h"
#include "redact/vocabulary.h"
#include "redact/word_context.h"

namespace nccl_analyze::redact {

namespace {

constexpr std::size_t shortest_everywhere = 3, longest_name = 1024;
/// These words tell as little about their owner as `xxx` and `***`: fields whose value was masked, and names and users
/// that many systems have.
constexpr std::array<std::string_view, 9> anonymous = {
    "localhost", "unknown", "none", "localdomain", "cluster.local", "null", "user", "account", "job"};
constexpr std::array<std::string_view, 4> common_users = {"root", "ubuntu", "ec2-user", "user"};

constexpr std::array<std::string_view, name_kinds> words_of_kinds = {"host", "pod",    "container", "namespace",
                                                                     "user", "bucket", "file"};

bool has_letter(std::string_view name) {
  return std::ranges::any_of(name, [](char c) { return is_letter(c) || is_other_letter(c); });
}

/// Whether a name is a pointer or a bus id, which a damaged prefix may show in the place of a host.
bool is_number(std::string_view name) {
  return is_digit(name.front()) && std::ranges::all_of(name, [](char c) { return is_hex(c) || c == 'x'; });
}

std::string_view without_separators(std::string_view name) {
  while (!name.empty() && is_separator(name.front())) name.remove_prefix(1);
  while (!name.empty() && is_separator(name.back())) name.remove_suffix(1);
  return name;
}

std::string_view without_number(std::string_view name) {
  while (!name.empty() && is_digit(name.back())) name.remove_suffix(1);
  return name;
}

/// Whether a byte belongs to the sign `…`, with which posters shorten names.
bool is_of_ellipsis(std::string_view name, std::size_t at) {
  constexpr std::string_view ellipsis = "\u2026";
  const std::size_t begin = name.find(ellipsis, at - std::min(at, ellipsis.size() - 1));
  return begin <= at;
}

}  // namespace

bool tells_nothing(std::string_view name) {
  return is_among(anonymous, lowered(name)) || name.find_first_not_of("xX-._") == std::string_view::npos;
}

std::string_view to_string(NameKind kind) { return words_of_kinds[static_cast<std::size_t>(kind)]; }

std::optional<NameKind> kind_of_name(std::string_view word) {
  const auto found = std::ranges::find(words_of_kinds, word);
  if (found == words_of_kinds.end()) return std::nullopt;
  return static_cast<NameKind>(found - words_of_kinds.begin());
}

std::size_t NameTable::first_two(std::string_view text) {
  return static_cast<std::size_t>(static_cast<unsigned char>(lower(text[0]))) << 8U |
         static_cast<unsigned char>(lower(text[1]));
}

void NameTable::add(NameKind kind, std::string_view name, std::uint64_t times) {
  constexpr std::ptrdiff_t fewest_colons = 3;
  if (std::ranges::count(name, ':') >= fewest_colons) return;  // It is an IPv6 address.
  for (std::size_t at = 0; at < std::min(name.size(), longest_name); ++at) {
    const std::size_t end = end_of(name, at, is_name_byte);
    const std::string_view part = without_separators(name.substr(at, end - at));
    at = end;
    std::uint32_t address = 0;
    const bool is_address = ipv4_length(part, '.', address) == part.size();
    if (kind == NameKind::user && is_among(common_users, lowered(part))) continue;
    // A number behind a word such as `pin` is found by the word, which therefore stays where it is also a name.
    if (part.empty() || is_address || tells_nothing(part) || is_key_of_secret(part) || is_half_masked_address(part))
      continue;
    for (std::size_t i = 0; i < part.size(); i = end_of(part, i, is_digit) + 1)
      if (is_digit(part[i]) && address_length(part, i, address) > 0) addresses_.add(address);
    Entry& entry = names_.try_emplace(lowered(part), Entry{.kind = kind}).first->second;
    if (kind != NameKind::file) entry.kind = entry.kind == NameKind::file ? kind : std::max(entry.kind, kind);
    entry.times += times;
  }
}

void NameTable::preset(NameKind kind, std::string_view name, std::string_view stand_in) {
  if (name.size() != stand_in.size() || name.size() > longest_name) return;
  add(kind, name);
  for_each_unit(name, [&](const NameUnit& unit) {
    const std::string_view text = name.substr(unit.begin, unit.end - unit.begin),
                           made = stand_in.substr(unit.begin, text.size());
    if (unit.kind == NameUnit::Kind::word) letters_.preset(text, made);
    if (unit.kind == NameUnit::Kind::identifying) numbers_.insert_or_assign(std::string(text), std::string(made));
  });
}

void NameTable::add_words(std::string_view name) {
  for (std::size_t at = 0; at < name.size(); ++at) {
    const std::size_t end = end_of(name, at, is_letter);
    if (!is_common_word(lowered(name.substr(at, end - at)))) note_words(name.substr(at, end - at), 1, false);
    at = end;
  }
}

void NameTable::note_words(std::string_view name, std::uint64_t times, bool is_user) {
  for_each_unit(name, [&](const NameUnit& unit) {
    const std::string_view text = name.substr(unit.begin, unit.end - unit.begin);
    if (unit.kind == NameUnit::Kind::word) letters_.add(text, times);
    const bool is_identifying =
        unit.kind == NameUnit::Kind::identifying || (is_user && unit.kind == NameUnit::Kind::number);
    if (is_identifying) numbers_.emplace(text, std::string());
  });
}

/// Notes the common prefix of the names of a series, `llama-worker` of `llama-worker-0`, because it is also the name of
/// the service.
void NameTable::add_stems(std::string_view name) {
  stems_.emplace(without_number(name));
  for (std::size_t end = name.find_last_of("-._"); end != std::string_view::npos && end > 0;
       end = name.find_last_of("-._", end - 1)) {
    const std::string_view stem = without_separators(name.substr(0, end));
    std::uint32_t address = 0;
    const std::size_t number = stem.find_first_of("0123456789");
    if (number != std::string_view::npos && address_length(name, number, address) > 0) break;
    if (stem.find_first_of("-._") == std::string_view::npos || !has_letter(stem)) break;
    beginnings_.emplace(stem);
  }
}

/// Keeps the words by which lib/queries/{site,platform}.cc detect where a job runs.
void NameTable::keep_roles(std::string_view name) {
  constexpr std::array<std::string_view, 3> roles = {"worker", "launcher", "master"};
  std::uint32_t address = 0;
  for (const std::string_view role : roles) {
    const std::size_t at = name.find(role);
    if (at != std::string_view::npos && at > 0 && name[at - 1] == '-') letters_.keep(role);
  }
  if (name.starts_with("ip-") && address_length(name, 3, address) > 0) letters_.keep("ip");
}

/// Gives container ids stand-ins in the form of such ids, by which rules recognise that a host is a container.
void NameTable::choose_container_ids() {
  constexpr std::string_view digits = "0123456789abcdef";
  constexpr std::size_t size = 12;
  std::uint64_t next = 0;
  for (const auto& [name, entry] : names_) {
    const std::size_t numbers = digits_in(name);
    if (name.size() != size || numbers == 0 || numbers == size || end_of(name, 0, is_hex) != size) continue;
    std::string made;
    do {
      made.assign(size, '0').front() = 'c';
      std::size_t at = size;
      for (std::uint64_t number = ++next; number > 0; number /= digits.size())
        made[--at] = digits[number % digits.size()];
    } while (names_.contains(made) || letters_.gives(made));
    letters_.preset(name, made);
  }
}

void NameTable::choose() {
  for (auto& [name, entry] : names_) {
    const bool is_everywhere =
        name.size() >= shortest_everywhere && has_letter(name) && !is_number(name) && !is_common_word(name);
    entry.known = is_everywhere ? Known::everywhere : Known::where_named;
    note_words(name, entry.times, entry.kind == NameKind::user);
    keep_roles(name);
    if (entry.kind != NameKind::file) add_stems(name);
    if (name.size() >= 2) firsts_.set(first_two(name));
  }
  for (const std::string& stem : beginnings_)
    if (!names_.contains(stem) && !is_common_word(stem)) firsts_.set(first_two(stem));
  choose_container_ids();
  letters_.choose(is_common_word);
  std::array<std::uint64_t, 32> next{};
  std::set<std::string, std::less<>> given;
  for (const auto& [number, stand_in] : numbers_) given.insert(stand_in);
  for (auto& [number, stand_in] : numbers_) {
    const std::size_t size = number.size();
    if (stand_in.size() == size) continue;  // Set by preset().
    // Not 0000 to 0999, because numbers such as 0007 stay.
    const std::uint64_t first = size == 4 ? 1000 : 0;
    do {
      stand_in = std::to_string(first + next[std::min<std::size_t>(size, next.size() - 1)]++);
      stand_in.insert(0, size - std::min(size, stand_in.size()), '0');
    } while (stand_in.size() == size && size > 1 && (numbers_.contains(stand_in) || given.contains(stand_in)));
    stand_in.resize(size);
  }
}

bool NameTable::may_be_in_times() const {
  const auto is_like_time = [](std::string_view name) {
    return std::ranges::all_of(name, [](char c) { return is_digit(c) || is_separator(c) || c == 't' || c == 'z'; });
  };
  return std::ranges::any_of(names_, is_like_time, [](const auto& row) -> const std::string& { return row.first; }) ||
         std::ranges::any_of(beginnings_, is_like_time);
}

NameTable::Known NameTable::find(std::string_view text) const {
  const std::string key = lowered(text);
  if (const auto found = names_.find(key); found != names_.end()) return found->second.known;
  return beginnings_.contains(key) && !is_common_word(key) ? Known::everywhere : Known::no;
}

bool NameTable::begins_name(std::string_view text) const {
  const std::string key = lowered(text);
  const auto found = names_.upper_bound(key);
  return found != names_.end() && found->first.starts_with(key);
}

void NameTable::overwrite(char* begin, std::size_t size) const {
  const std::string name(begin, size);
  const auto entry = names_.find(lowered(name));
  const bool is_user = entry != names_.end() && entry->second.kind == NameKind::user;
  std::size_t behind_address = 0;
  for_each_unit(name, [&](const NameUnit& unit) {
    std::uint32_t address = 0;
    if (unit.begin < behind_address) return;
    const std::size_t length = is_digit(name[unit.begin]) ? address_length(name, unit.begin, address) : 0;
    if (length > 0)
      addresses_.overwrite_ipv4(begin + unit.begin, length, address), behind_address = unit.begin + length;
    else if (unit.kind == NameUnit::Kind::word)
      overwrite_word(begin + unit.begin, unit.end - unit.begin);
    else if (unit.kind == NameUnit::Kind::identifying || (is_user && unit.kind == NameUnit::Kind::number))
      overwrite_digits(begin + unit.begin, unit.end - unit.begin);
    else if (is_other_letter(name[unit.begin]) && !is_of_ellipsis(name, unit.begin))
      begin[unit.begin] = 'x';
  });
}

void NameTable::overwrite_numbers(char* begin, std::size_t size, std::string_view is_known) const {
  const std::string name(begin, size);
  for (std::size_t at = 0; at < size;) {
    std::uint32_t address = 0;
    const std::size_t digits = end_of(name, at, is_digit);
    const bool is_open = digits > at && is_known[at] == 0;
    const std::size_t length = is_open ? address_length(name, at, address) : 0;
    if (length > 0)
      addresses_.overwrite_ipv4(begin + at, length, address);
    else if (is_open && is_identifying_number(name, at))
      overwrite_digits(begin + at, digits - at);
    at = std::max(length > 0 ? at + length : digits, at + 1);
  }
}

void NameTable::overwrite_word(char* begin, std::size_t size) const {
  const std::string stand_in = letters_.stand_in(lowered({begin, size}));
  for (std::size_t i = 0; i < size; ++i)
    begin[i] = is_upper(begin[i]) && is_letter(stand_in[i]) ? static_cast<char>(stand_in[i] - 'a' + 'A') : stand_in[i];
}

void NameTable::overwrite_digits(char* begin, std::size_t size) const {
  const auto found = numbers_.find(std::string_view(begin, size));
  const std::string stand_in = found == numbers_.end() ? std::string(size, '0') : found->second;
  std::ranges::copy(stand_in, begin);
}

}  // namespace nccl_analyze::redact
