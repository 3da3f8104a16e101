// What was found becomes a record: whole, mended from several lines, or damaged.

#include <charconv>

#include "parser/parser_impl.h"
#include "text/markup.h"
#include "text/unmarked.h"
#include "text/wrapper.h"

namespace nccl_analyze {

namespace {

constexpr int partial_lines = 4;  // until the rest of a collector's part is given up
constexpr int open_lines = 2;     // until a record that may be torn is taken for whole
constexpr int torn_lines = 8;     // until the rest of a torn record is given up

}  // namespace

void Parser::Impl::take(const Row* row, const FoundRecord& one, std::string_view before, LineRef at,
                        std::string_view line_text, bool behind) {
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
  const bool open_end = one.ended == RecordEnd::record && row->end != RowEnd::words && one.level != Level::version;
  if (!open_end && !(last && may_be_wrapped(*row, one.level, one.text, line_size)))
    return give(one, before, at, as_it_is);
  Fragment fragment = fragment_of(one, before, at);
  fragment.otherwise = open_end ? Damage::torn : as_it_is;
  fragment.open_end = open_end;
  fragment.wrapped = is_wrapped_here(*row, line_size);
  fragment.ends_in_value = row->end == RowEnd::value;
  if (open_end) fragment.lines_left = fragment.ends_in_value ? open_lines : torn_lines;
  wait(std::move(fragment));
}

void Parser::Impl::take_unread(const FoundRecord& one, std::string_view before, LineRef at, Damage as_it_is,
                               std::string_view line_text) {
  if (found.size() == 1 && !tidy && has_markup(line_text)) return take_tidy(line_text, at);
  const bool last = one.ended == RecordEnd::line;
  if (one.text.size() >= buffer_sizes[0]) return give_cut(one, before, at);
  if (last && take_before_tail(one, before, at, as_it_is)) return;
  const bool beginning = one.message.size() <= max_beginning && matcher.is_beginning(one.message);
  if (!beginning && last) {
    if (complete(one)) return give(one, before, at, as_it_is);
    if (at_end) return give_damaged(one, before, at, Damage::cut);
    record.event = Unrecognized{};
    if (line_size >= wrap_width && found.size() == 1) {
      Fragment fragment = fragment_of(one, before, at);
      fragment.otherwise = as_it_is;
      return wait(std::move(fragment));
    }
    return give(one, before, at, as_it_is);
  }
  if (!beginning) return give_damaged(one, before, at, Damage::torn);
  Fragment fragment = fragment_of(one, before, at);
  fragment.otherwise = last ? Damage::cut : Damage::torn;
  if (!last) fragment.lines_left = torn_lines;
  wait(std::move(fragment));
}

bool Parser::Impl::take_before_tail(const FoundRecord& one, std::string_view before, LineRef at, Damage as_it_is) {
  if (one.message.size() > max_beginning) return false;
  FoundRecord shorter = one;
  const auto shorten = [&](std::string_view message) {
    shorter.message = message;
    shorter.text = one.text.substr(0, one.text.size() - (one.message.size() - message.size()));
  };
  const std::string_view marked = before_cut_mark(one.message);
  if (marked.size() < one.message.size() && matcher.is_beginning(marked)) {
    give_damaged(one, before, at, Damage::cut);
    return true;
  }
  for (const std::string_view message : before_tails(one.message)) {
    if (message.empty()) continue;
    shorten(message);
    if (matcher.match(message, record.event) != nullptr) {
      give(shorter, before, at, as_it_is);
      return true;
    }
    if (!matcher.is_beginning(message)) continue;
    give_damaged(shorter, before, at, Damage::torn);
    return true;
  }
  return false;
}

void Parser::Impl::take_tidy(std::string_view line_text, LineRef at) {
  const std::string clean = without_markup(line_text);
  tidy = true;
  plain_line(clean, at.line);
  tidy = false;
}

Fragment Parser::Impl::fragment_of(const FoundRecord& one, std::string_view before, LineRef at) const {
  Fragment fragment;
  fragment.text = one.text;
  fragment.before = before;
  fragment.host = one.origin.host;
  fragment.pod = beside.pod;
  fragment.container = beside.container;
  fragment.time = beside.time;
  fragment.at = at;
  fragment.message = static_cast<std::size_t>(one.message.data() - one.text.data());
  if (one.ended == RecordEnd::line) fragment.line_size = line_size;
  fragment.blank_end = ends_in_blank && one.ended == RecordEnd::line;
  return fragment;
}

void Parser::Impl::wait(Fragment fragment) {
  if (fragments.add(fragment)) return;
  done.push_back(std::move(fragment));
  give_done();
}

void Parser::Impl::give_fragment(const Fragment& fragment) {
  if (fragment.otherwise == Damage::joined && !fragment.partial && fragment.line_size >= wrap_width)
    wrapped_at = fragment.line_size;
  alone.clear();
  find_records(fragment.text, alone);
  if (alone.empty()) {
    alone.emplace_back();
    if (read_without_word(fragment.text, alone.front()) == Unmarked::none) return;
  }
  FoundRecord one = alone.front();
  one.message = std::string_view(fragment.text).substr(std::min(fragment.message, fragment.text.size()));
  one.text = fragment.text;
  beside = {fragment.pod, fragment.container, fragment.time};
  if (fragment.otherwise == Damage::cut) return give_cut(one, fragment.before, fragment.at);
  if (fragment.otherwise == Damage::torn) return give_damaged(one, fragment.before, fragment.at, Damage::torn);
  if (matcher.match(one.message, record.event) == nullptr && complete(one))
    return give(one, fragment.before, fragment.at, Damage::cut);
  give(one, fragment.before, fragment.at, fragment.otherwise);
}

void Parser::Impl::give_cut(FoundRecord one, std::string_view before, LineRef at) {
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
  if (!exactly && complete(one)) return give(one, before, at, Damage::cut);
  if (exactly || matcher.is_beginning(one.message.substr(0, max_beginning)))
    return give_damaged(one, before, at, Damage::cut);
  record.event = Unrecognized{};
  give(one, before, at, Damage::none);
}

bool Parser::Impl::complete(const FoundRecord& one) {
  const std::string_view message = one.message;
  constexpr std::size_t max_message = 512, max_blanks = 16;
  if (message.size() > max_message) return false;
  const std::string_view missing = matcher.words_missing(message);
  completed.assign(message).append(missing);
  record.completed = completed;
  if (!missing.empty() && matcher.match(completed, record.event) != nullptr) return true;
  record.completed = {};
  if (one.level == Level::info) return false;
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

void Parser::Impl::give_damaged(const FoundRecord& one, std::string_view before, LineRef at, Damage damage) {
  record.event = Damaged{};
  give(one, before, at, damage);
}

void Parser::Impl::give(const FoundRecord& one, std::string_view before, LineRef at, Damage damage) {
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
  const bool known = one.speaker != nullptr && !one.speaker->numbered;
  record.speaker = known ? one.speaker->number : 0;
  if (!known && one.has_prefix) record.origin.host = without_number(one.origin.host, at.line);
  record.message = one.message;
  record.text = one.text;
  sink(record);
  record.completed = {};
}

std::string_view Parser::Impl::without_number(std::string_view host, std::uint64_t line) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(host.data(), host.data() + host.size(), number);
  const auto digits = static_cast<std::size_t>(end - host.data());
  if (error != std::errc{} || digits + 1 >= host.size() || host[digits] != '-') return host;
  const bool goes_along = line != numbered_line && number - line == number_offset;
  numbered_line = line;
  number_offset = number - line;
  return goes_along ? host.substr(digits + 1) : host;
}

}  // namespace nccl_analyze
