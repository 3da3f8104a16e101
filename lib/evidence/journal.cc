// Finds the message in an entry of the journal by its key, because other fields, such as the command line of the
// process, may contain the same words.

#include "evidence/journal.h"

#include <charconv>
#include <utility>

#include "evidence/json_parse.h"
#include "evidence/json_values.h"

namespace nccl_analyze::evidence {

namespace {

/// Appends a value of MESSAGE: a string; a list of bytes, which journalctl prints for text with control characters and
/// for text that is not UTF-8; or a list of such values, separated by newlines. Returns false for other values.
bool append_message(std::string& out, const Json& value, bool nested = false) {
  if (value.is_string()) {
    out += value.get_ref<const std::string&>();
    return true;
  }
  if (!value.is_array()) return false;
  const bool is_bytes = !value.empty() && value.front().is_number();
  for (std::size_t i = 0; i < value.size(); ++i) {
    const Json& part = value[i];
    if (!is_bytes) {
      if (i > 0) out.push_back('\n');
      if (nested || !append_message(out, part, true)) return false;
    } else if (part.is_number_unsigned() && part.get<std::uint64_t>() <= 0xff) {
      out.push_back(static_cast<char>(part.get<unsigned char>()));
    } else {
      return false;
    }
  }
  return true;
}

std::int64_t number_in(std::string_view text) {
  std::int64_t number = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc{} && end == text.data() + text.size() && number >= 0 ? number : -1;
}

}  // namespace

std::optional<JournalEntry> read_journal_entry(std::string_view line) {
  constexpr std::string_view signs[] = {"\"MESSAGE\"", "\"__REALTIME_TIMESTAMP\""};
  if (!line.starts_with('{')) return std::nullopt;
  for (const std::string_view sign : signs)
    if (line.find(sign) == std::string_view::npos) return std::nullopt;
  const std::optional<Json> fields = parse_json(line);
  if (!fields || !fields->is_object()) return std::nullopt;
  JournalEntry entry;
  const auto message = fields->find("MESSAGE");
  if (message == fields->end() || !append_message(entry.message, *message)) return std::nullopt;
  const std::string_view host = text(*fields, "_HOSTNAME");
  entry.host = host.substr(0, host.find('.'));
  entry.pid = text(*fields, "_TRANSPORT") == "kernel" ? 0 : number_in(text(*fields, "_PID"));
  entry.container = text(*fields, "CONTAINER_NAME");
  entry.time = text(*fields, "__REALTIME_TIMESTAMP");
  return entry;
}

}  // namespace nccl_analyze::evidence
