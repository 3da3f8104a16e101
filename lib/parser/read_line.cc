// Finds the records in a line, after removing what log collectors, terminals and people added to it.

#include <algorithm>

#include "evidence/journal.h"
#include "messages/phrases.h"
#include "parser/boundaries.h"
#include "parser/parser_impl.h"
#include "text/decoration.h"
#include "text/line_scan.h"
#include "text/literal.h"
#include "text/lower_case.h"
#include "text/markup.h"
#include "text/message.h"
#include "text/split.h"
#include "text/unmarked.h"

namespace nccl_analyze {

namespace {

constexpr std::string_view pod_keys[] = {"pod_name", "k8s.pod.name", "pod", "podName"};
constexpr std::string_view container_keys[] = {"container_name", "k8s.container.name", "container", "containerName"};
constexpr std::string_view time_keys[] = {"time", "timestamp", "@timestamp", "ts"};

/// Whether the line is a JSON object in which a collector or a logger keeps the text of another line. False for a
/// logger's record at a level below error, which reports no failure even if its text looks like one.
bool holds_message(std::string_view text) {
  constexpr std::string_view level_keys[] = {"level", "levelname", "lvl"};
  constexpr std::string_view quiet[] = {"debug", "info", "notice", "warn", "warning"};
  if (!trimmed(text).starts_with('{')) return false;
  return std::ranges::find(quiet, lower_case(json_member(text, level_keys))) == std::end(quiet);
}

/// Sets the decoration of a record, and the fields of its origin that come from the decoration or from a JSON line.
void set_decoration(std::string_view decoration, const Origin& json_fields, RecordView& view) {
  view.decoration = decoration;
  view.partial = view.ended == RecordEnd::line && is_partial(decoration);
  view.origin.pod = json_fields.pod;
  view.origin.container = json_fields.container;
  view.origin.time = json_fields.time;
  read_decoration(decoration, view.origin);
}

}  // namespace

void Parser::Impl::read_lines() {
  for (Line line; splitter.next(wanted(), line);) {
    if (line.plain() && read_plain(line)) continue;
    if (watch) watch(line.text, line.number);
    read_any(line);
  }
}

bool Parser::Impl::read_plain(const Line& line) {
  const std::string_view text = line.text;
  if (text.ends_with('>') && without_closing_tags(text).size() != text.size()) return false;
  if (!is_common(text, line.marker) || !senders.read_plain(text, line.marker, line.sender, plain, record.origin))
    return false;
  if (evidence.waiting() && plain.start > 0) {
    plain.origin = record.origin;
    read_before(text, plain, line.number, {});
    record.origin = plain.origin;
  }
  const MessageMatch match = messages.match(plain.message, record.event);
  if (plain.sender != 0 && is_whole(match, plain, record.origin.host, text.size())) {
    ++stats.nccl_lines;
    ++stats.damaged[static_cast<std::size_t>(Damage::none)];
    record.sender = plain.sender;
    call_sink(plain, plain.text, line.number, Damage::none);
    return true;
  }
  plain.origin = record.origin;
  classify(match, plain, {.text = text, .number = line.number, .size = text.size(), .blank_end = text.ends_with(' ')},
           false);
  return true;
}

bool Parser::Impl::next_is_record(std::string_view host) {
  if (wants_next()) return false;  // the next line must first be offered to the pending records
  Line next;
  if (!splitter.peek(next) || !is_common(next.text, next.marker)) return false;
  const std::string_view next_host = senders.host_at_start(next.text, next.marker);
  return !next_host.empty() && bytes_before_host(next_host, host) == 0;
}

void Parser::Impl::read_any(const Line& line, const Origin& outer) {
  const LineContext context{.text = {}, .number = line.number, .ends_input = line.ends_input};
  auto& [uncoloured, unwrapped, nested, unescaped, unused] = scratch;
  std::string_view text = strip_bare_colours(line.text, uncoloured);
  Origin json_fields = outer;
  if (is_plain(text)) return read_text(text, context, json_fields);
  if (const auto entry = evidence::read_journal_entry(text)) {
    json_fields.host = entry->host;
    json_fields.pid = entry->pid;
    json_fields.container = entry->container;
    json_fields.time = entry->time;
    return read_message(unwrap_json(entry->message, unwrapped), context, json_fields);
  }
  const std::string_view inside = unwrap_json(text, unwrapped);
  if (inside.data() != text.data()) {
    if (read_json(line, text, outer)) return;
    json_fields.pod = json_member(text, pod_keys);
    json_fields.container = json_member(text, container_keys);
    json_fields.time = json_member(text, time_keys);
    const std::string_view deeper = unwrap_json(inside, nested);
    if (deeper.data() != inside.data()) unwrapped.swap(nested);
    text = unwrapped;
  } else if (reassembly.has_records()) {
    text = json_text(text, unwrapped);
  }
  read_message(text, context, json_fields);
}

void Parser::Impl::read_message(std::string_view text, const LineContext& context, const Origin& json_fields) {
  std::string& unescaped = scratch[3];
  while (true) {
    const std::size_t newline = text.find('\n');
    read_text(strip_escapes(text.substr(0, newline), unescaped), context, json_fields);
    if (newline == std::string_view::npos) break;
    text.remove_prefix(newline + 1);
    if (text.empty()) break;  // the newline at the end of the line
  }
}

void Parser::Impl::read_text(std::string_view text, LineContext line, const Origin& json_fields) {
  line.size = text.size();
  line.blank_end = text.ends_with(' ');
  line.text = without_notes(text);
  if (line.returned) return read_log_line(line, json_fields, true);
  const bool is_in_document = evidence.waiting();
  if (!is_in_document || !read_in_document(line, json_fields)) read_log_line(line, json_fields, is_in_document);
}

bool Parser::Impl::read_in_document(LineContext& line, const Origin& json_fields) {
  if (!holds_record(line.text)) return read_evidence(line, json_fields);
  read_before(line.text, found.front(), line.number, json_fields);
  evidence::Facts facts;
  evidence.interrupt(facts);
  emit_facts(facts, {}, {});
  read_returned(line);
  return false;
}

void Parser::Impl::read_before(std::string_view text, const RecordView& first, std::uint64_t number,
                               const Origin& json_fields) {
  evidence::Facts facts;
  const std::string_view piece = text.substr(0, first.start + first.origin.host.size());
  if (evidence.read_piece(piece, number, facts)) emit_facts(facts, text.substr(0, evidence.indent()), json_fields);
}

void Parser::Impl::read_log_line(LineContext line, const Origin& json_fields, bool is_in_document) {
  line.keyword = has_keyword(line.text);
  find_in(line);
  if (line.keyword && !is_in_document && found.empty() && read_evidence(line, json_fields)) return;
  line.records = found.size();
  const bool is_rest = reassembly.has_records() && offer_to_pending(line.text, line.number);
  if (found.empty() && !is_rest) reassembly.keep_head(line.text, line.number);
  if (found.empty() || found.front().level == Level::version) read_external(line, json_fields);
  if (found.size() == 1 && !found[0].has_prefix && found[0].level != Level::version && !line.markup_removed() &&
      has_markup(line.text)) {
    return read_text(without_markup(line.text), line.without_markup(), json_fields);
  }
  std::size_t floor = 0;
  for (std::size_t i = 0; i < line.records; ++i) {
    if (i + 1 < line.records) split_records(line.text, found, i, matcher);
    RecordView& view = found[i];
    // A later record of the line that has no decoration came through the same collector as the first record.
    std::string_view decoration = line.text.substr(floor, view.start > floor ? view.start - floor : 0);
    if (decoration.find_first_not_of(' ') == std::string_view::npos && i > 0)
      decoration = line.text.substr(0, found[0].start);
    floor = static_cast<std::size_t>(view.message.data() - line.text.data()) + view.message.size();
    set_decoration(decoration, json_fields, view);
    view.quote = line.with_markup;
    classify(messages.match(view.message, record.event), view, line, i > 0);
  }
}

bool Parser::Impl::holds_record(std::string_view text) {
  found.clear();
  find_records(text, found);
  return !found.empty() && found.front().has_prefix;
}

void Parser::Impl::find_in(LineContext& line) {
  found.clear();
  if (line.keyword) find_records(line.text, found);
  const bool headless = found.empty() || (!found[0].has_prefix && found[0].level != Level::version);
  if (headless && reassembly.reassemble_head(line.text, found, line.number)) {
    line.keyword = true;
    return;
  }
  reassembly.drop_head();
  if (line.keyword && found.empty()) find_unmarked(line.text);
}

Unmarked Parser::Impl::read_unmarked_record(std::string_view text, RecordView& view) {
  const Unmarked read = read_unmarked(text, view);
  const bool has_level = view.has_prefix || view.level != Level::info;
  if (read == Unmarked::none || has_level) return read;
  if (const FoundPhrase phrase = find_phrase(view.message); phrase && !phrase.softened) view.level = Level::warn;
  return read;
}

void Parser::Impl::find_unmarked(std::string_view text) {
  RecordView view;
  const Unmarked read = read_unmarked_record(text, view);
  if (read == Unmarked::none) return;
  if (read == Unmarked::likely && matcher.match(view.message, record.event) == nullptr) return;
  if (!view.has_prefix && reassembly.has_records() && reassembly.continues_any(text)) return;
  found.push_back(view);
}

void Parser::Impl::read_external(const LineContext& line, const Origin& json_fields) {
  auto& inside = scratch[4];
  if (!holds_message(line.text)) return read_external_text(line.text, line, json_fields);
  Origin fields = json_fields;
  fields.pod = json_member(line.text, pod_keys);
  fields.container = json_member(line.text, container_keys);
  fields.time = json_member(line.text, time_keys);
  std::string_view rest = json_text(line.text, inside);
  while (!rest.empty()) {
    const std::string_view text = take_until(rest, '\n');
    read_external_text(text, line, fields);
  }
}

void Parser::Impl::read_external_text(std::string_view text, const LineContext& line, const Origin& json_fields) {
  RecordView view;
  const bool keyword = text.data() == line.text.data() ? line.keyword : has_keyword(text);
  const std::uint64_t first_line = external.read(text, line.number, keyword, view, record.event);
  if (first_line == 0) return;
  view.origin.host = json_fields.host;
  view.origin.pid = json_fields.pid;
  set_decoration(view.decoration, json_fields, view);
  const bool is_json = text.data() != line.text.data();
  if (is_json) view.quote = trimmed(line.text);  // quotes the JSON as it stands in the log
  emit(view, is_json ? line.number : first_line, Damage::none);
}

bool Parser::Impl::read_evidence(LineContext& line, const Origin& json_fields) {
  evidence::Facts facts;
  const bool is_read = evidence.read(line.text, line.number, facts);
  emit_facts(facts, line.text.substr(0, evidence.indent()), json_fields);
  if (is_read) stats.note_document({line.number, line.number});
  read_returned(line);
  return is_read;
}

void Parser::Impl::read_returned(LineContext& line) {
  const evidence::ReturnedLines returned = evidence.take_returned();
  if (returned.text.empty()) return;
  stats.drop_documents_from(returned.first);
  if (line.text.data() != kept_line.data()) line.text = kept_line.assign(line.text);
  std::uint64_t number = returned.first;
  for (std::string_view rest = returned.text; !rest.empty(); number += number < returned.last ? 1 : 0) {
    const std::string_view text = rest.substr(0, rest.find('\n'));
    read_text(text, {.text = {}, .number = number, .returned = true}, {});
    rest.remove_prefix(text.size() + 1);
  }
  record.is_fact = false;
}

void Parser::Impl::emit_facts(const evidence::Facts& facts, std::string_view decoration, const Origin& json_fields) {
  record.is_fact = true;
  for (const evidence::Fact& fact : facts) {
    ++fact_count;
    record.event = fact.event;
    RecordView view;
    view.level = Level::external;
    view.text = fact.shown.text;
    view.message = without_cut_marks(view.text);
    set_decoration(decoration, json_fields, view);
    emit(view, fact.shown.line, Damage::none);
  }
  record.is_fact = false;
}

bool Parser::Impl::offer_to_pending(std::string_view text, std::uint64_t number) {
  std::string_view rest = text;
  if (!found.empty()) {
    RecordView& first = found.front();
    const std::size_t extra = reassembly.bytes_before_host_in(first.origin.host);
    if (extra > 0 && reassembly.completes_any(text.substr(0, first.start + extra))) drop_front(first, extra);
    rest = text.substr(0, first.start);
  }
  std::vector<PendingRecord> finished;
  const bool is_rest = reassembly.offer_line(rest, number, !found.empty(), finished);
  emit_finished(finished);
  return is_rest;
}

}  // namespace nccl_analyze
