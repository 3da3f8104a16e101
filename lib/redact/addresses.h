#pragma once
// Stand-ins of addresses: IPv4, IPv6, and the GUIDs of network cards. Addresses are overwritten in place with as many
// digits as they have. An exact list of addresses stays that are the same everywhere: Ipv4Table::is_kept().

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <unordered_set>

namespace nccl_analyze::redact {

/// Finds an address at the start of `text`. Returns its length, or 0. An address ends where no letter or digit follows.
std::size_t ipv4_length(std::string_view text, char separator, std::uint32_t& address);

/// Whether the word is an IPv4 address in which the poster has replaced numbers by x: `10.44.xx.xx`.
bool is_half_masked_address(std::string_view word);

struct Ipv6 {
  std::uint64_t high = 0, low = 0;
};
/// Also finds GIDs, which have the notation of IPv6. Short forms such as `::1:2` are no addresses, because prefixes of
/// NCCL without a host look like them. `tail`: the length of an IPv4 address at the end.
std::size_t ipv6_length(std::string_view text, Ipv6& address, std::size_t& tail);

/// Six or eight bytes in pairs of digits: `b8:ce:f6:00:12:34`, `b8-ce-f6-03-00-0a-bc-de`.
std::size_t pairs_length(std::string_view text, std::uint64_t& value);

/// Stand-ins of IPv4 addresses: equal numbers before equal prefixes stay equal, so that subnets of 8, 16 and 24 bits
/// are kept, and each number has as many digits as before. Stand-ins sort as the addresses do, as text. A private,
/// loopback, link-local or multicast address stays one where there is room.
class Ipv4Table {
 public:
  void add(std::uint32_t address) {
    if (!is_kept(address)) addresses_.insert(address);
  }
  /// Notes an address with its stand-in of an earlier run.
  void fix(std::uint32_t address, std::uint32_t stand_in) {
    add(address);
    if (addresses_.contains(address)) fixed_.emplace(address, stand_in);
  }
  void choose();
  std::uint32_t stand_in(std::uint32_t address) const;
  const std::set<std::uint32_t>& addresses() const { return addresses_; }
  /// Whether the address stays as it is.
  static bool is_kept(std::uint32_t address);

 private:
  /// The first `level` numbers of addresses of which the first `kept` numbers stay.
  struct Prefix {
    int kept = 0, level = 0;
    std::uint32_t numbers = 0;
    friend auto operator<=>(const Prefix&, const Prefix&) = default;
  };
  using Numbers = std::map<Prefix, std::set<std::uint32_t>>;  ///< The next numbers of the addresses of a prefix.

  /// Assigns the numbers that stand-ins of an earlier run have.
  void apply_fixed();
  /// Assigns numbers behind a prefix of which some have stand-ins of an earlier run.
  void assign_others(const Prefix& prefix, const std::set<std::uint32_t>& used);
  int kept_numbers(std::uint32_t address) const;
  static bool is_free(const Prefix& prefix, const std::set<std::uint32_t>& used, std::uint32_t number);
  bool assign(const Prefix& prefix, const std::set<std::uint32_t>& used);
  bool assign_in_order(const Prefix& prefix, const std::set<std::uint32_t>& used);
  Numbers next_numbers() const;

  std::set<std::uint32_t> addresses_;
  std::map<std::uint32_t, std::uint32_t> fixed_;
  std::set<Prefix> full_;  ///< Prefixes of private networks that have no unused numbers.
  std::map<Prefix, std::map<std::uint32_t, std::uint32_t>> numbers_;
};

/// Stand-ins of 64-bit numbers that are printed in hexadecimal: GUIDs, and the halves of IPv6 addresses. Digits that
/// are zero stay zero, so that a stand-in is as long in every notation, also with its bytes in reverse order.
class HexTable {
 public:
  /// The top `kept_digits` digits stay as they are; one less of numbers that begin with less than fc.
  explicit HexTable(int kept_digits = 0) : kept_(kept_digits == 0 ? 0 : ~(~std::uint64_t{0} >> (4 * kept_digits))) {}
  void add(std::uint64_t value);
  /// Notes a number with its stand-in of an earlier run.
  void fix(std::uint64_t value, std::uint64_t stand_in) { stand_ins_.insert_or_assign(value, stand_in); }
  void choose();
  bool contains(std::uint64_t value) const { return stand_ins_.contains(value) || stand_ins_.contains(swapped(value)); }
  /// The stand-in of a number or of one whose bytes are reversed; 0 if neither was added.
  std::uint64_t stand_in(std::uint64_t value) const;
  const std::map<std::uint64_t, std::uint64_t>& all() const { return stand_ins_; }
  static std::uint64_t swapped(std::uint64_t value);

 private:
  std::uint64_t spread(std::uint64_t count, std::uint64_t like) const;

  std::uint64_t kept_;
  std::map<std::uint64_t, std::uint64_t> stand_ins_;
};

/// All addresses of the inputs.
class AddressTable {
 public:
  void add(std::uint32_t ipv4) { ipv4_.add(ipv4); }
  void add(const Ipv6& address);
  void add_guid(std::uint64_t guid) {
    if (guid != 0) guids_.add(guid);
  }
  void fix_ipv4(std::uint32_t address, std::uint32_t stand_in) { ipv4_.fix(address, stand_in); }
  void fix_guid(std::uint64_t guid, std::uint64_t stand_in) { guids_.fix(guid, stand_in); }
  void fix_prefix(std::uint64_t prefix, std::uint64_t stand_in) { prefixes_.fix(prefix, stand_in); }
  /// Notes a number by which NCCL's messages tell communicators and hosts apart. It stays wherever it stands.
  void keep(std::uint64_t number) {
    constexpr std::size_t most = std::size_t{1} << 20U;
    if (kept_.size() < most) kept_.insert(number);
  }
  bool is_kept(std::uint64_t number) const { return kept_.contains(number) && !guids_.contains(number); }
  void choose();

  /// Overwrites an address that ipv4_length() or ipv6_length() found.
  void overwrite_ipv4(char* begin, std::size_t size, std::uint32_t address) const;
  void overwrite_ipv6(char* begin, std::size_t size, std::size_t tail, const Ipv6& address) const;
  /// Overwrites the digits of a known GUID, or of a GID that holds an IPv4 address with its bytes in reverse order.
  /// Other numbers stay. `begin`: hexadecimal digits, with separators between them or none. Returns whether it did.
  bool overwrite_guid(char* begin, std::size_t size, std::uint64_t value) const;

  const Ipv4Table& ipv4() const { return ipv4_; }
  const HexTable& guids() const { return guids_; }
  const HexTable& prefixes() const { return prefixes_; }

 private:
  Ipv6 stand_in(const Ipv6& address) const;

  Ipv4Table ipv4_;
  HexTable guids_, prefixes_{2};
  std::unordered_set<std::uint64_t> kept_;
};

/// The IPv4 address in a GID's lower half that NCCL printed with its bytes in reverse order; 0 if it holds none.
std::uint32_t reversed_ipv4(std::uint64_t value);

}  // namespace nccl_analyze::redact
