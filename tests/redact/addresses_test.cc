// Tests that addresses are found where they stand and that their stand-ins keep equality, subnets and length.

#include "redact/addresses.h"

#include <string>
#include <string_view>

#include "catch.h"

namespace nccl_analyze::redact {
namespace {

std::uint32_t ipv4(std::string_view text) {
  std::uint32_t address = 0;
  REQUIRE(ipv4_length(text, '.', address) == text.size());
  return address;
}

std::string stand_in(const AddressTable& table, std::string text) {
  std::uint32_t address = 0;
  Ipv6 ipv6;
  std::size_t tail = 0;
  if (const std::size_t size = ipv4_length(text, '.', address); size > 0)
    table.overwrite_ipv4(text.data(), size, address);
  else if (const std::size_t length = ipv6_length(text, ipv6, tail); length > 0)
    table.overwrite_ipv6(text.data(), length, tail, ipv6);
  return text;
}

TEST_CASE("redact addresses: what is an IPv4 address") {
  std::uint32_t address = 0;
  CHECK(ipv4_length("10.0.4.51<0>", '.', address) == 9);
  CHECK(address == 0x0a000433);
  CHECK(ipv4_length("10.0.0.1. Then", '.', address) == 8);
  CHECK(ipv4_length("10-0-4-51", '-', address) == 9);
  for (const char* const none : {"10.0.0.1.5", "10.0.0", "2.27.3", "10.0.0.256", "10.0.0.01", "1.2.3.4a", ""})
    CHECK(ipv4_length(none, '.', address) == 0);
}

TEST_CASE("redact addresses: what is an IPv6 address") {
  Ipv6 address;
  std::size_t tail = 0;
  CHECK(ipv6_length("fe80::a42:a1ff:fe12:3456%eth0<0>", address, tail) == 24);
  CHECK(address.high == 0xfe80'0000'0000'0000U);
  CHECK(address.low == 0x0a42'a1ff'fe12'3456U);
  CHECK(ipv6_length("::ffff:10.0.4.51", address, tail) == 16);
  CHECK(tail == 9);
  CHECK(address.low == 0xffff'0a00'0433U);
  CHECK(ipv6_length("0000:0000:0000:0000:0000:ffff:0a00:0433", address, tail) == 39);
  for (const char* const none : {"::1:2 [0]", "12:34:56", "worker:1:2", "beef:12:34", "0000:4b:00.0", "::"})
    CHECK(ipv6_length(none, address, tail) == 0);
}

TEST_CASE("redact addresses: stand-ins keep subnets, length and order") {
  AddressTable table;
  for (const char* const one :
       {"10.0.4.51", "10.0.4.7", "10.0.5.51", "10.1.4.51", "192.168.1.20", "172.17.0.2", "8.8.4.4"})
    table.add(ipv4(one));
  table.choose();
  const std::string a = stand_in(table, "10.0.4.51"), b = stand_in(table, "10.0.4.7"), c = stand_in(table, "10.0.5.51");
  CHECK(a.size() == 9);
  CHECK(a != "10.0.4.51");
  CHECK(a.substr(0, a.rfind('.')) == b.substr(0, b.rfind('.')));
  CHECK(a.substr(0, 4) == c.substr(0, 4));
  CHECK(a.substr(0, a.rfind('.')) != c.substr(0, c.rfind('.')));
  CHECK(a < c);
  CHECK(stand_in(table, "10.1.4.51").substr(0, 4) != a.substr(0, 4));
  CHECK(stand_in(table, "192.168.1.20").starts_with("192.168."));
  CHECK(stand_in(table, "172.17.0.2").starts_with("172."));
  CHECK(stand_in(table, "8.8.4.4").size() == 7);
  for (const char* const kept : {"127.0.0.1", "169.254.170.2", "169.254.169.254", "0.0.0.0", "255.255.255.255",
                                 "255.255.252.0", "224.0.0.251", "::1"})
    CHECK(stand_in(table, kept) == kept);
}

TEST_CASE("redact addresses: no stand-in is an address of the inputs, however many there are") {
  AddressTable table;
  for (std::uint32_t second = 0; second < 10; ++second)
    for (std::uint32_t last = 0; last < 256; ++last) table.add(10U << 24U | second << 16U | last);
  table.choose();
  std::set<std::uint32_t> given;
  for (const std::uint32_t address : table.ipv4().addresses()) given.insert(table.ipv4().stand_in(address));
  CHECK(given.size() == table.ipv4().addresses().size());
  for (const std::uint32_t address : given) CHECK_FALSE(table.ipv4().addresses().contains(address));
}

TEST_CASE("redact addresses: a GID holds the address of its interface or the GUID of its port") {
  AddressTable table;
  table.add(ipv4("10.0.4.51"));
  table.add(Ipv6{0xfe80'0000'0000'0000U, 0xb8ce'f603'000a'bcdeU});
  table.choose();
  const std::string address = stand_in(table, "10.0.4.51");
  CHECK(stand_in(table, "::ffff:10.0.4.51") == "::ffff:" + address);
  const std::string gid = stand_in(table, "fe80::b8ce:f603:a:bcde");
  CHECK(gid.size() == 22);
  CHECK(gid.starts_with("fe80::"));
  CHECK(stand_in(table, "fe80:0000:0000:0000:b8ce:f603:000a:bcde").starts_with("fe80:0000:0000:0000:"));
  std::string guid = "b8cef603000abcde", reversed = "DEBC0A0003F6CEB8";
  table.overwrite_guid(guid.data(), guid.size(), 0xb8ce'f603'000a'bcdeU);
  table.overwrite_guid(reversed.data(), reversed.size(), 0xdebc'0a00'03f6'ceb8U);
  CHECK(guid != "b8cef603000abcde");
  CHECK(HexTable::swapped(std::stoull(guid, nullptr, 16)) == std::stoull(reversed, nullptr, 16));
  CHECK(gid ==
        "fe80::" + guid.substr(0, 4) + ":" + guid.substr(4, 4) + ":" + guid.substr(11, 1) + ":" + guid.substr(12));
}

}  // namespace
}  // namespace nccl_analyze::redact
