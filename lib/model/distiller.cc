#include "model/distiller.h"

#include <algorithm>
#include <functional>
#include <type_traits>

#include "model/calls.h"
#include "model/comm_names.h"
#include "model/unused.h"
#include "model/wording.h"
#include "nccl_analyze/parser.h"

namespace nccl_analyze::draft {

namespace {

/// As many of a class as a model tells apart: lines of an Evidence; quotes of a kind of event.
constexpr std::uint64_t kept_alike = Evidence::max_lines;
constexpr std::uint64_t kept_damaged = 64;
/// A dump of the topology repeats its lines and is nothing without them.
constexpr std::uint64_t kept_of_dump = 4096;
/// Texts of one kind of event beyond so many are taken for alike when only numbers differ: a log of retries and
/// addresses must not fill the memory.
constexpr std::uint64_t max_different = std::uint64_t{1} << 14;

template <class... Parts>
std::uint64_t hash_of(const Parts&... parts) {
  std::uint64_t hash = 0;
  const auto mix = [&hash](std::uint64_t value) { hash = (hash ^ value) * 0x9E3779B97F4A7C15ULL + (hash >> 29); };
  (mix(std::hash<std::decay_t<Parts>>{}(parts)), ...);
  return hash;
}

std::uint64_t hash_of(const SummaryOrigin& origin) {
  return hash_of(origin.host, origin.pid, origin.tid, origin.device, static_cast<int>(origin.level), origin.before,
                 origin.pod.view(), origin.container.view(), origin.location.view());
}

bool is_unused(const Record& record) {
  const Event& event = record.event;
  const bool warns = record.level == Level::warn || record.level == Level::abort;
  if (const auto* const config = std::get_if<CommConfigSet>(&event)) return !is_name(*config);
  if (warns) return false;
  if (std::holds_alternative<Damaged>(event)) return true;
  return std::visit([](const auto& one) { return unused<std::decay_t<decltype(one)>>; }, event);
}

/// What follows in the process belongs to another time of its life.
bool is_turn(const Event& event) {
  return std::holds_alternative<CommInitStarted>(event) || std::holds_alternative<CommInitCompleted>(event) ||
         std::holds_alternative<CommDestroyed>(event) || std::holds_alternative<CommAborted>(event);
}

/// The communicator whose life such an event begins or ends.
Hex turning_comm(const Event& event) {
  return std::visit(
      [](const auto& one) {
        using E = std::decay_t<decltype(one)>;
        if constexpr (std::is_same_v<E, CommInitStarted> || std::is_same_v<E, CommInitCompleted> ||
                      std::is_same_v<E, CommDestroyed> || std::is_same_v<E, CommAborted>)
          return one.comm;
        else
          return Hex{};
      },
      event);
}

/// The model asks when it was printed.
bool is_timed(const Event& event) {
  return std::holds_alternative<NetworkChosen>(event) || std::holds_alternative<CommInitStarted>(event) ||
         std::holds_alternative<CommInitCompleted>(event);
}

/// What the graph is made of: every text counts.
bool is_graph(const Event& event) {
  return is_turn(event) || std::holds_alternative<ChannelConnected>(event) ||
         std::holds_alternative<TreesBuilt>(event) || std::holds_alternative<CollnetChainsBuilt>(event) ||
         std::holds_alternative<RingListed>(event) || std::holds_alternative<RingLinked>(event) ||
         std::holds_alternative<TreeLinked>(event) || std::holds_alternative<NvlsTreesLinked>(event) ||
         std::holds_alternative<NvlsHeadListed>(event) || std::holds_alternative<NvlsSetUp>(event) ||
         std::holds_alternative<CommPlaced>(event);
}

bool is_dump(const Event& event) {
  return std::holds_alternative<SystemPrinted>(event) || std::holds_alternative<TopologyNodePrinted>(event) ||
         std::holds_alternative<PathsPrinted>(event);
}

/// Peers, ports and counts of tries differ from line to line: to a model they are one.
bool is_retry(const Event& event) {
  return std::holds_alternative<ConnectRetried>(event) || std::holds_alternative<RasTimedOut>(event) ||
         std::holds_alternative<Unrecognized>(event) || std::holds_alternative<PhraseSeen>(event);
}

/// Where the digits of `Channel 07/0 : …` end; 0 when the message is another.
std::size_t channel_end(std::string_view message) {
  constexpr std::string_view words = "Channel ";
  if (!message.starts_with(words)) return 0;
  std::size_t end = words.size();
  while (end < message.size() && message[end] >= '0' && message[end] <= '9') ++end;
  return end;
}

}  // namespace

std::string channel_head(int channel) { return (channel < 10 ? "Channel 0" : "Channel ") + std::to_string(channel); }

std::uint32_t Distiller::origin_of(const Record& record) {
  const Origin& from = record.origin;
  const auto offset = static_cast<std::size_t>(record.message.data() - record.text.data());
  SummaryOrigin made{.host = std::string(from.host),
                     .pod = from.pod,
                     .container = from.container,
                     .location = from.location,
                     .pid = from.pid,
                     .tid = from.tid,
                     .device = from.device,
                     .level = record.level,
                     .before = std::string(offset <= record.text.size() ? record.text.substr(0, offset) : "")};
  const auto hash_at = [this](Index index) { return hash_of(piece_.origins[static_cast<std::size_t>(index)]); };
  const auto is_made = [&](Index index) { return piece_.origins[static_cast<std::size_t>(index)] == made; };
  const std::uint64_t hash = hash_of(made);
  if (const Index* const known = origin_index_.find(hash, is_made)) return static_cast<std::uint32_t>(*known);
  const auto number = static_cast<Index>(piece_.origins.size());
  piece_.origins.push_back(std::move(made));
  origin_index_.add(number, hash, hash_at);
  return static_cast<std::uint32_t>(number);
}

SummaryRecord Distiller::made_of(const Record& record) {
  SummaryRecord made;
  made.line = record.at.line;
  made.read_at = now_;
  made.origin = origin_of(record);
  made.damage = record.damage;
  if (std::holds_alternative<Unrecognized>(record.event)) made.read_as = ReadAs::unrecognized;
  if (std::holds_alternative<Damaged>(record.event)) made.read_as = ReadAs::damaged;
  if (std::holds_alternative<PhraseSeen>(record.event)) made.read_as = ReadAs::phrase;
  made.message = record.message;
  if (!record.completed.empty()) made.rest.made().completed = record.completed;
  if (is_timed(record.event)) {
    const Text timestamp(record.origin.timestamp), time(collected_at(record.origin));
    if (!timestamp.empty()) made.rest.made().timestamp = timestamp;
    if (!time.empty()) made.rest.made().time = time;
  }
  const std::string& before = piece_.origins[made.origin].before;
  if (record.text.size() != before.size() + made.message.size() || !record.text.starts_with(before) ||
      !record.text.ends_with(made.message))
    made.rest.made().text = record.text;
  return made;
}

bool Distiller::add_to_group(const Record& record, SummaryRecord& made) {
  const std::size_t end = channel_end(made.message);
  if (end == 0 || !std::holds_alternative<ChannelConnected>(record.event) || made.rest || made.damage != Damage::none ||
      made.read_at != made.line)
    return false;
  const int channel = std::get<ChannelConnected>(record.event).channel;
  if (channel < 0 || channel > max_channel || made.message.compare(0, end, channel_head(channel)) != 0) return false;
  const std::uint64_t key = hash_of(made.origin, std::string_view(made.message).substr(end));
  std::uint32_t& first = groups_[key];
  if (first == 0) {
    first = static_cast<std::uint32_t>(piece_.records.size() + 1);
    return false;
  }
  piece_.records[first - 1].rest.made().channels.emplace_back(made.line, channel);
  return true;
}

/// A model needs the last calls and how many there were before; who reads the log, when its process spoke first and
/// last.
void Distiller::add_call(const Record& record, std::uint64_t process, std::uint64_t kept) {
  const auto& event = std::get<CollectiveCalled>(record.event);
  const std::optional<CollectiveCall> call = call_of(event, record.at);
  const bool counted = call && is_counted(*call);
  const std::uint64_t comm = hash_of(process, event.comm.value);
  const std::uint64_t key = hash_of(comm, turns_[comm], call.has_value(), counted, static_cast<int>(record.damage),
                                    static_cast<int>(record.level));
  Window& window = windows_[key];
  const std::size_t size = counted ? Calls::max_recent : 1;
  if (window.count++ < kept || window.recent.size() < size) {
    if (window.count > kept) window.recent.push_back(piece_.records.size());
    piece_.records.push_back(made_of(record));
    return;
  }
  const std::size_t slot = (window.count - 1 - kept) % size;
  SummaryRecord& oldest = piece_.records[window.recent[slot]];
  const std::uint64_t times = oldest.times;
  oldest = made_of(record);
  piece_.records[window.recent[(slot + 1) % size]].times += times;
}

void Distiller::add(const Record& record) {
  now_ = std::max(now_, record.at.line);
  const Origin& from = record.origin;
  const std::uint64_t process = hash_of(from.host, from.pid, from.pod);
  const auto kind = static_cast<std::uint64_t>(record.event.index());
  const auto damage = static_cast<std::uint64_t>(record.damage);
  const auto level = static_cast<std::uint64_t>(record.level);
  const bool damaged = record.damage != Damage::none;
  if (std::holds_alternative<CollectiveCalled>(record.event))
    return add_call(record, process, damaged ? kept_damaged : 1);
  std::uint64_t key = 0, kept = kept_alike;
  const PhraseSeen phrase = phrase_of(record);
  if (is_unused(record)) {
    // who spoke, and when first and last
    key = hash_of(process, damage, level, std::uint64_t{1}, phrase.topic, phrase.phrase);
    kept = damaged ? kept_damaged : 1;
  } else {
    std::uint64_t& life = lives_[process];
    if (is_turn(record.event)) {
      life = hash_of(record.message);
      ++turns_[hash_of(process, turning_comm(record.event).value)];
    }
    key = hash_of(process, from.tid, life, damage, level, kind, record.message);
    const bool many = !is_graph(record.event) && !classes_.contains(key) && ++differing_[kind] > max_different;
    if (damaged || many || is_retry(record.event))
      key = hash_of(process, from.tid, life, damage, level, kind, phrase.topic, fold_numbers(record.message));
    if (damaged) kept = kept_damaged;
    if (is_dump(record.event)) kept = kept_of_dump;
  }
  Class& alike = classes_[key];
  ++alike.count;
  if (alike.count > kept + 1) {
    const std::uint64_t times = piece_.records[alike.last].times + 1;
    piece_.records[alike.last] = made_of(record);
    piece_.records[alike.last].times = times;
    return;
  }
  SummaryRecord made = made_of(record);
  if (alike.count <= kept && add_to_group(record, made)) return;
  alike.last = static_cast<std::uint32_t>(piece_.records.size());
  piece_.records.push_back(std::move(made));
}

SummaryPiece Distiller::finish() {
  const auto before = [](const SummaryRecord& a, const SummaryRecord& b) { return a.read_at < b.read_at; };
  if (!std::is_sorted(piece_.records.begin(), piece_.records.end(), before))
    std::stable_sort(piece_.records.begin(), piece_.records.end(), before);
  return std::move(piece_);
}

}  // namespace nccl_analyze::draft
