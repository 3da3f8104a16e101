#pragma once
// Finds the places in a line where names stand. A word there is a name even if it is in the vocabulary.

#include <cstddef>
#include <string_view>

namespace nccl_analyze::redact {

/// Whether `text` is what follows the host in a prefix of NCCL: `:152:386 [`.
bool goes_on_as_prefix(std::string_view text);

/// Whether a name may stand between `before` and `behind`. There, a known name that is also a common word counts as a
/// name.
bool is_place_of_name(std::string_view before, std::string_view behind);

/// Whether only a name can stand between `before` and `behind`: `on node NAME`, `NAME<29500>`, `(NAME, 29500)`,
/// `NAME@`.
bool is_place_of_names_alone(std::string_view before, std::string_view behind);

/// Whether the text between `before` and `behind` is the user or the password in a URL: `https://user:password@host`.
bool is_in_userinfo(std::string_view before, std::string_view behind);

/// Whether `behind` begins with the sign and the domain of a mail address: `@example.org`.
bool is_before_domain(std::string_view behind);

/// Whether a word begins a list of hosts as Slurm writes it, with numbers in brackets: `gpu[001-004]`.
bool begins_host_list(std::string_view word, std::string_view behind);

/// Whether `before` ends in the brackets of a range of addresses, before or in a number: `10.44.7.[91-95]`.
bool is_in_range_of_addresses(std::string_view before);

/// A range of bytes in a line.
struct ByteRange {
  std::size_t begin = 0, end = 0;
  bool holds(std::size_t at) const { return begin <= at && at < end; }
};

/// Returns where the host and the program stand in a prefix of syslog or the journal, `zephyr kernel:` of `Jan 31
/// 10:00:00 zephyr kernel: text`; an empty range if the line has none.
ByteRange names_of_syslog(std::string_view line);

/// Whether a word before a record, in lower case, is not a host but a level, a stream, a usual program, or a month.
bool is_word_of_prefix(std::string_view word);

/// Whether the text at `begin`, which has digits, belongs to an address that is cut or half masked: `eth0:130.237.44`,
/// `eth0:2001:6b0:17`, `10.44.7.*`, `130.237/16`.
bool is_piece_of_address(std::string_view line, std::size_t begin, std::size_t end);

}  // namespace nccl_analyze::redact
