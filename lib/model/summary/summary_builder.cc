#include "model/summary/summary_builder.h"

#include <algorithm>
#include <functional>
#include <type_traits>
#include <utility>

#include "model/calls.h"
#include "model/stable_sort.h"
#include "model/summary/kinds.h"
#include "model/summary/usual_prefix.h"
#include "model/timestamp.h"
#include "model/wording.h"
#include "nccl_analyze/parser.h"
#include "text/launcher_tag.h"

namespace nccl_analyze::builder {

namespace {

/// Number of equal records that are kept: as many as an Evidence can have lines.
constexpr std::uint64_t kept_alike = Evidence::max_lines;
constexpr std::uint64_t kept_damaged = 64;
/// Number of lines at the start of each process that are kept with their positions. After that many lines, a garbled
/// host can be recognised as an alias of the process's host (garbled_host.h).
constexpr std::uint32_t few_lines_of_a_process = 4;
/// Limit of equal lines of a topology dump. They are kept up to this limit, because a dump with a missing line is not
/// used.
constexpr std::uint64_t kept_of_dump = 4096;
/// Limit of facts from other tools' output.
constexpr std::uint64_t max_facts = std::uint64_t{1} << 20;
/// Limit of different messages per kind of event. Beyond it, messages that differ only in numbers count as equal, so
/// that retries and addresses cannot fill the memory.
constexpr std::uint64_t max_different = std::uint64_t{1} << 14;

template <class... Parts>
std::uint64_t hash_of(const Parts&... parts) {
  std::uint64_t hash = 0;
  const auto mix = [&hash](std::uint64_t value) { hash = (hash ^ value) * 0x9E3779B97F4A7C15ULL + (hash >> 29); };
  (mix(std::hash<std::decay_t<Parts>>{}(parts)), ...);
  return hash;
}

std::string_view tag_of(const Origin& origin) { return launcher_tag(origin.decoration); }
std::string_view tag_of(const SummaryOrigin& origin) { return origin.tag; }

/// `from` is an Origin or a SummaryOrigin.
template <class From>
std::uint64_t origin_hash(const From& from, Level level, std::string_view before) {
  const auto view = [](std::string_view text) { return text; };
  return hash_of(view(from.host), from.pid, from.tid, from.device, static_cast<int>(level), before, view(from.pod),
                 view(from.container), view(from.location), view(tag_of(from)));
}

std::string_view unusual_prefix(const SummaryOrigin& origin) {
  return origin.before ? std::string_view{*origin.before} : std::string_view{};
}

/// Returns the text of the record before its message; empty if the text does not end with the message, as in a quote of
/// several pieces.
std::string_view text_before(const Record& record) {
  return record.text.ends_with(record.message) ? record.text.substr(0, record.text.size() - record.message.size())
                                               : std::string_view{};
}

/// Whether the text of the record ends with its message.
bool is_plain(const Record& record) { return record.text.ends_with(record.message); }

/// Returns the offset after the digits in `Channel 07/0 : …`; 0 if the message starts differently.
std::size_t channel_end(std::string_view message) {
  constexpr std::string_view words = "Channel ";
  if (!message.starts_with(words)) return 0;
  std::size_t end = words.size();
  while (end < message.size() && message[end] >= '0' && message[end] <= '9') ++end;
  return end;
}

}  // namespace

std::string channel_head(int channel) { return (channel < 10 ? "Channel 0" : "Channel ") + std::to_string(channel); }

std::uint32_t SummaryBuilder::origin_of(const Record& record) {
  const Origin& from = record.origin;
  std::string_view before = text_before(record);
  const bool is_usual = !record.is_fact && (!is_plain(record) || is_usual_prefix(before, from, record.level));
  if (is_usual) before = {};
  const auto origin_at = [this](Index index) -> const SummaryOrigin& {
    return part_.origins[static_cast<std::size_t>(index)];
  };
  const auto is_known = [&](Index index) {
    const SummaryOrigin& kept = origin_at(index);
    return kept.host == from.host && kept.pid == from.pid && kept.tid == from.tid && kept.device == from.device &&
           kept.level == record.level && kept.before.has_value() != is_usual && unusual_prefix(kept) == before &&
           kept.pod == from.pod && kept.container == from.container && kept.location == from.location &&
           kept.tag == tag_of(from);
  };
  const std::uint64_t hash = origin_hash(from, record.level, before);
  if (const Index* const known = origin_index_.find(hash, is_known)) return static_cast<std::uint32_t>(*known);
  const auto number = static_cast<Index>(part_.origins.size());
  SummaryOrigin& made = part_.origins.emplace_back();
  // consecutive origins are often threads or levels of one process, and share the host
  made.host = number > 0 && origin_at(number - 1).host == from.host ? origin_at(number - 1).host : Text(from.host);
  made.pod = from.pod;
  made.container = from.container;
  made.location = from.location;
  made.tag = tag_of(from);
  made.pid = from.pid;
  made.tid = from.tid;
  made.device = from.device;
  made.level = record.level;
  if (!is_usual) made.before = std::string(before);
  origin_index_.add(number, hash, [&](Index index) {
    const SummaryOrigin& kept = origin_at(index);
    return origin_hash(kept, kept.level, unusual_prefix(kept));
  });
  return static_cast<std::uint32_t>(number);
}

SummaryRecord SummaryBuilder::made_of(const Record& record) {
  SummaryRecord made;
  made.line = record.at.line;
  made.origin = origin_of(record);
  made.damage = record.damage;
  if (std::holds_alternative<Unrecognized>(record.event)) made.read_as = ReadAs::unrecognized;
  if (std::holds_alternative<Damaged>(record.event)) made.read_as = ReadAs::damaged;
  if (std::holds_alternative<PhraseSeen>(record.event)) made.read_as = ReadAs::phrase;
  made.message = record.is_fact ? record.text : record.message;
  if (record.is_fact) made.rest.made().event = event_text(record.event);
  if (!record.completed.empty()) made.rest.made().completed = record.completed;
  if (is_timed(record)) {
    const Text timestamp(record.origin.timestamp), time(collected_at(record.origin));
    if (!timestamp.empty()) made.rest.made().timestamp = timestamp;
    if (!time.empty()) made.rest.made().time = time;
  }
  if (now_ != made.line) made.rest.made().read_at = now_;
  if (!record.is_fact && !is_plain(record)) made.rest.made().text = record.text;
  return made;
}

// Not called for records that may be replaced, because messages_ would keep their messages forever.
void SummaryBuilder::share_message(SummaryRecord& made) {
  const auto message_at = [this](Index index) -> const Text& { return messages_[index]; };
  const std::uint64_t hash = hash_of(made.message.view());
  if (const Index* const known =
          message_index_.find(hash, [&](Index index) { return message_at(index) == made.message; })) {
    made.message = message_at(*known);
    return;
  }
  messages_.push_back(made.message);
  message_index_.add(static_cast<Index>(messages_.size() - 1), hash,
                     [&](Index index) { return hash_of(message_at(index).view()); });
}

void SummaryBuilder::keep(const Record& record) {
  part_.records.push_back(made_of(record));
  share_message(part_.records.back());
}

// NCCL prints the connection of two ranks once per channel. Only the first of these records is kept; it stores the
// channels of the others.
bool SummaryBuilder::add_to_group(const Record& record, const Lifetime& life) {
  const std::size_t end = channel_end(record.message);
  const auto* const connected = std::get_if<ChannelConnected>(&record.event);
  if (end == 0 || connected == nullptr || record.damage != Damage::none || now_ != record.at.line ||
      !record.completed.empty() || !is_plain(record))
    return false;
  const int channel = connected->channel;
  if (channel < 0 || channel > max_channel || record.message.substr(0, end) != channel_head(channel)) return false;
  std::uint32_t& first = groups_[hash_of(origin_of(record), record.message.substr(end))];
  if (first == 0) {
    keep(record);
    first = static_cast<std::uint32_t>(part_.records.size());
    return true;
  }
  auto& channels = part_.records[first - 1].rest.made().channels;
  std::uint64_t alike = 0;
  for (auto one = channels.rbegin(); one != channels.rend() && one->first >= life.began; ++one)
    if (one->second == channel && ++alike == kept_alike) return false;
  channels.emplace_back(record.at.line, channel);
  return true;
}

// The model needs the last calls, the number of calls before them, and the first and last line of each process.
void SummaryBuilder::add_call(const Record& record, std::uint64_t process, std::uint64_t kept) {
  const auto& event = std::get<CollectiveCalled>(record.event);
  const std::optional<CollectiveCall> call = call_of(event, record.at);
  const bool counted = call && is_counted(*call);
  const std::uint64_t comm = hash_of(process, event.comm.value);
  const std::uint64_t key = hash_of(comm, turns_[comm], call.has_value(), counted, static_cast<int>(record.damage),
                                    static_cast<int>(record.level));
  Window& window = windows_[key];
  const std::size_t size = counted ? Calls::max_recent : 1;
  if (window.count++ < kept || window.recent.size() < size) {
    if (window.count > kept) window.recent.push_back(part_.records.size());
    part_.records.push_back(made_of(record));
    return;
  }
  const std::size_t slot = (window.count - 1 - kept) % size;
  SummaryRecord& oldest = part_.records[window.recent[slot]];
  const std::uint64_t times = oldest.times;
  oldest = made_of(record);
  part_.records[window.recent[(slot + 1) % size]].times += times;
}

std::uint64_t SummaryBuilder::key_of(const Record& record, std::uint64_t process, std::uint64_t turn) {
  const auto kind = static_cast<std::uint64_t>(record.event.index());
  const auto damage = static_cast<std::uint64_t>(record.damage);
  const auto level = static_cast<std::uint64_t>(record.level);
  const std::int64_t tid = record.origin.tid;
  const std::uint64_t key = hash_of(process, tid, turn, damage, level, kind, record.message);
  const bool many = !is_graph(record.event) && !kinds_.contains(key) && ++differing_[kind] > max_different;
  if (record.damage == Damage::none && !many && !is_retry(record)) return key;
  return hash_of(process, tid, turn, damage, level, kind, phrase_of(record).topic, fold_numbers(record.message));
}

void SummaryBuilder::add_alike(const Record& record, std::uint64_t key, std::uint64_t kept) {
  Kind& alike = kinds_[key];
  if (alike.kept > kept) {
    const std::uint64_t times = part_.records[alike.last].times + 1;
    part_.records[alike.last] = made_of(record);
    part_.records[alike.last].times = times;
    return;
  }
  SummaryRecord made = made_of(record);
  if (++alike.kept <= kept) share_message(made);
  alike.last = static_cast<std::uint32_t>(part_.records.size());
  part_.records.push_back(std::move(made));
}

void SummaryBuilder::add_unused(const Record& record, std::uint64_t process, std::uint64_t kept) {
  const PhraseSeen phrase = phrase_of(record);
  add_alike(record,
            hash_of(process, static_cast<std::uint64_t>(record.damage), static_cast<std::uint64_t>(record.level),
                    std::uint64_t{1}, phrase.topic, phrase.phrase),
            kept);
}

void SummaryBuilder::add_fact(const Record& record) {
  if (facts_++ < max_facts)
    keep(record);
  else
    part_.left_out += record.times;
}

void SummaryBuilder::add(const Record& record) {
  now_ = std::max(now_, record.at.line);
  // NCCL's lines name their process. Other lines show it only by a launcher's tag.
  const std::string_view tag = record.level == Level::external ? tag_of(record.origin) : std::string_view{};
  const std::uint64_t process = hash_of(record.origin.host, record.origin.pid, record.origin.pod, tag);
  if (lives_.size() >= max_processes_ && !lives_.contains(process)) {
    part_.left_out += record.times;
    return;
  }
  Lifetime& life = lives_[process];
  const bool is_first = record.level != Level::external && life.first_lines < few_lines_of_a_process;
  if (is_first) ++life.first_lines;
  const bool damaged = record.damage != Damage::none;
  const std::uint64_t kept_of_repeats = damaged ? kept_damaged : 1;
  if (record.is_fact) return add_fact(record);
  if (std::holds_alternative<CollectiveCalled>(record.event))
    return is_first ? keep(record) : add_call(record, process, kept_of_repeats);
  if (is_unused(record)) return is_first ? keep(record) : add_unused(record, process, kept_of_repeats);
  if (is_lifecycle(record.event)) {
    life.turn = hash_of(record.message);
    life.began = now_;
    ++turns_[hash_of(process, lifecycle_comm(record.event).value)];
  }
  if (add_to_group(record, life)) return;
  const std::uint64_t kept = is_dump(record.event) ? kept_of_dump : damaged ? kept_damaged : kept_alike;
  add_alike(record, key_of(record, process, life.turn), kept);
}

SummaryPiece SummaryBuilder::finish() {
  const auto before = [](const SummaryRecord& a, const SummaryRecord& b) { return a.read_at() < b.read_at(); };
  if (!std::is_sorted(part_.records.begin(), part_.records.end(), before)) sort_stably(part_.records, before);
  return std::move(part_);
}

}  // namespace nccl_analyze::builder
