// Implements the sender cache.

#include "text/prefix.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

#include "text/decoration.h"
#include "text/digits.h"
#include "text/head.h"
#include "text/sixteen.h"

namespace nccl_analyze {

namespace {

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
  const std::string_view known = text();
  if (decoration.size() != known.size()) return false;
  std::size_t at = 0;
  const auto alike = [&](std::size_t from) {
    const Bytes16 a = load_16(decoration.data() + from), b = load_16(known.data() + from), same = is(a, b);
    return ByteMask(same).all() || ByteMask(same | (in_range(a, '0', 10) & in_range(b, '0', 10))).all();
  };
  for (; at + 16 <= known.size(); at += 16)
    if (!alike(at)) return false;
  if (at != 0) return at == known.size() || alike(known.size() - 16);
  for (; at < known.size(); ++at)
    if (decoration[at] != known[at] && !(is_digit(decoration[at]) && is_digit(known[at]))) return false;
  return true;
}

std::unique_ptr<const CachedDecoration> CachedDecoration::of(std::string_view decoration) {
  const std::string_view closed = trimmed_end(decoration);
  if (decoration.empty() || decoration.size() > max_size || is_partial(decoration)) return nullptr;
  if (!closed.empty() && std::string_view{"\"`'|"}.find(closed.back()) != std::string_view::npos) return nullptr;
  Origin origin;
  read_decoration(decoration, origin);
  const auto position = [&](std::string_view part) {
    return static_cast<std::uint16_t>(part.empty() ? 0 : part.data() - decoration.data());
  };
  if (position(origin.decoration) != 0) return nullptr;
  auto cached = std::make_unique<CachedDecoration>();
  cached->whole_size = static_cast<std::uint16_t>(decoration.size());
  cached->size = static_cast<std::uint16_t>(origin.decoration.size());
  cached->pod = position(origin.pod);
  cached->pod_size = static_cast<std::uint16_t>(origin.pod.size());
  cached->container = position(origin.container);
  cached->container_size = static_cast<std::uint16_t>(origin.container.size());
  std::copy(decoration.begin(), decoration.end(), cached->bytes.begin());
  return cached;
}

/// Hashes the last 16 bytes of the prefix: pid, tid and device differ there between senders.
std::uint32_t SenderCache::hash_of(std::string_view line, std::size_t marker) {
  constexpr std::uint64_t odd = 0x9e3779b97f4a7c15;
  const std::uint64_t last = word_before(line, marker) * odd;
  const std::uint64_t both =
      (last ^ (last >> 29U) ^ word_before(line, marker - std::min<std::size_t>(marker, 8))) * odd;
  return static_cast<std::uint32_t>(both >> 32U);
}

Sender* SenderCache::find(std::string_view line, std::size_t marker) {
  const std::uint32_t hash = hash_of(line, marker);
  const std::size_t first = first_slot(hash);
  for (const std::size_t slot : {first, first + 1}) {
    Sender& cached = recent_[slot];
    const std::size_t size = cached.size;
    if (cached.hash != hash || size == 0 || size > marker ||
        std::memcmp(line.data() + marker - size, cached.text.data(), size) != 0)
      continue;
    if (!is_host_start(line, marker - size)) return nullptr;
    last_slot_ = slot;
    return &cached;
  }
  return nullptr;
}

Sender* SenderCache::find_other_head(std::string_view text, std::size_t marker) {
  Sender* const other = find({text.data(), marker}, marker);
  return other != nullptr && other->has_decoration_like({text.data(), marker - other->size}) ? other : nullptr;
}

Sender* SenderCache::find_or_read(std::string_view line, std::size_t marker) {
  if (Sender* const cached = on_ ? find(line, marker) : nullptr) return cached;
  const std::optional<Prefix> prefix = prefix_before(line, 0, marker);
  if (!prefix || prefix->host.empty() || !is_host_start(line, prefix->start) ||
      !std::all_of(prefix->host.begin(), prefix->host.end(), is_host_char))
    return nullptr;
  const std::string_view text = line.substr(prefix->start, marker - prefix->start);
  const bool fits = text.size() <= Sender::max_size;
  Sender& sender = fits ? slot_for(hash_of(line, marker)) : uncached_;
  sender = {.size = static_cast<std::uint32_t>(text.size()),
            .host_size = static_cast<std::uint32_t>(prefix->host.size()),
            .hash = hash_of(line, marker),
            .device = prefix->device,
            .pid = prefix->pid,
            .tid = prefix->tid,
            .number = on_ && fits && !may_be_numbered(prefix->host) ? ++last_number_ : 0};
  if (fits) std::copy(text.begin(), text.end(), sender.text.begin());
  return &sender;
}

Sender& SenderCache::slot_for(std::uint32_t hash) {
  if (++misses_ > recent_.size() / 4 && recent_.size() < max_slots) {
    recent_ = std::vector<Sender>(8 * recent_.size());  // drops all senders, which are soon cached again
    misses_ = last_slot_ = 0;
  }
  const std::size_t first = first_slot(hash);
  std::swap(recent_[first], recent_[first + 1]);
  return recent_[first];
}

std::string_view SenderCache::read_new_decoration(std::string_view line, std::size_t marker, Sender& sender,
                                                  RecordView& record, Origin& origin) const {
  origin.timestamp = timestamp_before(line, 0, record.start);
  const std::string_view decoration = line.substr(0, record.start);
  record.partial = is_partial(decoration);
  read_decoration(decoration, origin);
  if (on_ && record.start + sender.size == marker) sender.decoration = CachedDecoration::of(decoration);
  const std::string_view message = message_after_level(line, marker);
  return decoration.empty() ? trimmed_end(message) : without_closing_quote(decoration, message);
}

std::string_view SenderCache::host_at_start(std::string_view line, std::size_t marker) {
  const Sender* const sender = find_or_read(line, marker);
  return sender != nullptr && sender->size == marker ? line.substr(0, sender->host_size) : std::string_view{};
}

}  // namespace nccl_analyze
