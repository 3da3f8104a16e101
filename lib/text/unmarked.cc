// Recognises records without a marker by their level, or by the first words of their message.

#include "text/unmarked.h"

#include "text/blanks.h"
#include "text/head.h"

namespace nccl_analyze {

namespace {

/// Sets `message` and `text` of a record whose message extends from position `message` to the end of the line.
void end_at_line(std::string_view line, std::size_t message, RecordView& record) {
  record.message = line.substr(message);
  record.message = record.message.substr(0, record.message.find('\r'));
  record.message = without_closing_quote(line.substr(0, record.start), record.message);
  const auto end = static_cast<std::size_t>(record.message.data() - line.data()) + record.message.size();
  record.text = line.substr(record.start, end - record.start);
}

/// Parses a record without a marker, in which the level directly follows the prefix: a record of NCCL up to 2.3, or an
/// error of RCCL (2.28).
Unmarked read_level(std::string_view line, RecordView& record) {
  constexpr std::string_view info = "INFO ", warn = "WARN ", error = "[FATAL ERROR]: ";
  for (const std::string_view word : {info, warn, error}) {
    const std::size_t marker = line.find(word);
    if (marker == std::string_view::npos || marker < 2 || line[marker - 1] != ' ') continue;
    RecordView read;
    read_head(line, 0, marker, read);
    const std::string_view location = read.origin.location;
    if (read.origin.device < 0 || (word == warn) == location.empty()) continue;
    read.level = word == warn ? Level::warn : word == error ? Level::error : Level::info;
    if (!read.has_prefix && (word != warn || location.find(".c") == std::string_view::npos)) continue;
    record = read;
    end_at_line(line, marker + word.size(), record);
    return read.has_prefix ? Unmarked::certain : Unmarked::likely;
  }
  return Unmarked::none;
}

/// Whether `text` is blank or ends like a decoration of a launcher or collector.
bool may_be_decoration(std::string_view text) {
  text = trimmed_end(text);
  if (text.empty()) return true;
  const bool tagged = text.ends_with(':') && text.size() > 1;
  const char last = tagged ? text[text.size() - 2] : text.back();
  return std::string_view{"]>|)"}.find(last) != std::string_view::npos || (tagged && last >= '0' && last <= '9');
}

}  // namespace

Unmarked read_unmarked(std::string_view line, RecordView& record) {
  if (const Unmarked found = read_level(line, record); found != Unmarked::none) return found;
  constexpr std::string_view beginnings[] = {"NET/OFI ", "NET/IB ", "Channel ", "ncclSocketInit: "};
  for (const std::string_view beginning : beginnings) {
    const std::size_t at = line.find(beginning);
    if (at == std::string_view::npos || !may_be_decoration(line.substr(0, at))) continue;
    record.start = at;
    end_at_line(line, at, record);
    const bool alone = line.find_first_not_of(" \t") == at && beginning.front() == 'N';
    return alone ? Unmarked::certain : Unmarked::likely;
  }
  return Unmarked::none;
}

}  // namespace nccl_analyze
