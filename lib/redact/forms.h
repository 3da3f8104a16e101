#pragma once
// Recognises words whose form tells nothing about the owner of a log: numbers, versions, quantities, dates, devices.

#include <cstddef>
#include <string_view>

namespace nccl_analyze::redact {

/// Where a word may stay in the redacted log, by its form. A word that may be an address in any spelling, or a long
/// number, may stay nowhere.
enum class Form : unsigned char {
  unknown,
  /// The word may stay, except where only a name can stand. It is a number of at most eight digits, a version, a range,
  /// a date, a number with its unit, a counted thing with its number (`gpu3`, `cuda12.4`), the usual name of a network
  /// interface or card (`enp12s0f1`, `mlx5_0`), or consists of words of the vocabulary with separators between them.
  harmless,
  version,  ///< `12.4.131` may be the start of an address. It stays only after a word such as `version`.
  bus_id,   ///< `1b000` may be a part of an id. It stays only in brackets or after a word such as `busId`.
  level,    ///< `E0131` or `W` stays where loggers print it.
  time      ///< `1766937600123` may be a serial number. It stays only at the start of a line or after `["`.
};
Form form_of(std::string_view word);

/// Returns the length of the version at the start of a longer word, `5.15.0-1063` of `5.15.0-1063-acme` or `cuda12.0`
/// of `cuda12.0-acme`; 0 if there is none.
std::size_t version_length(std::string_view word);

/// Returns the length of a telephone number in groups, `+46 8 790 60 00`, at the start of `text`; 0 if there is none.
std::size_t phone_length(std::string_view text);

/// Whether a word is the name of a network interface or card.
bool is_interface(std::string_view word);

/// Whether a word begins as an interface does and has two points or more, as if an address were glued to the name:
/// `eth0.10.44.7.91`, `ib10.44.7`.
bool may_end_with_address(std::string_view word);

/// Whether a word is an EC2 instance type: `p5en.48xlarge`, `p6-b200.48xlarge`, `g5.metal`.
bool is_instance_type(std::string_view word);

/// Returns the length of a PCI address, `0000:3b:00.0` or `3b:00.0`, at the start of `text`; 0 if there is none.
std::size_t bus_id_length(std::string_view text);

/// Returns the length of hexadecimal numbers with colons between them that may be an address or a GUID, at the start of
/// `text`; 0 if there are none. `10:00:00` and `::` do not count.
std::size_t colon_run_length(std::string_view text);

}  // namespace nccl_analyze::redact
