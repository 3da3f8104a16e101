#pragma once
// Reads entries of systemd's journal.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace nccl_analyze::evidence {

/// An entry of the journal, as `journalctl -o json` prints it in one line.
struct JournalEntry {
  std::string message;    ///< The bytes of MESSAGE; several values are separated by newlines.
  std::string host;       ///< The host of the journal up to the first dot; empty: unknown.
  std::int64_t pid = -1;  ///< The process that wrote the message; 0: the kernel; -1: unknown.
  std::string container;  ///< The name that docker or podman gave the container; empty: none.
  std::string time;       ///< The time of arrival in microseconds since 1970, as digits; empty: unknown.
};

/// Parses a line. Empty if the line is no complete entry, or if journalctl left the message out because of its size.
std::optional<JournalEntry> read_journal_entry(std::string_view line);

}  // namespace nccl_analyze::evidence
