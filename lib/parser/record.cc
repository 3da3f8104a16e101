// Classifies the records that were found in lines. Emits each record when it is complete, reassembled, or known to be
// damaged.

#include <algorithm>
#include <charconv>
#include <iterator>
#include <variant>

#include "parser/parser_impl.h"
#include "text/decoration.h"
#include "text/markup.h"
#include "text/program_text.h"
#include "text/unmarked.h"

namespace nccl_analyze {

namespace {

// The number of later lines in which the rest of a record is searched, by the kind of record.
constexpr int container_lines = 4;    // a record that the container runtime split
constexpr int open_lines = 2;         // a record that ends with a value, which may be complete
constexpr int interleaved_lines = 8;  // a record that another process interrupted

PendingRecord pending_of(const RecordView& view, const LineContext& line) {
  PendingRecord pending = PendingRecord::of(view);
  pending.line = pending.last_line = line.number;
  if (view.ended == RecordEnd::line) pending.line_size = line.size;
  pending.blank_end = line.blank_end && view.ended == RecordEnd::line;
  return pending;
}

}  // namespace

std::string_view LineNumbers::without_number(std::string_view host, std::uint64_t at) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(host.data(), host.data() + host.size(), number);
  const auto digits = static_cast<std::size_t>(end - host.data());
  if (error != std::errc{} || digits + 1 >= host.size() || host[digits] != '-') return host;
  const bool same_offset = at != line && number - at == offset;
  line = at;
  offset = number - at;
  return same_offset ? host.substr(digits + 1) : host;
}

void Parser::Impl::classify(const MessageMatch& match, const RecordView& view, const LineContext& line, bool behind) {
  const Damage damage = behind ? Damage::glued : Damage::none;
  if (is_whole(match, view, view.origin.host, line.size)) return emit(view, line.number, damage);
  if (view.partial) {
    PendingRecord part = pending_of(view, line);
    part.text = part.quote = line.text.substr(view.start);
    part.fallback = damage;
    part.partial = true;
    part.lines_left = container_lines;
    return defer(part);
  }
  if (!match.whole) return classify_unmatched(view, line, damage);
  if (match.row->end == RowEnd::list && is_buffer_size(view.text.size())) return emit_cut(view, line.number);
  const bool open_end =
      view.ended == RecordEnd::record && match.row->end != RowEnd::words && view.level != Level::version;
  if (!open_end && view.ended != RecordEnd::line) return emit(view, line.number, damage);
  PendingRecord pending = pending_of(view, line);
  pending.fallback = open_end ? Damage::torn : damage;
  pending.open_end = open_end;
  pending.wrapped = reassembly.is_wrapped_here(*match.row, line.size);
  pending.ends_in_value = match.row->end == RowEnd::value;
  if (open_end) pending.lines_left = pending.ends_in_value ? open_lines : interleaved_lines;
  defer(pending);
}

void Parser::Impl::classify_unmatched(const RecordView& view, const LineContext& line, Damage damage) {
  if (line.records == 1 && !line.markup_removed() && has_markup(line.text)) {
    const LineContext again = line.without_markup();
    const Origin json_fields = view.origin;  // a copy, because read_text() overwrites `view`
    return read_text(without_markup(line.text), again, json_fields);
  }
  const bool last = view.ended == RecordEnd::line;
  has_torn_lines = has_torn_lines || !last;
  if (view.text.size() >= buffer_sizes[0]) return emit_cut(view, line.number);
  if (last && emit_without_trailing_text(view, line.number, damage)) return;
  const bool beginning = view.message.size() <= max_beginning && matcher.is_beginning(view.message);
  if (!beginning && last) {
    if (match_completed(view)) return emit(view, line.number, damage);
    if (line.ends_input) return emit_damaged(view, line.number, Damage::cut);
    if (breaks_off(view)) return emit_damaged(view, line.number, Damage::torn);
    record.event = Unrecognized{};
    if (line.size < wrap_width || line.records != 1) return emit(view, line.number, damage);
    PendingRecord pending = pending_of(view, line);
    pending.fallback = damage;
    return defer(pending);
  }
  if (!beginning) return emit_damaged(view, line.number, Damage::torn);
  PendingRecord pending = pending_of(view, line);
  pending.fallback = last ? Damage::cut : Damage::torn;
  if (!last) pending.lines_left = interleaved_lines;
  defer(pending);
}

bool Parser::Impl::breaks_off(const RecordView& view) const {
  constexpr std::size_t min_known = 40;
  if (!has_torn_lines || view.level != Level::info || view.message.size() > max_beginning) return false;
  const std::size_t known = matcher.size_of_beginning(view.message);
  return known >= min_known && known * 2 > view.message.size();
}

bool Parser::Impl::emit_without_trailing_text(const RecordView& view, std::uint64_t line, Damage damage) {
  if (view.message.size() > max_beginning) return false;
  RecordView shorter = view;
  const auto shorten = [&](std::string_view message) {
    shorter.message = message;
    shorter.text = view.text.substr(0, view.text.size() - (view.message.size() - message.size()));
  };
  const std::string_view marked = without_cut_mark(view.message);
  if (marked.size() < view.message.size() && matcher.is_beginning(marked)) {
    emit_damaged(view, line, Damage::cut);
    return true;
  }
  for (const std::string_view message : without_trailing_text(view.message)) {
    if (message.empty()) continue;
    shorten(message);
    if (matcher.match(message, record.event) != nullptr) {
      emit(shorter, line, damage);
      return true;
    }
    if (!matcher.is_beginning(message)) continue;
    emit_damaged(shorter, line, Damage::torn);
    return true;
  }
  return false;
}

void Parser::Impl::defer(const PendingRecord& pending) {
  if (!reassembly.add(pending)) emit_pending(pending);
}

void Parser::Impl::emit_finished(std::vector<PendingRecord>& finished) {
  for (const PendingRecord& pending : finished) emit_pending(pending);
  finished.clear();
}

void Parser::Impl::emit_pending(const PendingRecord& pending) {
  reassembly.note_width(pending);
  const RecordView view = pending.view();
  if (pending.fallback == Damage::cut) return emit_cut(view, pending.line);
  if (pending.fallback == Damage::torn) return emit_damaged(view, pending.line, Damage::torn);
  if (matcher.match(view.message, record.event) == nullptr && match_completed(view))
    return emit(view, pending.line, Damage::cut);
  emit(view, pending.line, pending.fallback);
}

void Parser::Impl::emit_cut(RecordView view, std::uint64_t line) {
  const bool exactly = is_buffer_size(view.text.size());
  std::size_t buffer = 0;
  for (const std::size_t size : buffer_sizes)
    if (view.text.size() >= size) buffer = size;
  if (buffer != 0) view.message.remove_suffix(std::min(view.text.size() - buffer, view.message.size()));
  const std::size_t blank = view.message.rfind(' ');
  const std::string_view whole_items = view.message.substr(0, blank == std::string_view::npos ? 0 : blank);
  const Row* const row = matcher.match(whole_items, record.event);
  if (row != nullptr && row->end == RowEnd::list) {
    view.message = whole_items;
    return emit(view, line, Damage::cut);
  }
  if (!exactly && match_completed(view)) return emit(view, line, Damage::cut);
  if (exactly || matcher.is_beginning(view.message.substr(0, max_beginning)))
    return emit_damaged(view, line, Damage::cut);
  record.event = Unrecognized{};
  emit(view, line, Damage::none);
}

bool Parser::Impl::match_completed(const RecordView& view) {
  const std::string_view message = view.message;
  constexpr std::size_t max_message = 512, max_blanks = 16;
  if (message.size() > max_message) return false;
  if (match_shortened(message) || match_cut_pointer(message)) return true;
  std::string& completed = scratch.back();
  const std::string_view missing = matcher.words_missing(message);
  completed.assign(message).append(missing);
  record.completed = completed;
  if (!missing.empty() && matcher.match(completed, record.event) != nullptr) return true;
  record.completed = {};
  if (view.level == Level::info) return false;
  std::size_t blank = message.find(' ');
  for (std::size_t tried = 0; tried < max_blanks && blank != std::string_view::npos; ++tried) {
    completed.assign(message).insert(blank, 1, ' ');
    record.completed = completed;
    if (matcher.match(completed, record.event) != nullptr) return true;
    record.completed = {};
    blank = message.find(' ', blank + 1);
  }
  return false;
}

bool Parser::Impl::match_shortened(std::string_view message) {
  const std::string_view rest = without_cut_mark(message);
  if (rest.size() == message.size()) return false;
  std::string& completed = scratch.back();
  for (const std::string_view ellipsis : {"...", " ..."}) {
    completed.assign(rest).append(ellipsis);
    record.completed = completed;
    if (matcher.match(completed, record.event) != nullptr) return true;
  }
  record.completed = {};
  return false;
}

bool Parser::Impl::match_cut_pointer(std::string_view message) {
  constexpr std::string_view words = "comm 0x";
  if (!message.starts_with(words)) return false;
  std::string& completed = scratch.back();
  for (const std::string_view mark : {"\u2026", "..."}) {
    if (!message.substr(words.size()).starts_with(mark)) continue;
    completed.assign(words).append("0").append(message.substr(words.size() + mark.size()));
    record.completed = completed;
    if (matcher.match(completed, record.event) != nullptr && std::holds_alternative<CommPlaced>(record.event))
      return true;
  }
  record.event = Unrecognized{};
  record.completed = {};
  return false;
}

void Parser::Impl::emit_damaged(const RecordView& view, std::uint64_t line, Damage damage) {
  record.event = Damaged{};
  emit(view, line, damage);
}

void Parser::Impl::count(const RecordView& view, Damage damage) {
  if (view.level == Level::external || is_version_of_program(view.text)) return;  // not NCCL's
  ++stats.nccl_lines;
  ++stats.damaged[static_cast<std::size_t>(damage)];
  if (std::holds_alternative<Unrecognized>(record.event)) ++stats.unrecognized;
  if (!view.has_prefix && view.level != Level::version) ++stats.malformed;
}

void Parser::Impl::emit(const RecordView& view, std::uint64_t line, Damage damage) {
  count(view, damage);
  record.origin = view.origin;
  record.sender = view.sender;
  if (view.sender == 0 && view.has_prefix) record.origin.host = numbers.without_number(view.origin.host, line);
  if (!view.has_prefix && view.origin.device >= 0) record.origin.pid = std::int64_t{-2} - view.origin.device;
  call_sink(view, view.quote.empty() ? view.text : view.quote, line, damage);
  record.completed = {};
}

}  // namespace nccl_analyze
