// The careful way: any line at all, whatever a collector, a terminal or a page has made of it.

#include "messages/phrases.h"
#include "parser/boundaries.h"
#include "parser/parser_impl.h"
#include "text/markup.h"
#include "text/unmarked.h"
#include "text/wrapper.h"

namespace nccl_analyze {

namespace {

constexpr std::string_view pod_keys[] = {"pod_name", "k8s.pod.name", "pod"};
constexpr std::string_view container_keys[] = {"container_name", "k8s.container.name", "container"};
constexpr std::string_view time_keys[] = {"time", "timestamp", "@timestamp", "ts"};

}  // namespace

bool Parser::Impl::line(std::string_view text, std::uint64_t number) {
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

void Parser::Impl::plain_line(std::string_view text, std::uint64_t number) {
  line_size = text.size();
  ends_in_blank = text.ends_with(' ');
  text = find_in(without_notes(text), number);
  const bool taken = !fragments.empty() && offer(text);
  if (found.empty() && !taken && is_wrapped_head(text)) keep_head(text, number);
  if (found.empty() || found.front().level == Level::version) read_outside(text, {source, number});
  if (found.size() == 1 && !found[0].has_prefix && found[0].level != Level::version && !tidy && has_markup(text))
    return take_tidy(text, {source, number});
  std::size_t floor = 0;
  const std::size_t count = found.size();  // reading a line again without its markup finds others
  for (std::size_t i = 0; i < count; ++i) {
    if (i + 1 < count) part(text, found, i, matcher);
    const FoundRecord& one = found[i];
    // What stands before the line's first record speaks for those behind it that have nothing of their own.
    std::string_view before = text.substr(floor, one.start > floor ? one.start - floor : 0);
    if (before.find_first_not_of(' ') == std::string_view::npos && i > 0) before = text.substr(0, found[0].start);
    floor = static_cast<std::size_t>(one.message.data() - text.data()) + one.message.size();
    take(recognizer.match(one.message, record.event), one, before, {source, number}, text, i > 0);
  }
}

std::string_view Parser::Impl::find_in(std::string_view text, std::uint64_t& number) {
  found.clear();
  find_records(text, found);
  if (!wrapped_head.empty() && (found.empty() || (!found[0].has_prefix && found[0].level != Level::version))) {
    alone.swap(found);
    found.clear();
    whole_line.assign(wrapped_head).append(text);
    find_records(whole_line, found);
    if (!found.empty() && found[0].has_prefix && found[0].start < wrapped_head.size()) {
      wrapped_at = wrapped_head.size();
      wrapped_head.clear();
      number = head_line;
      return whole_line;
    }
    alone.swap(found);
  }
  wrapped_head.clear();
  if (found.empty()) find_without_word(text);
  return text;
}

bool Parser::Impl::is_wrapped_head(std::string_view text) const {
  if (wrapped_at != 0) return text.size() == wrapped_at;
  const std::size_t word = text.rfind("] ") == std::string_view::npos ? text.size() : text.rfind(" NCCL ");
  return word < text.size() && text.size() >= wrap_width && text.size() - word < std::string_view(" NCCL WARN").size();
}

void Parser::Impl::keep_head(std::string_view text, std::uint64_t number) {
  wrapped_head = text;
  head_line = number;
}

Unmarked Parser::Impl::read_without_word(std::string_view text, FoundRecord& one) {
  const Unmarked read = read_unmarked(text, one);
  const bool has_level = one.has_prefix || one.level != Level::info;
  if (read == Unmarked::none || has_level) return read;
  if (const FoundPhrase found = find_phrase(one.message); found && !found.softened) one.level = Level::warn;
  return read;
}

void Parser::Impl::find_without_word(std::string_view text) {
  FoundRecord one;
  const Unmarked read = read_without_word(text, one);
  if (read == Unmarked::none) return;
  if (read == Unmarked::likely && matcher.match(one.message, record.event) == nullptr) return;
  if (!one.has_prefix && !fragments.empty() && fragments.continued_by(text)) return;
  found.push_back(one);
}

void Parser::Impl::read_outside(std::string_view text, LineRef at) {
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

bool Parser::Impl::offer(std::string_view text) {
  std::string_view rest = text;
  if (!found.empty()) {
    FoundRecord& first = found.front();
    const std::size_t stuck = fragments.before_host_in(first.origin.host);
    if (stuck > 0 && fragments.completed_by(text.substr(0, first.start + stuck))) drop_front(first, stuck);
    rest = text.substr(0, first.start);
  }
  done.clear();
  const bool taken = fragments.next_line(rest, found.empty(), done);
  give_done();
  return taken;
}

void Parser::Impl::give_done() {
  const Beside here = beside;
  for (const Fragment& one : done) give_fragment(one);
  done.clear();
  beside = here;
}

}  // namespace nccl_analyze
