#pragma once
// Forms of words that tell nothing about the owner of a log: numbers, versions, quantities, dates, devices.

#include <cstddef>
#include <string_view>

namespace nccl_analyze::redact {

/// Where a word may stay because of its form. What may be an address in any of its spellings, and long numbers, may
/// stay nowhere.
enum class Form : unsigned char {
  unknown,
  /// A number of at most eight digits, a version, a range, a date, a number with its unit, a word for something that is
  /// counted with its number (`gpu3`, `cuda12.4`), the usual name of a network interface or card (`enp12s0f1`,
  /// `mlx5_0`), or words of the vocabulary with separators between them.
  harmless,
  version,  ///< `12.4.131`, behind a word that says so: it may also be the begin of an address.
  bus_id,   ///< `1b000`, in brackets or behind a word that says so: it may also be a part of an id.
  level,    ///< `E0131`, `W`, where loggers print these.
  time      ///< `1766937600123`, where a time stands: serial numbers look like it.
};
Form form_of(std::string_view word);

/// The length of the version at the start of a word which is more than that: `5.15.0-1063` of `5.15.0-1063-acme`,
/// `cuda12.0` of `cuda12.0-acme`; 0 if there is none.
std::size_t version_length(std::string_view word);

/// The length of a telephone number in groups at the start of `text`, `+46 8 790 60 00`; 0 if there is none.
std::size_t phone_length(std::string_view text);

/// Whether a word is the name of a network interface or card.
bool is_interface(std::string_view word);

/// Whether a word is an instance of EC2: `p5en.48xlarge`, `p6-b200.48xlarge`, `g5.metal`.
bool is_instance_type(std::string_view word);

/// The length of a PCI address at the start of `text`: `0000:3b:00.0`, `3b:00.0`; 0 if there is none.
std::size_t bus_id_length(std::string_view text);

/// The length of hexadecimal numbers with colons between them that may be an address or a GUID; 0 if there are none.
/// `10:00:00` and `::` are none.
std::size_t colon_run_length(std::string_view text);

}  // namespace nccl_analyze::redact
