// Implements the sender cache, and the search for records in lines that are not plain.

#include "text/prefix.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cctype>
#include <cstring>
#include <limits>
#include <optional>
#include <utility>

#include "text/decoration.h"
#include "text/digits.h"
#include "text/head.h"
#include "text/line_scan.h"
#include "text/sixteen.h"

namespace nccl_analyze {

namespace {

struct LevelWord {
  std::string_view word;
  Level level;
};
constexpr LevelWord level_words[] = {{"INFO", Level::info}, {"WARN", Level::warn},   {"TRACE", Level::trace},
                                     {"CALL", Level::call}, {"ABORT", Level::abort}, {"DIAG", Level::diag}};

const LevelWord* level_at(std::string_view rest) {
  for (const LevelWord& entry : level_words)
    if (rest.starts_with(entry.word) &&
        (rest.size() == entry.word.size() || rest[entry.word.size()] == ' ' || rest[entry.word.size()] == '\r'))
      return &entry;
  return nullptr;
}

/// Returns the length of a version line without a prefix at the start of `text`; 0 if there is none. Before 2.22, and
/// at level VERSION, NCCL prints `NCCL version 2.27.3+cuda12.9` without a prefix; other programs quote this text in
/// their own lines.
std::size_t version_length(std::string_view text) {
  constexpr std::string_view introductions[] = {"NCCL version ", "RCCL version : ", "RCCL version ", "nccl=="};
  constexpr std::string_view compiled = " compiled with CUDA ";
  for (const std::string_view introduction : introductions) {
    if (!text.starts_with(introduction)) continue;
    const std::string_view rest = text.substr(introduction.size());
    if (rest.empty() || !is_digit(rest.front())) continue;
    const auto is_word = [rest](std::size_t at) {
      return at < rest.size() && std::isalnum(static_cast<unsigned char>(rest[at])) != 0;
    };
    const auto token_end = [&](std::size_t from) {
      while (is_word(from) ||
             (from < rest.size() && std::string_view{"+-._"}.find(rest[from]) != std::string_view::npos))
        ++from;
      return from;
    };
    std::size_t end = token_end(0);
    if (rest.substr(0, end).find('-') != std::string_view::npos && rest.substr(end).starts_with(':') &&
        is_word(end + 1))
      end = token_end(end + 1);  // the branch is followed by the commit: `2.21.5-HEAD:9a0e6a1`
    if (const std::size_t toolkit = rest.substr(0, end).find("+cuda"); toolkit != std::string_view::npos) {
      end = std::min(rest.find_first_not_of("0123456789.", toolkit + 5),
                     rest.size());            // the next record may follow without a blank
      if (end == toolkit + 5) end = toolkit;  // Bazel's builds print `+cudaCUDA_MAJOR.CUDA_MINOR`
    }
    const std::string_view version = rest.substr(0, end);
    if (version.find('.') == std::string_view::npos) continue;
    if (rest.substr(end).starts_with(compiled))
      end = token_end(end + compiled.size());
    else if (text.starts_with('R') && version.find("+hip") != std::string_view::npos)
      end = std::min(rest.find('\r'), rest.size());  // RCCL appends its branch and commit
    while (end > 0 && rest[end - 1] == '.') --end;
    return introduction.size() + end;
  }
  return 0;
}

/// Returns the part of `line` from `start` to `end`; empty if `end` is not after `start`.
std::string_view between(std::string_view line, std::size_t start, const char* end) {
  const auto stop = static_cast<std::size_t>(end - line.data());
  return line.substr(start, stop > start ? stop - start : 0);
}

/// Whether a host starts exactly at `start`: the byte before it belongs neither to a longer host name nor to a
/// timestamp that a launcher printed directly before the host.
bool is_host_start(std::string_view line, std::size_t start) {
  return start == 0 || (!is_host_char(line[start - 1]) && line[start - 1] != ':' && line[start - 1] != '>');
}

/// Whether `host` may start with the line number of a `grep -n` context line: `11-node-0`.
bool may_be_numbered(std::string_view host) {
  const std::size_t end = host.find_first_not_of("0123456789");
  return end != 0 && end != std::string_view::npos && host[end] == '-';
}

/// Returns the eight bytes before `end`; 0 if there are fewer.
std::uint64_t word_before(std::string_view line, std::size_t end) {
  std::uint64_t word = 0;
  if (end >= sizeof word) std::memcpy(&word, line.data() + end - sizeof word, sizeof word);
  return word;
}

}  // namespace

std::string_view without_repeat_note(std::string_view message) {
  constexpr std::string_view repeated = " [repeated ";
  if (message.find(repeated.substr(1)) == std::string_view::npos) return message;  // `[` is rarer than a blank
  const std::size_t mark = message.rfind(repeated);
  const std::size_t times = mark == std::string_view::npos ? mark : message.find("x across cluster]", mark);
  return times == std::string_view::npos ? message : trimmed_end(message.substr(0, mark));
}

std::string_view without_closing_quote(std::string_view decoration, std::string_view message) {
  decoration = trimmed_end(decoration);
  if (decoration.empty()) return trimmed_end(message);
  message = without_collector_suffix(message);
  if (message.empty()) return message;
  constexpr std::string_view stars = "**";
  if (decoration.ends_with(stars) && message.ends_with(stars)) return message.substr(0, message.size() - stars.size());
  const char opened = decoration.back();
  if (opened == '"' || opened == '`') {  // the message ends at the first unescaped quote
    std::size_t close = message.find(opened);
    while (close != std::string_view::npos && close > 0 && message[close - 1] == '\\')
      close = message.find(opened, close + 1);
    return close == std::string_view::npos ? message : trimmed_end(message.substr(0, close));
  }
  if (opened != '\'' && opened != '|') return message;
  std::string_view body = message.ends_with(',') ? message.substr(0, message.size() - 1) : message;
  if (!body.ends_with(opened)) return message;
  body = trimmed_end(body.substr(0, body.size() - 1));
  if (opened == '\'' && body.ends_with("\\n")) body = trimmed_end(body.substr(0, body.size() - 2));  // from repr()
  return body;
}

void read_location(std::string_view& message, std::string_view& location) {
  const std::string_view text = message;
  const std::size_t open = first_blank(text);
  if (open >= max_location) return;
  const std::string_view file_and_line = text.substr(0, open);
  const std::size_t colon = file_and_line.rfind(':');
  if (colon == std::string_view::npos || file_and_line.substr(0, colon).find('.') == std::string_view::npos ||
      file_and_line.find_first_not_of("0123456789", colon + 1) != std::string_view::npos)
    return;
  const std::size_t close = text.find(") ", open);
  if (close == std::string_view::npos || text.substr(open + 2, close - open - 2).find(' ') != std::string_view::npos)
    return;
  location = text.substr(0, close + 1);
  message = text.substr(close + 2);
}

bool CachedDecoration::differs_in_digits_only(std::string_view decoration) const {
  if (decoration.size() != text.size()) return false;
  std::size_t at = 0;
  const auto alike = [&](std::size_t from) {
    const Bytes16 a = load_16(decoration.data() + from), b = load_16(text.data() + from), same = is(a, b);
    return ByteMask(same).all() || ByteMask(same | (in_range(a, '0', 10) & in_range(b, '0', 10))).all();
  };
  for (; at + 16 <= text.size(); at += 16)
    if (!alike(at)) return false;
  if (at != 0) return at == text.size() || alike(text.size() - 16);
  for (; at < text.size(); ++at)
    if (decoration[at] != text[at] && !(is_digit(decoration[at]) && is_digit(text[at]))) return false;
  return true;
}

std::unique_ptr<const CachedDecoration> CachedDecoration::of(std::string_view decoration) {
  constexpr std::size_t max_size = 256;
  const std::string_view closed = trimmed_end(decoration);
  if (decoration.empty() || decoration.size() > max_size || is_partial(decoration)) return nullptr;
  if (!closed.empty() && std::string_view{"\"`'|"}.find(closed.back()) != std::string_view::npos) return nullptr;
  Origin origin;
  read_decoration(decoration, origin);
  const auto position = [&](std::string_view part) {
    return part.empty() ? 0 : static_cast<std::size_t>(part.data() - decoration.data());
  };
  if (position(origin.decoration) != 0) return nullptr;
  CachedDecoration cached{.text = std::string(decoration),
                          .size = origin.decoration.size(),
                          .pod = position(origin.pod),
                          .pod_size = origin.pod.size(),
                          .container = position(origin.container),
                          .container_size = origin.container.size()};
  return std::make_unique<const CachedDecoration>(std::move(cached));
}

/// Hashes the last 16 bytes of the prefix: pid, tid and device differ there between senders.
std::size_t SenderCache::first_slot(std::string_view line, std::size_t marker) const {
  constexpr std::uint64_t odd = 0x9e3779b97f4a7c15;
  const std::uint64_t last = word_before(line, marker) * odd;
  const std::uint64_t both =
      (last ^ (last >> 29U) ^ word_before(line, marker - std::min<std::size_t>(marker, 8))) * odd;
  return static_cast<std::size_t>(both >> 32U) & (recent_.size() - 2);
}

Sender* SenderCache::find(std::string_view line, std::size_t marker) {
  const std::size_t first = first_slot(line, marker);
  for (const std::size_t slot : {first, first + 1}) {
    Sender& cached = recent_[slot];
    const std::size_t size = cached.text.size();
    if (size == 0 || size > marker || line.substr(marker - size, size) != cached.text) continue;
    if (!is_host_start(line, marker - size)) return nullptr;
    last_slot_ = slot;
    return &cached;
  }
  return nullptr;
}

Sender* SenderCache::find_other_head(std::string_view text, std::size_t marker) {
  Sender* const other = find({text.data(), marker}, marker);
  return other != nullptr && other->has_decoration_like({text.data(), marker - other->text.size()}) ? other : nullptr;
}

Sender* SenderCache::find_or_read(std::string_view line, std::size_t marker) {
  if (Sender* const cached = on_ ? find(line, marker) : nullptr) return cached;
  const std::optional<Prefix> prefix = prefix_before(line, 0, marker);
  if (!prefix || prefix->host.empty() || !is_host_start(line, prefix->start) ||
      !std::all_of(prefix->host.begin(), prefix->host.end(), is_host_char))
    return nullptr;
  if (++misses_ > recent_.size() / 4 && recent_.size() < max_slots) {
    recent_ = std::vector<Sender>(8 * recent_.size());  // drops all senders, which are soon cached again
    misses_ = last_slot_ = 0;
  }
  const std::size_t first = first_slot(line, marker);
  std::swap(recent_[first], recent_[first + 1]);
  recent_[first] = {.text = std::string(line.substr(prefix->start, marker - prefix->start)),
                    .host_size = prefix->host.size(),
                    .pid = prefix->pid,
                    .tid = prefix->tid,
                    .device = prefix->device,
                    .number = on_ ? ++last_number_ : 0,
                    .numbered = may_be_numbered(prefix->host)};
  return &recent_[first];
}

std::string_view SenderCache::read_new_decoration(std::string_view line, std::size_t marker, Sender& sender,
                                                  RecordView& record, Origin& origin) const {
  origin.timestamp = timestamp_before(line, 0, record.start);
  const std::string_view decoration = line.substr(0, record.start);
  record.partial = is_partial(decoration);
  read_decoration(decoration, origin);
  if (on_ && record.start + sender.text.size() == marker) sender.decoration = CachedDecoration::of(decoration);
  const std::string_view message = message_after_level(line, marker);
  return decoration.empty() ? trimmed_end(message) : without_closing_quote(decoration, message);
}

std::string_view SenderCache::host_at_start(std::string_view line, std::size_t marker) {
  const Sender* const sender = find_or_read(line, marker);
  return sender != nullptr && sender->text.size() == marker ? line.substr(0, sender->host_size) : std::string_view{};
}

namespace {

/// Trims the message of a record, which extends to the next record or the end of the line, and sets the fields that
/// depend on the message's end. `last`: whether this is the last record of the line.
void end_record(std::string_view line, bool last, RecordView& record) {
  record.ended = last ? RecordEnd::line : RecordEnd::record;
  record.message = record.message.substr(0, record.message.find('\r'));
  if (last) {
    const std::string_view decoration = line.substr(0, record.start);
    if (decoration.find('\t') != std::string_view::npos)  // tab-separated columns
      record.message = record.message.substr(0, record.message.find('\t'));
    record.message = without_closing_quote(decoration, record.message);
  }
  const std::size_t size = record.message.size();
  record.message = trimmed_end(record.message);
  if (!last && record.message.size() < size) record.ended = RecordEnd::blank;
  if (record.level == Level::info && may_begin_with_location(record.message))
    read_location(record.message, record.origin.location);
  record.text = between(line, record.start, record.message.data() + record.message.size());
}

}  // namespace

void find_records(std::string_view line, std::vector<RecordView>& found) {
  const std::size_t first = found.size();
  std::size_t floor = 0;
  for (std::size_t marker = find_marker(line); marker != std::string_view::npos;
       marker = find_marker(line, marker + 5)) {
    const std::string_view rest = line.substr(marker + 5);
    const LevelWord* const entry = line[marker] == 'N' ? level_at(rest) : nullptr;
    // After the first record, a version line is part of a message, as in plain lines.
    const std::size_t version = entry == nullptr && found.size() == first ? version_length(line.substr(marker)) : 0;
    if (entry == nullptr && version == 0) continue;
    RecordView& record = found.emplace_back();
    if (entry != nullptr) {
      record.level = entry->level;
      record.message = rest.substr(std::min(rest.size(), entry->word.size() + 1));
      read_head(line, floor, marker, record);
      floor = marker + 5 + entry->word.size();
    } else {
      record.level = Level::version;
      record.start = marker;
      record.origin.timestamp = timestamp_before(line, floor, record.start);
      record.message = line.substr(marker, version);
      floor = marker + version;
    }
    if (found.size() < first + 2) continue;
    RecordView& before = found[found.size() - 2];
    if (before.level == Level::version) continue;
    const auto begin = static_cast<std::size_t>(before.message.data() - line.data());
    before.message = line.substr(begin, record.start > begin ? record.start - begin : 0);
  }
  for (std::size_t i = first; i < found.size(); ++i) end_record(line, i + 1 == found.size(), found[i]);
}

}  // namespace nccl_analyze
