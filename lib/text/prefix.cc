#include "text/prefix.h"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>

#include "text/lines.h"

namespace nccl_analyze {

namespace {

/// Hosts hold no blanks, colons or brackets (gethostname, cut at the first dot); launchers glue `>` and `|` to them.
constexpr std::array<bool, 256> host_chars = [] {
  std::array<bool, 256> allowed{};
  for (std::size_t c = 0x21; c < allowed.size(); ++c) allowed[c] = c != 0x7f;
  for (const char c : std::string_view{":[]()<>|\""}) allowed[static_cast<unsigned char>(c)] = false;
  return allowed;
}();

bool is_host_char(char c) { return host_chars[static_cast<unsigned char>(c)]; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Reads a number backwards from `end` and moves `end` before it; -1 when there is none or it has over 18 digits.
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

struct Prefix {
  std::size_t start = 0;
  std::string_view host;
  std::int64_t pid = -1, tid = -1;
  int device = -1;
};

/// `host:pid:tid ` or `host:pid:tid [dev] ` that ends exactly at `end`; nothing before `floor` belongs to it.
std::optional<Prefix> prefix_before(std::string_view line, std::size_t floor, std::size_t end) {
  Prefix prefix;
  std::size_t at = end;
  if (at == floor || line[at - 1] != ' ') return std::nullopt;
  --at;
  if (at > floor && line[at - 1] == ']') {
    --at;
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
  while (at > floor && is_host_char(line[at - 1])) --at;
  if (at == host_end) return std::nullopt;
  prefix.start = at;
  prefix.host = line.substr(at, host_end - at);
  return prefix;
}

struct LevelWord {
  std::string_view word;
  Level level;
};
constexpr LevelWord level_words[] = {{"INFO", Level::info},
                                     {"WARN", Level::warn},
                                     {"TRACE", Level::trace},
                                     {"CALL", Level::call},
                                     {"ABORT", Level::abort}};

const LevelWord* level_at(std::string_view rest) {
  for (const LevelWord& entry : level_words)
    if (rest.starts_with(entry.word) &&
        (rest.size() == entry.word.size() || rest[entry.word.size()] == ' ' || rest[entry.word.size()] == '\r'))
      return &entry;
  return nullptr;
}

/// Before 2.22, and at level VERSION, the version line has no prefix: `NCCL version 2.27.3+cuda12.9` and nothing more.
bool is_bare_version(std::string_view rest) {
  constexpr std::string_view word = "version ";
  if (!rest.starts_with(word)) return false;
  rest.remove_prefix(word.size());
  const std::size_t end = rest.find_first_of(" \r");
  const std::string_view version = rest.substr(0, end);
  const std::size_t plus = version.find('+');
  if (version.empty() || !is_digit(version.front()) || plus == std::string_view::npos) return false;
  return end == std::string_view::npos || rest.find_first_not_of(" \r", end) == std::string_view::npos;
}

std::string_view trimmed(std::string_view text) {
  std::size_t size = text.size();
  while (size > 0 && (text[size - 1] == ' ' || text[size - 1] == '\t' || text[size - 1] == '\r')) --size;
  return text.substr(0, size);
}

/// `[2025-12-28 16:04:25] ` right before `start`: moves `start` to it and returns what is inside.
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

void read_prefix(std::string_view line, std::size_t floor, std::size_t marker, FoundRecord& record) {
  record.start = marker;
  std::optional<Prefix> prefix = prefix_before(line, floor, marker);
  if (!prefix) {  // a location stands between: file.cc:12, or a C++ signature with any blanks and brackets
    for (std::size_t at = marker; at > floor + 1 && !prefix;) {
      at = line.substr(0, at - 1).rfind("] ");
      if (at == std::string_view::npos || at < floor) return;
      prefix = prefix_before(line, floor, at + 2);
      if (prefix) record.origin.location = trimmed(line.substr(at + 2, marker - at - 2));
      ++at;
    }
    if (!prefix) return;
  }
  record.has_prefix = true;
  record.origin.host = prefix->host;
  record.origin.pid = prefix->pid;
  record.origin.tid = prefix->tid;
  record.origin.device = prefix->device;
  record.start = prefix->start;
  record.origin.timestamp = timestamp_before(line, floor, record.start);
}

}  // namespace

void find_records(std::string_view line, std::vector<FoundRecord>& found) {
  const std::size_t first = found.size();
  std::size_t floor = 0;
  for (std::size_t marker = find_marker(line); marker != std::string_view::npos;
       marker = find_marker(line, marker + 5)) {
    const std::string_view rest = line.substr(marker + 5);
    const LevelWord* const entry = level_at(rest);
    if (entry == nullptr && !(found.size() == first && is_bare_version(rest))) continue;
    FoundRecord& record = found.emplace_back();
    if (entry != nullptr) {
      record.level = entry->level;
      record.message = rest.substr(std::min(rest.size(), entry->word.size() + 1));
      read_prefix(line, floor, marker, record);
      floor = marker + 5 + entry->word.size();
    } else {
      record.level = Level::version;
      record.start = marker;
      record.origin.timestamp = timestamp_before(line, floor, record.start);
      record.message = line.substr(marker);
      floor = marker + 5;
    }
    if (found.size() < first + 2) continue;
    FoundRecord& before = found[found.size() - 2];
    const auto begin = static_cast<std::size_t>(before.message.data() - line.data());
    before.message = line.substr(begin, record.start > begin ? record.start - begin : 0);
  }
  for (std::size_t i = first; i < found.size(); ++i) {
    FoundRecord& record = found[i];
    record.message = trimmed(record.message.substr(0, record.message.find('\r')));
    const auto end = static_cast<std::size_t>(record.message.data() - line.data()) + record.message.size();
    record.text = line.substr(record.start, end > record.start ? end - record.start : 0);
  }
}

}  // namespace nccl_analyze
