// Assigns the stand-ins of addresses in numerical order.

#include "redact/addresses.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <vector>

#include "redact/bytes.h"

namespace nccl_analyze::redact {

namespace {

constexpr std::uint64_t link_local = 0xfe80'0000'0000'0000U, mapped_ipv4 = 0xffffU;

std::uint32_t number_at(std::uint32_t address, int level) { return address >> (24 - 8 * level) & 0xffU; }

std::uint32_t first_numbers(std::uint32_t address, int level) { return level == 0 ? 0 : address >> (32 - 8 * level); }

struct Range {
  std::uint32_t first, last;
};
/// A number becomes another number with as many digits: one, two or three.
constexpr std::array<Range, 3> classes{{{0, 9}, {10, 99}, {100, 255}}};

/// Returns which numbers may follow a prefix: only some may follow 172 or 100 in a private address.
Range private_range(const auto& prefix) {
  if (prefix.kept == 1 && prefix.numbers == 172) return {16, 31};
  if (prefix.kept == 1 && prefix.numbers == 100) return {64, 127};
  return {0, 255};
}

/// Docker first uses the networks 172.17.0.0/16 to 172.19.0.0/16 for its bridges.
bool is_of_docker(std::uint32_t second) { return second >= 17 && second <= 19; }

bool is_special(std::uint32_t first) {
  constexpr std::array<std::uint32_t, 7> special{0, 10, 100, 127, 169, 172, 192};
  return first >= 224 || std::ranges::find(special, first) != special.end();
}

/// Writes the hexadecimal digits of a value over those in a text, from the last digit to the first. Other bytes between
/// them stay.
void overwrite_digits(char* begin, std::size_t size, std::uint64_t value) {
  const bool is_upper_case = std::any_of(begin, begin + size, is_upper);
  const std::string_view digits = is_upper_case ? "0123456789ABCDEF" : "0123456789abcdef";
  for (std::size_t i = size; i-- > 0;) {
    if (!is_hex(begin[i])) continue;
    begin[i] = digits[value & 15U];
    value >>= 4U;
  }
}

}  // namespace

bool Ipv4Table::is_kept(std::uint32_t address) {
  // 0.0.0.0, 127.0.0.1, the services for cloud instances at 169.254.169.254 and 169.254.170.2, and SSDP.
  constexpr std::array<std::uint32_t, 5> exact{0, 0x7f00'0001, 0xa9fe'a9fe, 0xa9fe'aa02, 0xefff'fffa};
  constexpr std::uint32_t local_multicast = 0xe000'00;  // 224.0.0.0/24, whose addresses are all assigned
  const bool is_mask = number_at(address, 0) == 255 && (~address & (~address + 1)) == 0;
  return is_mask || address >> 8U == local_multicast || std::ranges::find(exact, address) != exact.end();
}

/// Returns how many leading numbers show that an address is private, loopback, link-local or multicast. 0 if none does,
/// or if too few numbers are free in that network.
int Ipv4Table::kept_numbers(std::uint32_t address) const {
  const std::uint32_t first = number_at(address, 0), second = number_at(address, 1);
  const bool is_multicast = first >= 224 && first < 240;
  int kept = first == 0 || first == 127 || is_multicast ? 1 : 0;
  if (first == 10 || (first == 172 && second >= 16 && second < 32) || (first == 100 && second >= 64 && second < 128))
    kept = 1;
  const bool is_bridge = first == 172 && is_of_docker(second);
  if ((first == 192 && second == 168) || (first == 169 && second == 254) || is_bridge) kept = 2;
  return full_.contains({kept, kept, first_numbers(address, kept)}) ? 0 : kept;
}

Ipv4Table::Numbers Ipv4Table::next_numbers() const {
  Numbers numbers;
  for (const std::uint32_t address : addresses_) {
    const int kept = kept_numbers(address);
    for (int level = kept; level < 4; ++level)
      numbers[{kept, level, first_numbers(address, level)}].insert(number_at(address, level));
  }
  return numbers;
}

/// Whether a number may be used for stand-ins in a network. The first number that is replaced must not become one that
/// occurs in the inputs, so that no stand-in is the address of another host.
bool Ipv4Table::is_free(const Prefix& prefix, const std::set<std::uint32_t>& used, std::uint32_t number) {
  if (prefix.level > prefix.kept) return true;
  const Range range = private_range(prefix);
  const bool is_special_network =
      (prefix.level == 0 && is_special(number)) || (prefix.kept == 1 && prefix.numbers == 172 && is_of_docker(number));
  return number >= range.first && number <= range.last && !is_special_network && !used.contains(number);
}

/// Assigns the numbers of a network so that stand-ins, compared as text, sort like their addresses. Returns false if
/// too few numbers are free for that.
bool Ipv4Table::assign_in_order(const Prefix& prefix, const std::set<std::uint32_t>& used) {
  std::map<std::uint32_t, std::uint32_t>& stand_ins = numbers_[prefix];
  std::map<std::string, std::uint32_t> wanted;
  for (const std::uint32_t number : used) wanted.emplace(std::to_string(number), number);
  std::string last;
  for (const auto& [text, number] : wanted) {
    const Range& digits = classes[text.size() - 1];
    // Only 0 becomes 0, because an address that ends with .0 looks like a network.
    std::uint32_t chosen = number == 0 || digits.first > 0 ? digits.first : 1;
    while (chosen <= digits.last && (std::to_string(chosen) <= last || !is_free(prefix, used, chosen))) ++chosen;
    if (chosen > digits.last) return false;
    stand_ins[number] = chosen;
    last = std::to_string(chosen);
  }
  return true;
}

/// Assigns numbers like assign_in_order(). If too few are free, gives up the order between numbers of different
/// lengths. Returns false if even then too few are free.
bool Ipv4Table::assign(const Prefix& prefix, const std::set<std::uint32_t>& used) {
  if (assign_in_order(prefix, used)) return true;
  std::map<std::uint32_t, std::uint32_t>& stand_ins = numbers_[prefix];
  bool has_room = true;
  for (const Range& digits : classes) {
    std::vector<std::uint32_t> free, wanted;
    for (std::uint32_t number = digits.first; number <= digits.last; ++number) {
      if (used.contains(number)) wanted.push_back(number);
      if (is_free(prefix, used, number)) free.push_back(number);
    }
    has_room = has_room && free.size() >= wanted.size();
    if (free.size() < wanted.size()) {
      free = wanted;
      std::rotate(free.begin(), free.begin() + 1, free.end());
    }
    for (std::size_t i = 0; i < wanted.size(); ++i) stand_ins[wanted[i]] = free[i];
  }
  return has_room;
}

void Ipv4Table::choose() {
  for (const auto& [prefix, used] : next_numbers())
    if (prefix.kept > 0 && prefix.level == prefix.kept && !assign(prefix, used)) full_.insert(prefix);
  numbers_.clear();
  apply_preset();
  for (const auto& [prefix, used] : next_numbers())
    numbers_.contains(prefix) ? assign_others(prefix, used) : void(assign(prefix, used));
}

void Ipv4Table::apply_preset() {
  for (const auto& [address, stand_in] : preset_) {
    const int kept = kept_numbers(address);
    for (int level = kept; level < 4; ++level)
      numbers_[{kept, level, first_numbers(address, level)}].try_emplace(number_at(address, level),
                                                                         number_at(stand_in, level));
  }
}

void Ipv4Table::assign_others(const Prefix& prefix, const std::set<std::uint32_t>& used) {
  std::map<std::uint32_t, std::uint32_t>& stand_ins = numbers_[prefix];
  std::set<std::uint32_t> taken;
  for (const auto& [number, stand_in] : stand_ins) taken.insert(stand_in);
  for (const std::uint32_t number : used) {
    if (stand_ins.contains(number)) continue;
    const Range& digits = classes[std::to_string(number).size() - 1];
    std::uint32_t chosen = digits.first;
    while (chosen < digits.last && (taken.contains(chosen) || !is_free(prefix, used, chosen))) ++chosen;
    taken.insert(chosen);
    stand_ins.emplace(number, chosen);
  }
}

std::uint32_t Ipv4Table::stand_in(std::uint32_t address) const {
  if (is_kept(address)) return address;
  std::uint32_t out = 0;
  const int kept = kept_numbers(address);
  for (int level = 0; level < 4; ++level) {
    std::uint32_t number = number_at(address, level);
    if (level >= kept) {
      const auto known = numbers_.find({kept, level, first_numbers(address, level)});
      const bool is_known = known != numbers_.end() && known->second.contains(number);
      // A number that the first pass did not see becomes 0, 10 or 100, by the number of its digits.
      number = is_known ? known->second.find(number)->second : number < 10 ? 0 : number < 100 ? 10 : 100;
    }
    out = out << 8U | number;
  }
  return out;
}

std::uint64_t HexTable::swapped(std::uint64_t value) {
  std::uint64_t out = 0;
  for (int i = 0; i < 8; ++i, value >>= 8U) out = out << 8U | (value & 0xffU);
  return out;
}

void HexTable::add(std::uint64_t value) {
  if (!contains(value)) stand_ins_.emplace(value, 0);
}

/// Returns `like` with `count`, in base 15 with the digits 1 to f, written over its digits that are neither 0 nor kept.
std::uint64_t HexTable::spread(std::uint64_t count, std::uint64_t like) const {
  // The second digit of a public prefix is not kept, because it shows which registry assigned the prefix.
  constexpr std::uint64_t first_private = 0xfcU;
  const std::uint64_t kept = like >> 56U >= first_private ? kept_ : kept_ << 4U;
  std::uint64_t out = like & kept;
  for (unsigned place = 0; place < 64; place += 4) {
    if ((kept >> place & 15U) != 0 || (like >> place & 15U) == 0) continue;
    out |= (count % 15 + 1) << place;
    count /= 15;
  }
  return out;
}

void HexTable::choose() {
  std::map<std::uint64_t, std::uint64_t> next;  // By the pattern of the digits that are not 0.
  std::set<std::uint64_t> given;
  for (const auto& [value, stand_in] : stand_ins_) given.insert(stand_in);
  for (auto& [value, stand_in] : stand_ins_) {
    if (stand_in != 0) continue;  // set by preset()
    constexpr int most_tries = 4096;
    std::uint64_t& count = next[spread(0, value)];
    int tries = 0;
    do stand_in = spread(count++, value);
    while (++tries < most_tries && (contains(stand_in) || given.contains(stand_in)));
    given.insert(stand_in);
  }
}

std::uint64_t HexTable::stand_in(std::uint64_t value) const {
  if (const auto found = stand_ins_.find(value); found != stand_ins_.end()) return found->second;
  const auto found = stand_ins_.find(swapped(value));
  return found == stand_ins_.end() ? 0 : swapped(found->second);
}

void AddressTable::add(const Ipv6& address) {
  if (address.high == 0 && address.low >> 32U == mapped_ipv4) return ipv4_.add(static_cast<std::uint32_t>(address.low));
  const bool is_multicast = address.high >> 56U == 0xffU;
  if (is_multicast || (address.high == 0 && address.low <= 1)) return;
  if (address.high != 0 && address.high != link_local) prefixes_.add(address.high);
  if (address.low != 0) guids_.add(address.low);
}

Ipv6 AddressTable::stand_in(const Ipv6& address) const {
  if (address.high == 0 && address.low >> 32U == mapped_ipv4)
    return {0, mapped_ipv4 << 32U | ipv4_.stand_in(static_cast<std::uint32_t>(address.low))};
  if (address.high >> 56U == 0xffU) return address;
  const bool keeps_prefix = address.high == 0 || address.high == link_local;
  const bool is_loopback = address.high == 0 && address.low <= 1;
  return {keeps_prefix ? address.high : prefixes_.stand_in(address.high),
          is_loopback ? address.low : guids_.stand_in(address.low)};
}

void AddressTable::choose() {
  ipv4_.choose();
  guids_.choose();
  prefixes_.choose();
}

void AddressTable::overwrite_ipv4(char* begin, std::size_t size, std::uint32_t address) const {
  const std::uint32_t stand_in = ipv4_.stand_in(address);
  char* at = begin;
  for (int level = 0; level < 4 && at < begin + size; ++level) {
    at = std::to_chars(at, begin + size, number_at(stand_in, level)).ptr;
    ++at;  // the separator
  }
}

void AddressTable::overwrite_ipv6(char* begin, std::size_t size, std::size_t tail, const Ipv6& address) const {
  const Ipv6 made = stand_in(address);
  std::size_t end = size - tail;
  if (tail > 0) {
    std::uint32_t ipv4 = 0;
    ipv4_length({begin + end, tail}, '.', ipv4);
    overwrite_ipv4(begin + end, tail, ipv4);
  }
  // The groups are written from the last one to the first. They are counted anew before `::`, which stands for any
  // number of groups.
  std::size_t group = tail > 0 ? 6 : 8;
  const std::string_view text(begin, end);
  const std::size_t gap = text.find("::");
  while (end > 0) {
    std::size_t start = end;
    while (start > 0 && is_hex(begin[start - 1])) --start;
    if (start < end && group > 0) {
      --group;
      const std::uint64_t half = group < 4 ? made.high : made.low;
      overwrite_digits(begin + start, end - start, half >> (16 * (3 - group % 4)) & 0xffffU);
    }
    end = start == 0 ? 0 : start - 1;
    if (gap != std::string_view::npos && end == gap + 1)
      group = static_cast<std::size_t>(std::ranges::count(text.substr(0, gap), ':')) + 1, end = gap;
  }
}

bool AddressTable::overwrite_guid(char* begin, std::size_t size, std::uint64_t value) const {
  const std::uint32_t ipv4 = reversed_ipv4(value);
  if (ipv4 == 0 && !guids_.contains(value)) return false;
  overwrite_digits(begin, size,
                   ipv4 == 0 ? guids_.stand_in(value) : HexTable::swapped(mapped_ipv4 << 32U | ipv4_.stand_in(ipv4)));
  return true;
}

}  // namespace nccl_analyze::redact
