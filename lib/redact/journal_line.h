#pragma once
// Writes an entry of systemd's journal with the members that the analysis reads, and with the message as plain text.

#include <string>
#include <string_view>

#include "evidence/journal.h"

namespace nccl_analyze::redact {

/// Calls take(part) for each line of a message, which may have several.
template <class Take>
void for_each_part(std::string_view message, Take&& take) {
  while (true) {
    const std::size_t newline = message.find('\n');
    take(message.substr(0, newline));
    if (newline == std::string_view::npos) return;
    message.remove_prefix(newline + 1);
  }
}

/// Returns the entry in one line of JSON. A message that journalctl printed as a list of bytes becomes a string, in
/// which bytes that are not UTF-8 become U+FFFD.
std::string to_line(const evidence::JournalEntry& entry);

}  // namespace nccl_analyze::redact
