// Glue of text and messages: lines become records.

#include "nccl_analyze/parser.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "messages/matcher.h"
#include "messages/recognizer.h"
#include "nccl_analyze/part_parser.h"
#include "parser/boundaries.h"
#include "parser/fragments.h"
#include "parser/origins.h"
#include "parser/outside.h"
#include "text/encoding.h"
#include "text/lines.h"
#include "text/prefix.h"
#include "text/wrapper.h"

namespace nccl_analyze {

namespace {

constexpr std::size_t buffer_sizes[] = {1023, 4095};  // NCCL's for a line, and RCCL's since ROCm 6.2
constexpr std::size_t max_beginning = 1023;           // longer ones are not cut by accident
constexpr std::size_t wrap_width = 79;                // the narrowest terminal that people paste from
constexpr int partial_lines = 4;                      // until the rest of a collector's part is given up
constexpr int open_lines = 2;                         // until a record that may be torn is taken for whole
constexpr int torn_lines = 8;                         // until the rest of a torn record is given up

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_buffer_size(std::size_t size) {
  return std::find(std::begin(buffer_sizes), std::end(buffer_sizes), size) != std::end(buffer_sizes);
}

constexpr std::string_view pod_keys[] = {"pod_name", "k8s.pod.name", "pod"};
constexpr std::string_view container_keys[] = {"container_name", "k8s.container.name", "container"};
constexpr std::string_view time_keys[] = {"time", "timestamp", "@timestamp", "ts"};

}  // namespace

struct ParserKnowledge {
  explicit ParserKnowledge(const KnownOrigins& origins) : known(origins) {}
  KnownOrigins known;
};

/// What a collector's JSON says of a line beside its text.
struct Beside {
  std::string_view pod, container, time;
};

struct Parser::Impl {
  SourceId source;
  Sink sink;
  LineSplitter splitter;
  Decoder decoder = {};
  const Matcher& matcher = standard_matcher();
  Recognizer recognizer{matcher};
  Fragments fragments{matcher};
  KnownOrigins known = {};
  OutsideReader outside{matcher};
  Speakers speakers{};
  ParseStats stats = {};
  Record record = {};
  bool tidy = false;                                   ///< The line at hand is read again without markup.
  std::uint64_t numbered_line = 0, number_offset = 0;  ///< Of the last host that begins with a number.
  std::size_t line_size = 0;                           ///< Of the line at hand.
  std::string_view following = {};                     ///< What follows the line at hand, as far as it is there.
  PlainLine next = {};                                 ///< The line there, where it was looked at.
  Speaker* at_hand = nullptr;                          ///< Whose prefix the line at hand is known to begin with.
  std::uint64_t origin_of = 0;                         ///< The speaker whose origin, and no more, `record` has.
  const LineScan* scan = line_scans().front();
  std::size_t wrapped_at = 0;  ///< The width at which a terminal wrapped a line of this source; 0: none seen.
  Beside beside = {};
  bool out_of_turn = false;  ///< The lines at hand are a part of the input of which what stands before is not read.
  std::shared_ptr<const ParserKnowledge> with = {};  ///< What such a part is read with: `known` is a copy.
  bool unsure = false;                               ///< In such a part: somebody speaks of whom nothing is known.
  bool asked = false;                                ///< Names were looked for among all that are known.
  std::string uncoloured = {}, unwrapped = {}, nested = {}, scratch = {};
  std::vector<FoundRecord> found = {}, alone = {};
  std::vector<Fragment> done = {};

  /// Returns whether the next line may go on with this one.
  bool line(std::string_view text, std::uint64_t number) {
    beside = {};
    following = {};
    text = strip_bare_colours(text, uncoloured);
    if (is_plain(text)) {
      plain_line(text, number);
      return wants_next();
    }
    const std::string_view inside = unwrap_json(text, unwrapped);
    if (inside.data() != text.data()) {
      beside = {json_member(text, pod_keys), json_member(text, container_keys), json_member(text, time_keys)};
      const std::string_view deeper = unwrap_json(inside, nested);
      if (deeper.data() != inside.data()) unwrapped.swap(nested);
      text = unwrapped;
    } else if (!fragments.empty()) {
      text = json_text(text, unwrapped);
    }
    while (true) {
      const std::size_t newline = text.find('\n');
      plain_line(strip_escapes(text.substr(0, newline), scratch), number);
      if (newline == std::string_view::npos) break;
      text.remove_prefix(newline + 1);
      if (text.empty()) break;  // the newline of the line itself
    }
    return wants_next();
  }

  /// What is known of the plain line that `text` may begin with.
  PlainLine foreseen(std::string_view text) {
    const PlainLine looked_at = std::exchange(next, PlainLine{});
    at_hand = looked_at.size == 0 ? speakers.foresee(text) : nullptr;
    if (at_hand == nullptr) return looked_at;
    return {.size = 0, .marker = at_hand->size_before() + at_hand->text.size()};
  }

  /// A line that is nothing but a record, as nearly all of NCCL's are.
  bool record_line(std::string_view text, std::uint64_t number, std::size_t marker, std::string_view behind) {
    if (!is_common(text, marker)) return line(text, number);
    Speaker* const speaker = at_hand != nullptr ? at_hand : speakers.read(text, marker);
    if (speaker == nullptr) return line(text, number);
    line_size = text.size();
    following = behind;
    const std::string_view before = text.substr(0, marker - speaker->text.size());
    const bool known_head = speaker->settled && (at_hand != nullptr || speaker->is_known_behind(before));
    const Row* row = nullptr;
    if (known_head && give_known(text, number, before, *speaker, row)) return false;
    found.resize(1);
    beside = {};
    read_plain(text, marker, *speaker, found[0]);
    if (!known_head) row = recognizer.match(found[0].message, record.event);
    take(row, found[0], text.substr(0, found[0].start), {source, number}, text, false);
    if (!known_head && speaker->settled && found[0].start == before.size()) {
      speaker->before = KnownWrapper::of(before);
      origin_of = 0;
    }
    return wants_next();
  }

  /// Of a line that begins with a known wrapper and the prefix of somebody known well. False if there is more to look
  /// at than its message, which is matched.
  [[gnu::always_inline]] bool give_known(std::string_view text, std::uint64_t number, std::string_view before,
                                         const Speaker& speaker, const Row*& row) {
    const KnownWrapper* const wrapper = speaker.before.get();
    const std::size_t marker = before.size() + speaker.text.size();
    const std::string_view words = words_behind(text, marker);
    Spoken spoken;
    read_spoken(text, before.size(), marker,
                wrapper == nullptr || wrapper->size == 0 ? without_end(words) : behind_wrapper(words), spoken);
    row = recognizer.match(spoken.message, record.event);
    if (!is_read(row, spoken.message) || is_cut_list(*row, spoken.text) || may_be_wrapped(*row, spoken.text, text))
      return false;
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
    if (wrapper != nullptr) {
      record.origin.wrapper = before.substr(0, wrapper->size);
      record.origin.pod = before.substr(wrapper->pod, wrapper->pod_size);
      record.origin.container = before.substr(wrapper->container, wrapper->container_size);
    }
    record.message = spoken.message;
    record.text = spoken.text;
    sink(record);
    return true;
  }

  /// Whether the line behind the one at hand begins with a record of somebody known: it goes on with nothing.
  bool next_is_record() {
    if (following.empty()) return false;
    if (next.size == 0 && !scan->begins_plain(following, next)) {
      next = {};
      return false;
    }
    const Speaker* const speaker = speakers.find(following, next.marker);
    return speaker != nullptr && speaker->settled && speaker->text.size() == next.marker &&
           is_common(following.substr(0, next.size), next.marker);
  }

  bool wants_next() const { return !fragments.empty() || outside.waiting(); }

  void plain_line(std::string_view text, std::uint64_t number) {
    line_size = text.size();
    found.clear();
    find_records(text, found);
    if (!fragments.empty()) offer(text);
    if (found.empty() || found.front().level == Level::version) read_outside(text, {source, number});
    if (found.size() == 1 && !found[0].has_prefix && found[0].level != Level::version && !tidy && has_markup(text))
      return take_tidy(text, {source, number});
    std::size_t floor = 0;
    const std::size_t count = found.size();  // reading a line again without its markup finds others
    if (count > 1) asked = true;
    for (std::size_t i = 0; i < count; ++i) {
      if (i + 1 < count) part(text, found, i, known, matcher);
      const FoundRecord& one = found[i];
      // What stands before the line's first record speaks for those behind it that have nothing of their own.
      std::string_view before = text.substr(floor, one.start > floor ? one.start - floor : 0);
      if (before.find_first_not_of(' ') == std::string_view::npos && i > 0) before = text.substr(0, found[0].start);
      floor = static_cast<std::size_t>(one.message.data() - text.data()) + one.message.size();
      take(recognizer.match(one.message, record.event), one, before, {source, number}, text, i > 0);
    }
  }

  /// What other programs say: not counted as NCCL's.
  void read_outside(std::string_view text, LineRef at) {
    OutsideRecord one = outside.read(text, record.event);
    if (one.message.empty()) return;
    record.at = at;
    record.level = Level::outside;
    record.damage = Damage::none;
    record.speaker = origin_of = 0;
    record.origin = {};
    record.origin.pod = beside.pod;
    record.origin.container = beside.container;
    record.origin.time = beside.time;
    read_wrapper(one.text.substr(0, one.text.size() - one.message.size()), record.origin);
    record.message = one.message;
    record.text = one.text;
    sink(record);
  }

  /// Offers the text before the line's first record, or all of it, to the fragments.
  void offer(std::string_view text) {
    std::string_view rest = text;
    if (!found.empty()) {
      FoundRecord& first = found.front();
      asked = true;
      const std::size_t host =
          known.full() || known.has(first.origin) ? std::string_view::npos : known.before_known_host(first.origin.host);
      const bool stuck = host != std::string_view::npos && host > 0;
      if (stuck && fragments.completed_by(text.substr(0, first.start + host))) drop_front(first, host);
      rest = text.substr(0, first.start);
    }
    done.clear();
    fragments.next_line(rest, found.empty(), done);
    give_done();
  }

  void give_done() {
    const Beside here = beside;
    for (const Fragment& one : done) give_fragment(one);
    done.clear();
    beside = here;
  }

  /// The plugins' row for words of others reads the beginning of their own words as well.
  bool is_read(const Row* row, std::string_view message) const {
    return row != nullptr && !(std::holds_alternative<PluginLoadFailed>(record.event) &&
                               message.size() <= max_beginning && matcher.is_beginning(message));
  }

  static bool is_cut_list(const Row& row, std::string_view record_text) {
    return row.end == RowEnd::list && is_buffer_size(record_text.size());
  }

  bool is_wrapped_here(const Row& row, std::string_view line_text) const {
    return row.end != RowEnd::words && line_text.size() == wrapped_at;
  }

  /// Whether a terminal may have wrapped the line that a record ends with.
  bool may_be_wrapped(const Row& row, std::string_view record_text, std::string_view line_text) {
    if (line_text.size() < wrap_width || record_text.size() >= buffer_sizes[0]) return false;
    return is_wrapped_here(row, line_text) || (row.end == RowEnd::list && !next_is_record());
  }

  /// `row`: of the message; its event is in place.
  void take(const Row* row, const FoundRecord& one, std::string_view before, LineRef at, std::string_view line_text,
            bool behind) {
    const bool last = one.ended == RecordEnd::line;
    const Damage as_it_is = behind ? Damage::glued : Damage::none;
    if (last && is_partial(before)) {
      Fragment part = fragment_of(one, before, at);
      part.text = line_text.substr(one.start);
      part.otherwise = as_it_is;
      part.partial = true;
      part.lines_left = partial_lines;
      return wait(std::move(part));
    }
    if (!is_read(row, one.message)) return take_unread(one, before, at, as_it_is, line_text);
    if (is_cut_list(*row, one.text)) return give_cut(one, before, at);
    const bool open_end = one.ended == RecordEnd::record && row->end != RowEnd::words;
    if (!open_end && !(last && may_be_wrapped(*row, one.text, line_text))) return give(one, before, at, as_it_is);
    Fragment fragment = fragment_of(one, before, at);
    fragment.otherwise = open_end ? Damage::torn : as_it_is;
    fragment.open_end = open_end;
    fragment.wrapped = is_wrapped_here(*row, line_text);
    fragment.ends_in_value = row->end == RowEnd::value;
    if (open_end) fragment.lines_left = fragment.ends_in_value ? open_lines : torn_lines;
    wait(std::move(fragment));
  }

  void take_unread(const FoundRecord& one, std::string_view before, LineRef at, Damage as_it_is,
                   std::string_view line_text) {
    if (found.size() == 1 && !tidy && has_markup(line_text)) return take_tidy(line_text, at);
    const bool last = one.ended == RecordEnd::line;
    if (one.text.size() >= buffer_sizes[0]) return give_cut(one, before, at);
    const bool beginning = one.message.size() <= max_beginning && matcher.is_beginning(one.message);
    if (!beginning && last) {
      record.event = Unrecognized{};
      return give(one, before, at, as_it_is);
    }
    if (!beginning) return give_damaged(one, before, at, Damage::torn);
    Fragment fragment = fragment_of(one, before, at);
    fragment.otherwise = last ? Damage::cut : Damage::torn;
    if (!last) fragment.lines_left = torn_lines;
    wait(std::move(fragment));
  }

  /// Reads a line again without what a page or an editor made of it.
  void take_tidy(std::string_view line_text, LineRef at) {
    const std::string clean = without_markup(line_text);
    tidy = true;
    plain_line(clean, at.line);
    tidy = false;
  }

  Fragment fragment_of(const FoundRecord& one, std::string_view before, LineRef at) const {
    Fragment fragment;
    fragment.text = one.text;
    fragment.before = before;
    fragment.pod = beside.pod;
    fragment.container = beside.container;
    fragment.time = beside.time;
    fragment.at = at;
    fragment.message = static_cast<std::size_t>(one.message.data() - one.text.data());
    fragment.line_size = line_size;
    return fragment;
  }

  void wait(Fragment fragment) {
    if (fragments.add(fragment)) return;
    done.push_back(std::move(fragment));
    give_done();
  }

  void give_fragment(const Fragment& fragment) {
    if (fragment.otherwise == Damage::joined && !fragment.partial && fragment.line_size >= wrap_width)
      wrapped_at = fragment.line_size;
    alone.clear();
    find_records(fragment.text, alone);
    if (alone.empty()) return;
    FoundRecord one = alone.front();
    one.message = std::string_view(fragment.text).substr(std::min(fragment.message, fragment.text.size()));
    one.text = fragment.text;
    beside = {fragment.pod, fragment.container, fragment.time};
    if (fragment.otherwise == Damage::cut) return give_cut(one, fragment.before, fragment.at);
    if (fragment.otherwise == Damage::torn) return give_damaged(one, fragment.before, fragment.at, Damage::torn);
    matcher.match(one.message, record.event);
    give(one, fragment.before, fragment.at, fragment.otherwise);
  }

  /// NCCL cuts long lines in a fixed buffer; from 2.13.4 to 2.19.4 what stood in memory behind it follows. A list that
  /// is cut still tells its whole items.
  void give_cut(FoundRecord one, std::string_view before, LineRef at) {
    const bool exactly = is_buffer_size(one.text.size());
    std::size_t buffer = 0;
    for (const std::size_t size : buffer_sizes)
      if (one.text.size() >= size) buffer = size;
    if (buffer != 0) one.message.remove_suffix(std::min(one.text.size() - buffer, one.message.size()));
    const std::size_t blank = one.message.rfind(' ');
    const std::string_view whole_items = one.message.substr(0, blank == std::string_view::npos ? 0 : blank);
    const Row* const row = matcher.match(whole_items, record.event);
    if (row != nullptr && row->end == RowEnd::list) {
      one.message = whole_items;
      return give(one, before, at, Damage::cut);
    }
    if (exactly || matcher.is_beginning(one.message.substr(0, max_beginning)))
      return give_damaged(one, before, at, Damage::cut);
    record.event = Unrecognized{};
    give(one, before, at, Damage::none);
  }

  void give_damaged(const FoundRecord& one, std::string_view before, LineRef at, Damage damage) {
    record.event = Damaged{};
    give(one, before, at, damage);
  }

  void count(Damage damage) {
    ++stats.nccl_lines;
    ++stats.damaged[static_cast<std::size_t>(damage)];
  }

  /// Gives the record, whose event is in place, to the sink.
  void give(const FoundRecord& one, std::string_view before, LineRef at, Damage damage) {
    count(damage);
    if (std::holds_alternative<Unrecognized>(record.event)) ++stats.unrecognized;
    if (!one.has_prefix && one.level != Level::version) ++stats.malformed;
    origin_of = 0;
    record.at = {source, at.line};  // it may have waited under another number
    record.level = one.level;
    record.damage = damage;
    record.origin = one.origin;
    record.origin.pod = beside.pod;
    record.origin.container = beside.container;
    record.origin.time = beside.time;
    read_wrapper(before, record.origin);
    if (!one.has_prefix && one.origin.device >= 0) record.origin.pid = -2 - one.origin.device;
    if (one.has_prefix && (one.speaker == nullptr || !one.speaker->settled)) settle(one, at);
    record.speaker = one.speaker != nullptr && one.speaker->settled ? one.speaker->number : 0;
    record.message = one.message;
    record.text = one.text;
    sink(record);
  }

  /// Who the host of the record is, in the light of those known.
  void settle(const FoundRecord& one, LineRef at) {
    const bool numbered = is_digit(one.origin.host.front());
    record.origin.host = without_number(record.origin.host, at.line);
    if (out_of_turn && !known.full() && !known.is_settled(record.origin)) unsure = true;
    const KnownOrigins::Meaning meaning = known.take(record.origin);
    record.origin.host = meaning.host;
    if (one.speaker != nullptr && !numbered) one.speaker->settled = meaning.settled;
  }

  /// `grep -n -C` puts `11-` before lines around those that it found: a number that goes with the lines of this source.
  std::string_view without_number(std::string_view host, std::uint64_t line) {
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(host.data(), host.data() + host.size(), number);
    const auto digits = static_cast<std::size_t>(end - host.data());
    if (error != std::errc{} || digits + 1 >= host.size() || host[digits] != '-') return host;
    unsure = true;  // only the lines before tell
    const bool goes_along = line != numbered_line && number - line == number_offset;
    numbered_line = line;
    number_offset = number - line;
    return goes_along ? host.substr(digits + 1) : host;
  }

  struct Emit {
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

  void feed(std::string_view text) { splitter.feed(text, Emit{this}); }

  void finish() {
    decoder.finish([this](std::string_view text) { feed(text); });
    splitter.finish(Emit{this});
    fragments.finish(done);
    give_done();
    take_counts();
  }

  void take_counts() {
    stats.lines = splitter.counts().lines;
    stats.truncated = splitter.counts().truncated;
  }

  /// Whether what comes next has nothing to do with what was read, but for who is known.
  bool is_between() const { return splitter.between_lines() && !wants_next() && wrapped_at == 0; }

  /// Forgets what is going on, not who is known.
  void restart() {
    splitter.restart();
    outside.restart();
    fragments.finish(done);
    done.clear();
    stats = {};
    wrapped_at = 0;
    unsure = asked = false;
  }
};

Parser::Parser(SourceId source, Sink sink, ParserLimits limits)
    : impl_(new Impl{.source = source, .sink = std::move(sink), .splitter = LineSplitter{limits.max_line}}) {}
Parser::Parser(Parser&&) noexcept = default;
Parser& Parser::operator=(Parser&&) noexcept = default;
Parser::~Parser() = default;

void Parser::feed(std::string_view chunk) {
  impl_->stats.bytes += chunk.size();
  impl_->decoder.feed(chunk, [this](std::string_view text) { impl_->feed(text); });
  impl_->take_counts();
}

void Parser::finish() { impl_->finish(); }

const ParseStats& Parser::stats() const noexcept { return impl_->stats; }

void Parser::move_to(SourceId source) noexcept {
  impl_->source = source;
  impl_->origin_of = 0;  // the record at hand has the old one
}

std::shared_ptr<const ParserKnowledge> Parser::knowledge() const {
  if (!impl_->decoder.is_plain() || !impl_->is_between()) return nullptr;
  return std::make_shared<const ParserKnowledge>(impl_->known);
}

bool Parser::pass(const ParsedPart& part) {
  const bool same = part.knowledge->known.changes() == impl_->known.changes();
  if (!impl_->decoder.is_plain() || !impl_->is_between() || (part.needs_same && !same)) return false;
  impl_->splitter.pass({part.stats.bytes, part.stats.lines, part.stats.truncated});
  impl_->stats += part.stats;
  return true;
}

PartParser::PartParser(SourceId source, Parser::Sink sink, std::uint16_t number, ParserLimits limits)
    : impl_(new Parser::Impl{.source = source,
                             .sink = std::move(sink),
                             .splitter = LineSplitter{limits.max_line},
                             .speakers = Speakers{number},
                             .out_of_turn = true}) {}
PartParser::PartParser(PartParser&&) noexcept = default;
PartParser& PartParser::operator=(PartParser&&) noexcept = default;
PartParser::~PartParser() = default;

std::optional<ParsedPart> PartParser::parse(std::string_view lines, std::shared_ptr<const ParserKnowledge> knowledge) {
  constexpr std::size_t slice = std::size_t{1} << 15U;  // what is read in vain at most
  impl_->restart();
  if (impl_->with != knowledge) {
    impl_->with = std::move(knowledge);
    impl_->known = impl_->with->known;
    impl_->speakers.unsettle();
  }
  impl_->stats.bytes = lines.size();
  for (std::size_t at = 0; at < lines.size() && !impl_->unsure; at += slice) impl_->feed(lines.substr(at, slice));
  if (impl_->unsure) impl_->with = nullptr;  // the copy has changed
  if (impl_->unsure || !impl_->is_between()) return std::nullopt;
  impl_->take_counts();
  return ParsedPart{impl_->stats, impl_->with, impl_->asked};
}

ParseStats& ParseStats::operator+=(const ParseStats& other) {
  bytes += other.bytes;
  lines += other.lines;
  nccl_lines += other.nccl_lines;
  unrecognized += other.unrecognized;
  malformed += other.malformed;
  truncated += other.truncated;
  for (std::size_t i = 0; i < damaged.size(); ++i) damaged[i] += other.damaged[i];
  return *this;
}

std::string_view to_string(Level level) {
  constexpr std::string_view names[] = {"version", "warn", "info", "abort", "trace", "call", "diag", "outside"};
  return names[static_cast<std::size_t>(level)];
}

std::string_view to_string(Damage damage) {
  constexpr std::string_view names[] = {"none", "glued", "joined", "cut", "torn"};
  static_assert(std::size(names) == damage_kinds);
  return names[static_cast<std::size_t>(damage)];
}

}  // namespace nccl_analyze
