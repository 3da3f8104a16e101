// The quick way: a line that is nothing but a record of somebody who spoke before is read in one step.

#include <cstring>
#include <utility>

#include "parser/parser_impl.h"

namespace nccl_analyze {

PlainLine Parser::Impl::foreseen(std::string_view text) {
  const PlainLine looked_at = std::exchange(next, PlainLine{});
  at_hand = looked_at.size == 0 ? speakers.foresee(text) : nullptr;
  expected = nullptr;
  if (at_hand == nullptr) return looked_at;
  const std::size_t marker = at_hand->size_before() + at_hand->text.size();
  return {.size = size_as_expected(text, marker), .marker = marker};
}

std::size_t Parser::Impl::size_as_expected(std::string_view text, std::size_t marker) {
  constexpr std::string_view head = "NCCL INFO ", tail = head.substr(2);  // with what is known to stand before it
  if (at_hand->numbered || wrapped_at != 0) return 0;
  const Recognizer::Recent* const one = recognizer.after(at_hand->said);
  if (one == nullptr) return 0;
  const std::string_view message = one->message;
  const std::size_t start = marker + head.size(), size = start + message.size();
  if (text.size() <= size || text.data()[size] != '\n' ||
      std::memcmp(text.data() + start - tail.size(), tail.data(), tail.size()) != 0 ||
      std::memcmp(text.data() + start, message.data(), message.size()) != 0)
    return 0;
  expected = one;
  return size;
}

bool Parser::Impl::next_is_record() {
  if (following.empty()) return false;
  if (next.size == 0 && !scan->begins_plain(following, next)) {
    next = {};
    return false;
  }
  const Speaker* const speaker = speakers.find(following, next.marker);
  return speaker != nullptr && !speaker->numbered && speaker->text.size() == next.marker &&
         is_common(following.substr(0, next.size), next.marker);
}

bool Parser::Impl::give_known(std::string_view text, std::uint64_t number, std::string_view before, Speaker& speaker,
                              const Row*& row) {
  const KnownWrapper* const wrapper = speaker.before.get();
  const std::size_t marker = before.size() + speaker.text.size();
  const std::string_view words = words_behind(text, marker);
  Spoken spoken;
  read_spoken(text, before.size(), marker,
              wrapper == nullptr || wrapper->size == 0 ? without_end(words) : behind_wrapper(words), spoken);
  row = recognizer.match(spoken.message, record.event);
  Recognizer::Recent* const kept = recognizer.kept();
  speaker.said = kept == nullptr ? Recognizer::none : recognizer.follow(speaker.said, *kept);
  if (!is_read(row, spoken.message) || is_cut_list(*row, spoken.text) ||
      may_be_wrapped(*row, spoken.level, spoken.text, text.size()))
    return false;
  if (kept != nullptr && !kept->whole) kept->whole = row->end != RowEnd::list && stands_alone(spoken, words);
  give_spoken(text, number, before, speaker, spoken);
  return true;
}

void Parser::Impl::give_expected(std::string_view text, std::uint64_t number, std::size_t marker) {
  Speaker& speaker = *at_hand;
  const std::string_view before = text.substr(0, marker - speaker.text.size());
  speaker.said = recognizer.place_of(*expected);
  record.event = expected->event;
  give_spoken(text, number, before, speaker, {Level::info, {}, words_behind(text, marker), text.substr(before.size())});
}

void Parser::Impl::give_spoken(std::string_view text, std::uint64_t number, std::string_view before,
                               const Speaker& speaker, const Spoken& spoken) {
  count(Damage::none);
  if (origin_of != speaker.number) {
    record.origin.pid = speaker.pid;
    record.origin.tid = speaker.tid;
    record.origin.device = speaker.device;
    record.origin.timestamp = record.origin.time = {};
    record.origin.wrapper = record.origin.pod = record.origin.container = {};
    record.damage = Damage::none;
    record.speaker = origin_of = speaker.number;
    record.at = {source, number};
  }
  record.at.line = std::min(number, LineRef::max_line) & LineRef::max_line;
  record.level = spoken.level;
  record.origin.host = {text.data() + before.size(), speaker.host_size};
  record.origin.location = spoken.location;
  if (const KnownWrapper* const wrapper = speaker.before.get()) {
    record.origin.wrapper = before.substr(0, wrapper->size);
    record.origin.pod = before.substr(wrapper->pod, wrapper->pod_size);
    record.origin.container = before.substr(wrapper->container, wrapper->container_size);
  }
  record.message = spoken.message;
  record.text = spoken.text;
  sink(record);
}

bool Parser::Impl::record_line(std::string_view text, std::uint64_t number, std::size_t marker,
                               std::string_view behind) {
  if (expected != nullptr) {
    give_expected(text, number, marker);
    return false;
  }
  if (!is_common(text, marker)) return line(text, number);
  Speaker* const speaker = at_hand != nullptr ? at_hand : speakers.read(text, marker);
  if (speaker == nullptr) return line(text, number);
  following = behind;
  const std::string_view before = text.substr(0, marker - speaker->text.size());
  const bool known_head = !speaker->numbered && (at_hand != nullptr || speaker->is_known_behind(before));
  const Row* row = nullptr;
  if (known_head && give_known(text, number, before, *speaker, row)) {
    wrapped_head.clear();
    return wants_next();
  }
  found.resize(1);
  beside = {};
  read_plain(text, marker, *speaker, found[0]);
  if (!known_head) row = recognizer.match(found[0].message, record.event);
  // what no row reads may hold another record, or go on in the next line: the careful way finds it
  if (!is_read(row, found[0].message)) return line(text, number);
  line_size = text.size();
  ends_in_blank = text.ends_with(' ');
  wrapped_head.clear();
  take(row, found[0], text.substr(0, found[0].start), {source, number}, text, false);
  if (!known_head && !speaker->numbered && found[0].start == before.size()) {
    speaker->before = KnownWrapper::of(before);
    origin_of = 0;
  }
  return wants_next();
}

/// What the splitter calls.
struct Parser::Impl::Emit {
  Impl* self;
  bool operator()(std::string_view text, std::uint64_t number) const {
    self->next = {};
    return self->line(text, number);
  }
  PlainLine foreseen(std::string_view text) const { return self->foreseen(text); }
  bool plain(std::string_view text, std::uint64_t number, std::size_t marker, std::string_view behind) const {
    return self->record_line(text, number, marker, behind);
  }
};

void Parser::Impl::feed(std::string_view text) { splitter.feed(text, Emit{this}); }

void Parser::Impl::finish() {
  decoder.finish([this](std::string_view text) { feed(text); });
  at_end = true;
  splitter.finish(Emit{this});
  at_end = false;
  fragments.finish(done);
  give_done();
  take_counts();
}

}  // namespace nccl_analyze
