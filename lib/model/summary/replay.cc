#include "model/summary/replay.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <numeric>
#include <utility>
#include <variant>

#include "messages/phrases.h"
#include "model/build/folded.h"
#include "model/summary/old_facts.h"
#include "model/summary/summary_builder.h"
#include "model/summary/usual_prefix.h"
#include "nccl_analyze/events/external.h"
#include "text/literal.h"
#include "text/traceback.h"

namespace nccl_analyze::builder {

namespace {

using SummaryRestView = SummaryRestOf<std::string_view>;

constexpr std::string_view channel_words = "Channel ";

const SummaryRestView& rest_of(const SummaryRecordView& kept) {
  static const SummaryRestView none;
  return kept.rest ? *kept.rest : none;
}

void set_usual_prefix(std::string& prefix, const SummaryOrigin& origin) {
  prefix.clear();
  for_usual_prefix(origin, origin.level, [&prefix](std::string_view part) { prefix += part; });
}

void set_origin(Origin& origin, const SummaryOrigin& from, const SummaryRestView& rest) {
  origin = {};
  origin.host = from.host;
  origin.pid = from.pid;
  origin.tid = from.tid;
  origin.device = from.device;
  origin.location = from.location;
  origin.pod = from.pod;
  origin.container = from.container;
  origin.decoration = from.tag;
  origin.timestamp = rest.timestamp;
  origin.time = rest.time;
}

/// Returns the number of digits of the channel at the start of the record's message, as the parser of the message reads
/// it; 0 if the message is not that of a connection in NCCL's format.
std::size_t channel_digits(const Record& record) {
  const auto* const event = std::get_if<ChannelConnected>(&record.event);
  if (event == nullptr || event->channel < 0 || record.is_fact) return 0;
  const std::string head = channel_head(event->channel);
  return record.message.starts_with(head) && record.message.find_first_not_of("0123456789", head.size()) == head.size()
             ? head.size() - channel_words.size()
             : 0;
}

/// Returns the number of digits with which a connection shows the channel.
std::size_t digits_of(int channel) {
  if (channel < 100) return 2;
  return channel < 1000 ? 3 : std::to_string(channel).size();
}

}  // namespace

void Replay::play(const PackedPiece& packed) {
  const UnpackedPiece& piece = unpacker_.unpack(packed);
  set_prefixes(piece.origins);
  find_places(piece.records);
  for (const Place& place : places_) {
    const SummaryRecordView& kept = piece.records[place.record];
    const std::uint64_t number = numbered_ + place.record + 1;
    const bool has_channels = kept.rest && !kept.rest->channels.empty();
    Shown& shown = has_channels ? with_channels_[number % with_channels_.size()] : single_;
    if (wait_for_run(shown, place, number)) continue;
    end_waiting();
    if (shown.number != number || !change_channel(shown, place)) {
      set_record(shown, piece, place);
      shown.number = number;
    }
    builder_.add(shown.record, shown.replayed);
    note_run(shown, kept.origin);
  }
  end_waiting();
  senders_ += piece.origins.size();
  numbered_ += piece.records.size();
}

void Replay::set_prefixes(const std::vector<SummaryOrigin>& origins) {
  if (prefixes_.size() < origins.size()) prefixes_.resize(origins.size());
  for (std::size_t i = 0; i < origins.size(); ++i)
    if (origins[i].before)
      prefixes_[i] = *origins[i].before;
    else
      set_usual_prefix(prefixes_[i], origins[i]);
}

void Replay::find_places(const std::vector<SummaryRecordView>& records) {
  places_.clear();
  for (std::uint32_t i = 0; i < records.size(); ++i) {
    places_.push_back({records[i].line, records[i].read_at(), i, -1});
    if (!records[i].rest) continue;
    for (const auto& [line, channel] : records[i].rest->channels) places_.push_back({line, line, i, channel});
  }
  sort_places();
}

/// Sorts the places by the line at which they were read, stably. The numbers of these lines have few gaps as a rule, so
/// that places are counted by line instead of compared.
void Replay::sort_places() {
  if (places_.empty()) return;
  const auto [lowest, highest] = std::ranges::minmax(places_, {}, &Place::read_at);
  const std::uint64_t first = lowest.read_at, lines = highest.read_at - first;
  if (lines >= 8 * places_.size()) return void(std::ranges::stable_sort(places_, {}, &Place::read_at));
  begins_.assign(static_cast<std::size_t>(lines) + 2, 0);
  const auto line_of = [first](const Place& place) { return static_cast<std::size_t>(place.read_at - first); };
  for (const Place& place : places_) ++begins_[line_of(place) + 1];
  std::partial_sum(begins_.begin(), begins_.end(), begins_.begin());
  sorted_.resize(places_.size());
  for (const Place& place : places_) sorted_[begins_[line_of(place)]++] = place;
  places_.swap(sorted_);
}

/// Returns what the record has in common with the other records of a run; without a rank for any record but a
/// connection between two ranks.
Replay::RunKey Replay::run_key_of(const Shown& shown, std::uint32_t origin) {
  const auto* const event = std::get_if<ChannelConnected>(&shown.record.event);
  if (shown.digits == 0 || event == nullptr || shown.record.level != Level::info ||
      shown.record.damage != Damage::none || event->from < 0 || event->to < 0)
    return {};
  return {origin, event->direction == "receive" ? event->to : event->from, event->comm.value};
}

/// Lets a line that repeats a connection on a further channel wait for the end of its run, where one call of the
/// builder adds all of them: three of four lines of a large job repeat a connection. The model is the same: of such
/// lines it needs the number, the channels and the last line, and of the first two the lines. Returns false for any
/// other line.
bool Replay::wait_for_run(Shown& shown, const Place& place, std::uint64_t number) {
  if (shown.number != number || shown.run != run_ || shown.in_run < 2) return false;
  const auto* const event = std::get_if<ChannelConnected>(&shown.record.event);
  if (event == nullptr || place.channel < 0 || block_of(place.channel) != block_of(event->channel)) return false;
  if (digits_of(place.channel) != shown.digits) return false;
  shown.replayed.channels |= shown.waiting == 0 ? 0 : channel_bit(shown.last.channel);
  shown.last = place;
  if (++shown.waiting == 1) waiting_.push_back(&shown);
  return true;
}

/// Begins another run if the record that was just replayed is not of the last one.
void Replay::note_run(Shown& shown, std::uint32_t origin) {
  const RunKey key = run_key_of(shown, origin);
  if (key.self < 0 || key != run_key_) ++run_;
  run_key_ = key;
  shown.in_run = shown.run == run_ ? shown.in_run + 1 : 1;
  shown.run = run_;
}

/// Replays the lines that wait, in the order of their last lines.
void Replay::end_waiting() {
  if (waiting_.empty()) return;
  std::ranges::sort(waiting_, {}, [](const Shown* one) { return one->last.line; });
  for (Shown* const shown : waiting_) {
    change_channel(*shown, shown->last);
    const std::uint64_t times = shown->record.times;
    shown->record.times = times * std::exchange(shown->waiting, 0);
    builder_.add(shown->record, shown->replayed);
    shown->record.times = times;
    shown->replayed.channels = 0;
  }
  waiting_.clear();
}

/// Makes a record, which shows a connection, that of the same connection on the channel of `place`. This takes a small
/// part of the time of matching the message again. Returns false if it is not certain that a match would give the same
/// event.
bool Replay::change_channel(Shown& shown, const Place& place) const {
  std::array<char, 16> digits{'0', '0'};
  char* const first = digits.data() + (place.channel < 10 ? 1 : 0);
  const char* const end = std::to_chars(first, digits.data() + digits.size(), place.channel).ptr;
  const auto size = static_cast<std::size_t>(end - digits.data());
  if (place.channel < 0 || size != shown.digits) return false;
  // In place, so that the views of the event stay valid. The message may be a part of the text.
  std::string& holder = shown.message.empty() ? shown.text : shown.message;
  const auto at = holder.end() - static_cast<std::ptrdiff_t>(shown.record.message.size() - channel_words.size());
  std::copy_n(digits.data(), size, at);
  std::get_if<ChannelConnected>(&shown.record.event)->channel = place.channel;
  shown.record.at = {source_, place.line};
  return true;
}

void Replay::set_record(Shown& shown, const UnpackedPiece& piece, const Place& place) {
  const SummaryRecordView& kept = piece.records[place.record];
  const SummaryRestView& rest = rest_of(kept);
  const SummaryOrigin& from = piece.origins[kept.origin];
  Record& record = shown.record;
  shown.replayed = {};
  record.at = {source_, place.line};
  record.level = from.level;
  record.damage = kept.damage;
  record.sender = senders_ + kept.origin + 1;
  set_origin(record.origin, from, rest);
  record.times = kept.times;
  set_texts(shown, kept, rest.text, place.channel);
  record.is_fact = set_fact(shown, rest);
  if (!record.is_fact) set_event(shown, kept, rest.completed);
  shown.digits = rest.completed.empty() ? channel_digits(record) : 0;
  shown.run = 0;
}

/// Sets the text and the message, for `channel` >= 0 with the number of this channel. `text`: the text if it is not the
/// prefix and the message; else empty.
void Replay::set_texts(Shown& shown, const SummaryRecordView& kept, std::string_view text, int channel) {
  std::string& holder = text.empty() ? shown.text : shown.message;
  shown.message.clear();
  holder.assign(text.empty() ? std::string_view{prefixes_[kept.origin]} : std::string_view{});
  const std::size_t before = holder.size();
  if (channel < 0) {
    holder.append(kept.message);
  } else {
    const std::size_t digits = kept.message.find_first_not_of("0123456789", channel_words.size());
    holder.append(channel_head(channel)).append(kept.message.substr(std::min(digits, kept.message.size())));
  }
  if (!text.empty()) shown.text = text;
  shown.record.text = shown.text;
  shown.record.message = std::string_view{holder}.substr(before);
}

/// Whether the record is a fact. If so, sets its event and its quote.
bool Replay::set_fact(Shown& shown, const SummaryRestView& rest) {
  if (rest.event.name.empty() || !read_event_text(rest.event, shown.record.event)) return false;
  shown.record.text = shown.record.message;
  shown.record.message = without_cut_marks(shown.record.text);
  return true;
}

/// Sets the event of a record that is not a fact, or of a fact that a summary stores as a sentence.
void Replay::set_event(Shown& shown, const SummaryRecordView& kept, std::string_view completed) {
  Record& record = shown.record;
  if (kept.read_as == ReadAs::unrecognized)
    record.event = Unrecognized{};
  else if (kept.read_as == ReadAs::damaged)
    record.event = Damaged{};
  else if (kept.read_as == ReadAs::phrase)
    record.event = phrase_in(record.message);
  else
    set_row(shown, completed);
  record.is_fact = record.level == Level::external && std::holds_alternative<Unrecognized>(record.event) &&
                   read_old_fact(record.message, record.event);
  // Summaries that store facts as sentences have no quotes of them.
  if (record.is_fact) record.message = record.text = {};
}

/// Sets the event of a record that a row of the message table matches, or of the line with the exception that ends a
/// traceback, which needs no row.
void Replay::set_row(Shown& shown, std::string_view completed) {
  Record& record = shown.record;
  const std::string_view message = completed.empty() ? record.message : completed;
  const Row* row = nullptr;
  if (&shown == &single_)
    row = messages_.match(message, record.event).row;
  else if (row = matcher_.match_hot(message, record.event); row == nullptr)
    // Not through the cache: the event of a record with channels must stay valid while others are matched.
    row = matcher_.match(message, record.event);
  if (completed.empty()) shown.replayed.row = row;
  if (row != nullptr || record.level != Level::external) return;
  if (const RaisedLine raised = read_raised(message)) record.event = ProgramRaised{raised.exception, raised.words};
}

}  // namespace nccl_analyze::builder
