#pragma once
// Gives stand-ins to addresses: IPv4, IPv6, and the GUIDs of network cards. A stand-in is written over its address and
// has the same number of digits. A few addresses that are the same everywhere, such as 127.0.0.1, stay:
// Ipv4Table::is_kept().

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <unordered_set>

namespace nccl_analyze::redact {

/// Finds an IPv4 address, with `separator` between its numbers, at the start of `text`, and sets `address`. Returns its
/// length, or 0 if there is none. No letter or digit may follow it.
std::size_t ipv4_length(std::string_view text, char separator, std::uint32_t& address);

/// Whether a word is an IPv4 address whose author has already replaced numbers by x: `10.44.xx.xx`.
bool is_half_masked_address(std::string_view word);

struct Ipv6 {
  std::uint64_t high = 0, low = 0;
};
/// Finds an IPv6 address, or a GID, which is written in the same way, at the start of `text`. Returns its length, or 0
/// if there is none. Short forms such as `::1:2` do not count, because a prefix of NCCL without its host looks like
/// them. `tail` becomes the length of an IPv4 address at the end.
std::size_t ipv6_length(std::string_view text, Ipv6& address, std::size_t& tail);

/// Finds a MAC or GUID that is written in pairs of digits, `b8:ce:f6:00:12:34` or `b8-ce-f6-03-00-0a-bc-de`, at the
/// start of `text`. Returns its length, or 0 if there is none.
std::size_t pairs_length(std::string_view text, std::uint64_t& value);

/// Gives stand-ins to IPv4 addresses. If two addresses share their first one, two or three numbers, so do their
/// stand-ins, so that a reader sees which hosts are in one subnet. Each number has as many digits as before, and
/// stand-ins sort as text in the order of their addresses. The stand-in of a private, loopback, link-local or multicast
/// address is of the same kind, if enough such addresses are free.
class Ipv4Table {
 public:
  void add(std::uint32_t address) {
    if (!is_kept(address)) addresses_.insert(address);
  }
  /// Notes which stand-in an address had in an earlier run.
  void preset(std::uint32_t address, std::uint32_t stand_in) {
    add(address);
    if (addresses_.contains(address)) preset_.emplace(address, stand_in);
  }
  void choose();
  std::uint32_t stand_in(std::uint32_t address) const;
  const std::set<std::uint32_t>& addresses() const { return addresses_; }
  /// Whether the address is the same on all machines, and therefore needs no stand-in.
  static bool is_kept(std::uint32_t address);

 private:
  /// The prefix of a network: the first `level` octets of its addresses. Stand-ins keep the first `kept` of them, which
  /// show, for example, that the address is private.
  struct Prefix {
    int kept = 0, level = 0;
    std::uint32_t numbers = 0;
    friend auto operator<=>(const Prefix&, const Prefix&) = default;
  };
  using Numbers = std::map<Prefix, std::set<std::uint32_t>>;  ///< For each network, the numbers that follow it.

  /// Uses the numbers that an earlier run assigned.
  void apply_preset();
  /// Assigns the other numbers of a network in which an earlier run assigned some.
  void assign_others(const Prefix& prefix, const std::set<std::uint32_t>& used);
  int kept_numbers(std::uint32_t address) const;
  static bool is_free(const Prefix& prefix, const std::set<std::uint32_t>& used, std::uint32_t number);
  bool assign(const Prefix& prefix, const std::set<std::uint32_t>& used);
  bool assign_in_order(const Prefix& prefix, const std::set<std::uint32_t>& used);
  Numbers next_numbers() const;

  std::set<std::uint32_t> addresses_;
  std::map<std::uint32_t, std::uint32_t> preset_;
  std::set<Prefix> full_;  ///< Private networks in which too few numbers are free.
  std::map<Prefix, std::map<std::uint32_t, std::uint32_t>> numbers_;
};

/// Gives stand-ins to 64-bit numbers that are printed in hexadecimal: GUIDs, and each half of an IPv6 address. A digit
/// 0 stays 0, so that a stand-in is as long as its number wherever a program omits zeros, even if it prints the bytes
/// in reverse order.
class HexTable {
 public:
  /// Stand-ins keep the first `kept_digits` digits of their number, which show that a network is private. If the number
  /// is below 0xfc..., and therefore public, they keep one digit less.
  explicit HexTable(int kept_digits = 0) : kept_(kept_digits == 0 ? 0 : ~(~std::uint64_t{0} >> (4 * kept_digits))) {}
  void add(std::uint64_t value);
  /// Notes which stand-in a number had in an earlier run.
  void preset(std::uint64_t value, std::uint64_t stand_in) { stand_ins_.insert_or_assign(value, stand_in); }
  void choose();
  bool contains(std::uint64_t value) const { return stand_ins_.contains(value) || stand_ins_.contains(swapped(value)); }
  /// Returns the stand-in of a number, or of the number with its bytes in reverse order; 0 if neither was added.
  std::uint64_t stand_in(std::uint64_t value) const;
  const std::map<std::uint64_t, std::uint64_t>& all() const { return stand_ins_; }
  static std::uint64_t swapped(std::uint64_t value);

 private:
  std::uint64_t spread(std::uint64_t count, std::uint64_t like) const;

  std::uint64_t kept_;
  std::map<std::uint64_t, std::uint64_t> stand_ins_;
};

/// Holds all addresses of the inputs and their stand-ins.
class AddressTable {
 public:
  void add(std::uint32_t ipv4) { ipv4_.add(ipv4); }
  void add(const Ipv6& address);
  void add_guid(std::uint64_t guid) {
    if (guid != 0) guids_.add(guid);
  }
  void preset_ipv4(std::uint32_t address, std::uint32_t stand_in) { ipv4_.preset(address, stand_in); }
  void preset_guid(std::uint64_t guid, std::uint64_t stand_in) { guids_.preset(guid, stand_in); }
  void preset_prefix(std::uint64_t prefix, std::uint64_t stand_in) { prefixes_.preset(prefix, stand_in); }
  /// Notes a number by which NCCL identifies communicators or hosts. It stays in all lines, because the analysis needs
  /// it, and it says nothing about the owner.
  void keep(std::uint64_t number) {
    constexpr std::size_t most = std::size_t{1} << 20U;
    if (kept_.size() < most) kept_.insert(number);
  }
  bool is_kept(std::uint64_t number) const { return kept_.contains(number) && !guids_.contains(number); }
  void choose();

  /// Writes the stand-in over an address that ipv4_length() or ipv6_length() found.
  void overwrite_ipv4(char* begin, std::size_t size, std::uint32_t address) const;
  void overwrite_ipv6(char* begin, std::size_t size, std::size_t tail, const Ipv6& address) const;
  /// Writes the stand-in over a known GUID, or over a GID that holds an IPv4 address with its bytes in reverse order.
  /// Other numbers stay. The digits at `begin` may have separators between them. Returns whether anything was written.
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

/// Returns the IPv4 address in the lower half of a GID that NCCL printed with its bytes in reverse order; 0 if that
/// half has none.
std::uint32_t reversed_ipv4(std::uint64_t value);

}  // namespace nccl_analyze::redact
