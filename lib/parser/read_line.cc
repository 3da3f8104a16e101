// Finds the records in a line.

#include "messages/phrases.h"
#include "parser/boundaries.h"
#include "parser/parser_impl.h"
#include "text/decoration.h"
#include "text/markup.h"
#include "text/message.h"
#include "text/unmarked.h"

namespace nccl_analyze {

namespace {

constexpr std::string_view pod_keys[] = {"pod_name", "k8s.pod.name", "pod"};
constexpr std::string_view container_keys[] = {"container_name", "k8s.container.name", "container"};
constexpr std::string_view time_keys[] = {"time", "timestamp", "@timestamp", "ts"};

/// What stands before a record, and what it tells of the record's origin.
void read_before(std::string_view before, const Origin& beside, RecordView& one) {
  one.decoration = before;
  one.partial = one.ended == RecordEnd::line && is_partial(before);
  one.origin.pod = beside.pod;
  one.origin.container = beside.container;
  one.origin.time = beside.time;
  read_decoration(before, one.origin);
}

}  // namespace

void Parser::Impl::read_lines() {
  for (Line line; splitter.next(wants_next(), line);)
    if (!line.plain() || !read_plain(line)) read_any(line);
}

bool Parser::Impl::read_plain(const Line& line) {
  const std::string_view text = line.text;
  if (!is_common(text, line.marker) || !senders.read_plain(text, line.marker, line.sender, plain, record.origin))
    return false;
  const MessageMatch match = messages.match(plain.message, record.event);
  if (plain.sender != 0 && is_whole(match, plain, record.origin.host, text.size())) {
    ++stats.nccl_lines;
    ++stats.damaged[static_cast<std::size_t>(Damage::none)];
    record.sender = plain.sender;
    give(plain, line.number, Damage::none);
    return true;
  }
  plain.origin = record.origin;
  classify(match, plain, {.text = text, .number = line.number, .size = text.size(), .blank_end = text.ends_with(' ')},
           false);
  return true;
}

bool Parser::Impl::next_is_record(std::string_view host) {
  if (wants_next()) return false;  // a record that waits comes out first
  Line next;
  if (!splitter.peek(next) || !is_common(next.text, next.marker)) return false;
  const std::string_view next_host = senders.host_at_start(next.text, next.marker);
  return !next_host.empty() && bytes_before_host(next_host, host) == 0;
}

void Parser::Impl::read_any(const Line& line) {
  const LineContext context{.text = {}, .number = line.number, .ends_input = line.ends_input};
  auto& [uncoloured, unwrapped, nested, unescaped, unused] = scratch;
  std::string_view text = strip_bare_colours(line.text, uncoloured);
  Origin beside;
  if (is_plain(text)) return read_text(text, context, beside);
  const std::string_view inside = unwrap_json(text, unwrapped);
  if (inside.data() != text.data()) {
    beside.pod = json_member(text, pod_keys);
    beside.container = json_member(text, container_keys);
    beside.time = json_member(text, time_keys);
    const std::string_view deeper = unwrap_json(inside, nested);
    if (deeper.data() != inside.data()) unwrapped.swap(nested);
    text = unwrapped;
  } else if (reassembly.has_records()) {
    text = json_text(text, unwrapped);
  }
  while (true) {
    const std::size_t newline = text.find('\n');
    read_text(strip_escapes(text.substr(0, newline), unescaped), context, beside);
    if (newline == std::string_view::npos) break;
    text.remove_prefix(newline + 1);
    if (text.empty()) break;  // the newline of the line itself
  }
}

void Parser::Impl::read_text(std::string_view text, LineContext line, const Origin& beside) {
  line.size = text.size();
  line.blank_end = text.ends_with(' ');
  line.text = without_notes(text);
  find_in(line);
  line.records = found.size();
  const bool taken = reassembly.has_records() && offer(line.text);
  if (found.empty() && !taken) reassembly.keep_head(line.text, line.number);
  if (found.empty() || found.front().level == Level::version) read_external(line, beside);
  if (found.size() == 1 && !found[0].has_prefix && found[0].level != Level::version && !line.tidy &&
      has_markup(line.text)) {
    line.tidy = true;
    return read_text(without_markup(line.text), line, beside);
  }
  std::size_t floor = 0;
  for (std::size_t i = 0; i < line.records; ++i) {
    if (i + 1 < line.records) part(line.text, found, i, matcher);
    RecordView& one = found[i];
    // What stands before the line's first record tells the origin of those behind it that have nothing of their own.
    std::string_view before = line.text.substr(floor, one.start > floor ? one.start - floor : 0);
    if (before.find_first_not_of(' ') == std::string_view::npos && i > 0) before = line.text.substr(0, found[0].start);
    floor = static_cast<std::size_t>(one.message.data() - line.text.data()) + one.message.size();
    read_before(before, beside, one);
    classify(messages.match(one.message, record.event), one, line, i > 0);
  }
}

void Parser::Impl::find_in(LineContext& line) {
  found.clear();
  find_records(line.text, found);
  const bool headless = found.empty() || (!found[0].has_prefix && found[0].level != Level::version);
  if (headless && reassembly.reassemble_head(line.text, found, line.number)) return;
  reassembly.drop_head();
  if (found.empty()) find_without_word(line.text);
}

Unmarked Parser::Impl::read_without_word(std::string_view text, RecordView& one) {
  const Unmarked read = read_unmarked(text, one);
  const bool has_level = one.has_prefix || one.level != Level::info;
  if (read == Unmarked::none || has_level) return read;
  if (const FoundPhrase phrase = find_phrase(one.message); phrase && !phrase.softened) one.level = Level::warn;
  return read;
}

void Parser::Impl::find_without_word(std::string_view text) {
  RecordView one;
  const Unmarked read = read_without_word(text, one);
  if (read == Unmarked::none) return;
  if (read == Unmarked::likely && matcher.match(one.message, record.event) == nullptr) return;
  if (!one.has_prefix && reassembly.has_records() && reassembly.continued_by(text)) return;
  found.push_back(one);
}

void Parser::Impl::read_external(const LineContext& line, const Origin& beside) {
  RecordView one;
  if (!external.read(line.text, one, record.event)) return;
  read_before(one.decoration, beside, one);
  emit(one, line.number, Damage::none);
}

bool Parser::Impl::offer(std::string_view text) {
  std::string_view rest = text;
  if (!found.empty()) {
    RecordView& first = found.front();
    const std::size_t stuck = reassembly.bytes_before_host_in(first.origin.host);
    if (stuck > 0 && reassembly.completed_by(text.substr(0, first.start + stuck))) drop_front(first, stuck);
    rest = text.substr(0, first.start);
  }
  std::vector<PendingRecord> done;
  const bool taken = reassembly.next_line(rest, found.empty(), done);
  emit_done(done);
  return taken;
}

}  // namespace nccl_analyze
