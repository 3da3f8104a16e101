// Parses heads backwards from the marker, including heads that people shortened or anonymised in posted logs.

#include "text/head.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <limits>

#include "text/blanks.h"
#include "text/digits.h"
#include "text/prefix.h"

namespace nccl_analyze {

namespace {

/// The characters of host names, as gethostname returns them: no blanks, colons or brackets. `>`, `|`, `,` and `;` are
/// excluded because launchers and CSV exports print them directly before a host.
constexpr std::array<bool, 256> host_chars = [] {
  std::array<bool, 256> allowed{};
  for (std::size_t c = 0x21; c < allowed.size(); ++c) allowed[c] = c != 0x7f;
  for (const char c : std::string_view{":[]()<>|,;\"'`"}) allowed[static_cast<unsigned char>(c)] = false;
  return allowed;
}();

// The size of NCCL's buffer for a host name. The limit bounds the memory of caches for hostile logs.
constexpr std::size_t max_host = 1024;

/// Parses the number that ends at `end`, and moves `end` to its first digit. Returns -1 if there is no number or it has
/// more than 18 digits.
std::int64_t number_before(std::string_view line, std::size_t& end) {
  std::int64_t value = 0, scale = 1;
  const std::size_t last = end;
  for (; end > 0 && is_digit(line[end - 1]); --end) {
    if (last - end == 18) return -1;
    value += scale * (line[end - 1] - '0');
    scale *= 10;
  }
  return end == last ? -1 : value;
}

/// Returns the length of the part of `host` that belongs to a timestamp, which a launcher printed directly before the
/// host; 0 if there is none. In `2024-01-25T10:04:25.123Zworker-0`, for example, a backward search for the host stops
/// at the last colon and finds `25.123Zworker-0`.
std::size_t attached_time(std::string_view before, std::string_view host) {
  const auto digits = [](std::string_view text, std::size_t at) {
    return is_digit(text[at]) && is_digit(text[at + 1]);
  };
  const std::size_t n = before.size();
  if (n < 3 || before[n - 1] != ':' || !digits(before, n - 3) || host.size() < 3 || !digits(host, 0)) return 0;
  const bool zone = n >= 4 && (before[n - 4] == '+' || before[n - 4] == '-');
  const bool clock = n >= 6 && before[n - 4] == ':' && digits(before, n - 6);
  if (!zone && !clock) return 0;
  std::size_t at = 2;
  if (clock && (host[at] == '.' || host[at] == ',')) {
    ++at;
    while (at < host.size() && is_digit(host[at])) ++at;
  }
  if (clock && at < host.size() && host[at] == 'Z') return at + 1 < host.size() ? at + 1 : 0;
  if (clock && at + 5 < host.size() && host[at] == '+' && digits(host, at + 1) && digits(host, at + 3)) at += 5;
  return at < host.size() && std::isalpha(static_cast<unsigned char>(host[at])) != 0 ? at : 0;
}

/// Whether the host is dots only: people who shorten a log write `...` in place of a name.
bool is_elided(std::string_view host) { return host.find_first_not_of('.') == std::string_view::npos; }

/// Returns the number of stars before a host, as in Markdown's `**bold**`; 0 if the host consists only of stars,
/// because it was masked.
std::size_t leading_stars(std::string_view host) {
  const std::size_t stars = host.find_first_not_of('*');
  return stars == std::string_view::npos ? 0 : stars;
}

/// Whether `text` is a placeholder with which someone replaced a number: `x`, `xxx`, `<pid>`, `***`.
bool is_placeholder(std::string_view text) {
  if (text.starts_with('<') && text.ends_with('>')) return true;
  return !text.empty() && text.find_first_not_of("xX*#?") == std::string_view::npos;
}

/// Returns the host of a prefix whose numbers were anonymised: `node-1:xxx:xxx [0] `, `node-1:xxx [0] `. Empty if there
/// is none.
std::string_view host_before(std::string_view line, std::size_t floor, std::size_t end) {
  constexpr std::size_t max_prefix = max_host + 64;
  floor = std::max(floor, end - std::min(end, max_prefix));
  std::string_view text = trimmed_end(line.substr(floor, end - floor));
  const std::size_t bracket = text.rfind(" [");
  if (bracket == std::string_view::npos || !text.ends_with(']')) return {};
  text = text.substr(0, bracket);
  text.remove_prefix(text.rfind(' ') + 1);
  int numbers = 0;
  for (; numbers < 2; ++numbers) {
    const std::size_t colon = text.rfind(':');
    if (colon == std::string_view::npos || !is_placeholder(text.substr(colon + 1))) break;
    text = text.substr(0, colon);
  }
  text.remove_prefix(text.find_last_of(":>]") + 1);
  return numbers == 0 || is_placeholder(text) || text.size() > max_host ? std::string_view{} : text;
}

/// Returns the device if only `[0] ` of a prefix can be read before `end`; -1 if there is no such device.
int device_before(std::string_view line, std::size_t floor, std::size_t end) {
  if (end < floor + 4 || line[end - 1] != ' ' || line[end - 2] != ']') return -1;
  std::size_t at = end - 2;
  const std::int64_t device = number_before(line, at);
  const bool bracket = at > floor && line[at - 1] == '[';
  return bracket && device <= std::numeric_limits<int>::max() ? static_cast<int>(device) : -1;
}

/// Whether `text` is a source location: `init.cc:12`, `init.cc:12 (ncclCommInitAll)`, `int start(void*):352`.
bool is_location(std::string_view text) {
  const std::size_t function = text.ends_with(')') ? text.rfind(" (") : std::string_view::npos;
  text = text.substr(0, function);
  const std::size_t colon = text.rfind(':');
  return colon != std::string_view::npos && colon > 0 && colon + 1 < text.size() &&
         text.find_first_not_of("0123456789", colon + 1) == std::string_view::npos;
}

/// Returns the start of the source location that ends at `end` in a line without a prefix; `end` if there is none.
/// `host:12` is not a location: a file name must have a dot, and a function name an underscore or parentheses.
std::size_t location_before(std::string_view line, std::size_t floor, std::size_t end) {
  floor = std::max(floor, end - std::min(end, 2 * max_location));
  const std::string_view text = trimmed_end(line.substr(floor, end - floor));
  if (!is_location(text)) return end;
  const std::size_t function = text.ends_with(')') ? text.rfind(" (") : text.size();
  const std::size_t colon = text.rfind(':', function);
  std::size_t start = text.rfind(' ', function - 1) + 1;
  if (text[colon - 1] == ')') {  // a C++ signature may contain blanks
    start = text.find_first_not_of(' ');
    for (const std::string_view tag_end : {"] ", "]:", ">:"})
      if (const std::size_t tag = text.rfind(tag_end, text.find('(')); tag != std::string_view::npos)
        start = std::max(start, tag + tag_end.size());
    return floor + start;
  }
  const std::size_t tag = text.find_last_of(">]|", colon);
  if (tag != std::string_view::npos && tag >= start) start = tag + (text[tag + 1] == ':' ? 2 : 1);
  if (start >= colon) return end;
  const bool named = text.substr(start, colon - start).find_first_of("._") != std::string_view::npos;
  return named ? floor + start : end;
}

/// Stores the device and host of an anonymised or shortened prefix that ends at `end` in `record`. Returns whether at
/// least one of the two was found.
bool read_partial_prefix(std::string_view line, std::size_t floor, std::size_t end, RecordView& record) {
  record.origin.device = device_before(line, floor, end);
  record.origin.host = host_before(line, floor, end);
  if (!record.origin.host.empty()) record.start = static_cast<std::size_t>(record.origin.host.data() - line.data());
  return record.origin.device >= 0 || !record.origin.host.empty();
}

/// Returns the position after the device of a prefix that ends with `[0][main]`. NCCLX prints the name of the thread
/// after the device. For other prefixes returns `end`, the position after the last bracket.
std::size_t before_thread_name(std::string_view line, std::size_t floor, std::size_t end) {
  const std::size_t open = line.substr(0, end - 1).find_last_of("[]");
  return open != std::string_view::npos && open > floor && line[open] == '[' && line[open - 1] == ']' ? open : end;
}

/// Parses `host:pid `, the prefix of NCCL's diagnostics, which has neither thread nor device. Its host name has a
/// domain, which other lines lack. Returns false if no such prefix ends at `end`.
bool read_short_prefix(std::string_view line, std::size_t floor, std::size_t end, RecordView& record) {
  if (end == floor || line[end - 1] != ' ') return false;
  std::size_t at = end - 1;
  const std::int64_t pid = number_before(line, at);
  if (pid < 0 || at <= floor || line[at - 1] != ':') return false;
  const std::size_t host_end = --at;
  while (at > floor && host_end - at < max_host && is_host_char(line[at - 1])) --at;
  const std::string_view host = line.substr(at, host_end - at);
  if (host.empty() || (at > floor && line[at - 1] == ':')) return false;
  record.has_prefix = true;
  record.origin.host = host.substr(0, host.find('.'));
  record.origin.pid = pid;
  record.start = at;
  record.origin.timestamp = timestamp_before(line, floor, record.start);
  return true;
}

}  // namespace

bool is_host_char(char c) { return host_chars[static_cast<unsigned char>(c)]; }

std::optional<Prefix> prefix_before(std::string_view line, std::size_t floor, std::size_t end) {
  Prefix prefix;
  std::size_t at = end;
  if (at == floor || line[at - 1] != ' ') return std::nullopt;
  --at;
  if (at > floor && line[at - 1] == ']') {
    at = before_thread_name(line, floor, at) - 1;
    const std::int64_t device = number_before(line, at);
    const bool negative = at > floor && line[at - 1] == '-';
    if (negative) --at;
    if (device < 0 || device > std::numeric_limits<int>::max() || at < floor + 2 || line[at - 1] != '[' ||
        line[at - 2] != ' ')
      return std::nullopt;
    prefix.device = static_cast<int>(negative ? -device : device);
    at -= 2;
  }
  prefix.tid = number_before(line, at);
  if (prefix.tid < 0 || at <= floor || line[at - 1] != ':') return std::nullopt;
  --at;
  prefix.pid = number_before(line, at);
  if (prefix.pid < 0 || at <= floor || line[at - 1] != ':') return std::nullopt;
  const std::size_t host_end = --at;
  if (at > floor && line[at - 1] == '>') {  // anonymised host, `<host>:1:2`, unlike a launcher's tag, `<stdout>:`
    const std::size_t open = line.substr(0, at).rfind('<');
    if (open != std::string_view::npos && open >= floor && line.substr(open, at - open).find(' ') == line.npos)
      at = open;
  }
  while (at > floor && is_host_char(line[at - 1])) --at;
  if (host_end - at > max_host) return std::nullopt;
  at += leading_stars(line.substr(at, host_end - at));
  if (at == host_end) {  // anonymised host, `::1:2`
    if (at == floor || line[--at] != ':' || (at > floor && !is_blank(line[at - 1]))) return std::nullopt;
    prefix.start = at;
    return prefix;
  }
  at += attached_time(line.substr(floor, at - floor), line.substr(at, host_end - at));
  prefix.start = at;
  prefix.host = line.substr(at, host_end - at);
  if (is_elided(prefix.host)) prefix.host = {};
  return prefix;
}

std::string_view timestamp_before(std::string_view line, std::size_t floor, std::size_t& start) {
  if (start < floor + 3 || line[start - 1] != ' ' || line[start - 2] != ']') return {};
  const std::size_t open = line.substr(0, start - 2).rfind('[');
  if (open == std::string_view::npos || open < floor) return {};
  const auto inside = line.substr(open + 1, start - open - 3);
  bool digit = false, separator = false;
  for (const char c : inside) {
    digit = digit || is_digit(c);
    separator = separator || c == ':' || c == '-';
    if (!is_digit(c) && c != ':' && c != '-' && c != ' ' && c != '.' && c != 'T' && c != 'Z' && c != '+') return {};
  }
  if (!digit || !separator) return {};
  start = open;
  return inside;
}

void read_head(std::string_view line, std::size_t floor, std::size_t marker, RecordView& record) {
  constexpr int max_tries = 8;  // bounds the search for a partial prefix in lines with many brackets
  if (record.level == Level::diag && read_short_prefix(line, floor, marker, record)) return;
  record.start = marker;
  std::optional<Prefix> prefix;
  bool is_partial_prefix = false;
  // There may be a location between prefix and marker, such as `file.cc:12` or a C++ signature, which may contain
  // blanks and brackets. Therefore the prefix may end at any `] ` before the marker.
  std::size_t end = marker;
  for (int tried = 0; !(prefix = prefix_before(line, floor, end)); ++tried) {
    const std::string_view between = trimmed_end(line.substr(end, marker - end));
    if (!is_partial_prefix && tried < max_tries && (end == marker || is_location(between)) &&
        read_partial_prefix(line, floor, end, record)) {
      is_partial_prefix = true;
      record.origin.location = between;
      if (record.origin.host.empty()) record.start = end;
    }
    const std::size_t at = end > floor + 1 ? line.substr(0, end - 1).rfind("] ") : std::string_view::npos;
    if (at == std::string_view::npos || at < floor) break;
    end = at + 2;
  }
  if (prefix) {
    record.has_prefix = true;
    record.origin.host = prefix->host;
    record.origin.pid = prefix->pid;
    record.origin.tid = prefix->tid;
    record.origin.device = prefix->device;
    record.origin.location = trimmed_end(line.substr(end, marker - end));
    record.start = prefix->start;
    record.origin.timestamp = timestamp_before(line, floor, record.start);
  } else if (!is_partial_prefix) {
    record.start = location_before(line, floor, marker);
    record.origin.location = trimmed_end(line.substr(record.start, marker - record.start));
  }
}

}  // namespace nccl_analyze
