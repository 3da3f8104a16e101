#include "parser/reassembly.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <utility>

#include "parser/boundaries.h"
#include "text/blanks.h"
#include "text/decoration.h"

namespace nccl_analyze {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

constexpr int partial_lines = 4;   // other streams' lines may stand between
constexpr int wrapped_lines = 24;  // a line of 1023 bytes on a terminal of 80 columns is half of it

/// How many bytes of its own words a row has.
std::size_t literal_size(const Row& row) {
  std::size_t size = 0;
  bool inside_hole = false;
  for (const char c : row.wording) {
    if (c == '{' || c == '}')
      inside_hole = c == '{';
    else if (!inside_hole)
      ++size;
  }
  return size;
}

}  // namespace

PendingRecord PendingRecord::of(const RecordView& one) {
  const auto part = [&](std::string_view view) {  // what damage left outside of the record's text is not kept
    const std::less_equal<const char*> not_behind;
    const char* const end = one.text.data() + one.text.size();
    const bool inside = not_behind(one.text.data(), view.data()) && not_behind(view.data() + view.size(), end);
    return inside ? Part{static_cast<std::size_t>(view.data() - one.text.data()), view.size()} : Part{};
  };
  PendingRecord pending;
  pending.text = one.text;
  pending.decoration = one.decoration;
  pending.pod = one.origin.pod;
  pending.container = one.origin.container;
  pending.time = one.origin.time;
  pending.host = part(one.origin.host);
  pending.timestamp = part(one.origin.timestamp);
  pending.location = part(one.origin.location);
  pending.pid = one.origin.pid;
  pending.tid = one.origin.tid;
  pending.device = one.origin.device;
  pending.level = one.level;
  pending.has_prefix = one.has_prefix;
  pending.message = static_cast<std::size_t>(one.message.data() - one.text.data());
  return pending;
}

RecordView PendingRecord::view() const {
  RecordView one;
  one.level = level;
  one.has_prefix = has_prefix;
  one.decoration = decoration;
  one.text = text;
  one.message = one.text.substr(std::min(message, text.size()));
  one.origin.pid = pid;
  one.origin.tid = tid;
  one.origin.device = device;
  one.origin.host = host.of(text);
  one.origin.timestamp = timestamp.of(text);
  one.origin.location = location.of(text);
  one.origin.pod = pod;
  one.origin.container = container;
  one.origin.time = time;
  read_decoration(decoration, one.origin);
  return one;
}

bool Reassembly::add(const PendingRecord& pending) {
  if (waiting_.size() >= max_waiting) return false;
  waiting_.push_back(pending);
  return true;
}

/// Anything fits into free text: what is whole already needs nothing, unless a row of more words reads it with the
/// rest; what was torn may take another's rest.
bool Reassembly::is_proven(const PendingRecord& pending, const Row& row) {
  if (row.end != RowEnd::text) return true;
  if (pending.otherwise == Damage::torn) return false;
  if (pending.wrapped) return true;
  const Row* const own = matcher_.match(std::string_view(pending.text).substr(pending.message), event_);
  return own == nullptr || literal_size(*own) < literal_size(row);
}

Reassembly::Fit Reassembly::fit(const PendingRecord& pending, std::string_view rest, std::string_view between) {
  combined_.assign(std::string_view(pending.text).substr(pending.message));
  combined_.append(between).append(rest);
  if (const Row* const row = matcher_.match(combined_, event_))
    return is_proven(pending, *row) ? Fit::whole : Fit::none;
  return matcher_.is_beginning(combined_) ? Fit::beginning : Fit::none;
}

Reassembly::Offer Reassembly::offer(const PendingRecord& pending, std::string_view line) {
  Offer best;
  best.rest = trimmed_end(without_decoration_like(line, pending.decoration));
  if (best.rest.empty() || pending.text.size() + best.rest.size() > max_text) return best;
  if (pending.partial) {  // of the same stream: behind the same wrapper
    if (best.rest.size() < trimmed_end(line).size()) best.fit = Fit::whole;
    return best;
  }
  const Fit directly = pending.blank_end ? Fit::none : fit(pending, best.rest, "");
  const Fit with_blank = best.rest.starts_with(' ') ? Fit::none : fit(pending, best.rest, " ");
  const bool two_numbers = is_digit(pending.text.back()) && is_digit(best.rest.front());
  // of a warning the words matter more than a number that may be two
  best.ambiguous = directly == Fit::whole && with_blank == Fit::whole && !pending.wrapped && two_numbers &&
                   std::string_view(pending.text).substr(0, pending.message).find(" WARN") == std::string_view::npos;
  best.between = with_blank > directly || pending.blank_end ? " " : "";
  best.fit = std::max(directly, with_blank);
  const bool as_wide = line.size() == pending.line_size && line.size() >= wrap_width;
  if (best.fit == Fit::none && as_wide && pending.otherwise != Damage::torn) best.fit = Fit::possible;
  return best;
}

bool Reassembly::next_line(std::string_view line, bool whole, std::vector<PendingRecord>& done) {
  line = line.substr(0, line.find('\r'));
  PendingRecord* taker = nullptr;
  Offer taken;
  bool tie = false;
  for (PendingRecord& one : waiting_) {
    // What is whole as it is goes on with whole lines alone.
    const bool complete = !one.open_end && !one.partial && one.otherwise < Damage::joined;
    if (complete && !whole) continue;
    const Offer offered = offer(one, line);
    if (whole && offered.rest.empty() && one.open_end) {
      one.otherwise = Damage::glued;
      one.lines_left = 0;
    }
    if (whole && !offered.rest.empty()) one.stray_line = true;
    if (offered.fit == Fit::none || offered.fit < taken.fit) continue;
    tie = taker != nullptr && offered.fit == taken.fit;
    taker = &one;
    taken = offered;
  }
  if (tie) taker = nullptr;
  for (PendingRecord& one : waiting_)
    if (&one != taker) --one.lines_left;
  if (taker != nullptr) take(*taker, taken, line);
  // A value whose rest would have had to come, and nothing came that could be one, is whole.
  for (PendingRecord& one : waiting_)
    if (one.lines_left <= 0 && one.ends_in_value && !one.stray_line && one.otherwise == Damage::torn)
      one.otherwise = Damage::glued;
  const auto over = std::stable_partition(waiting_.begin(), waiting_.end(),
                                          [](const PendingRecord& one) { return one.lines_left > 0; });
  for (auto one = over; one != waiting_.end(); ++one)
    if (one->sure != 0) one->text.resize(one->sure);
  std::move(over, waiting_.end(), std::back_inserter(done));
  waiting_.erase(over, waiting_.end());
  return taker != nullptr;
}

void Reassembly::take(PendingRecord& pending, const Offer& offered, std::string_view line) {
  pending.lines_left = 0;
  if (offered.ambiguous) {  // `1` and `2`, or `12`?
    if (!pending.open_end) pending.otherwise = Damage::cut;
    return;
  }
  if (offered.fit == Fit::possible && pending.sure == 0) pending.sure = pending.text.size();
  pending.text.append(offered.between).append(offered.rest);
  if (offered.fit != Fit::possible) pending.sure = 0;
  if (offered.fit == Fit::whole) pending.otherwise = Damage::joined;
  const bool as_wide = line.size() == pending.line_size && line.size() >= wrap_width;
  if (as_wide) pending.blank_end = line.ends_with(' ');
  if (as_wide && offered.fit == Fit::whole) pending.wrapped = true;
  if (pending.partial) pending.partial = is_partial(line.substr(0, line.size() - offered.rest.size()));
  if (offered.fit == Fit::beginning || (as_wide && offered.fit == Fit::possible)) pending.lines_left = wrapped_lines;
  if (as_wide && offered.fit == Fit::whole) pending.lines_left = 1;
  if (pending.partial) pending.lines_left = partial_lines;
}

bool Reassembly::completed_by(std::string_view line) {
  return std::any_of(waiting_.begin(), waiting_.end(),
                     [&](const PendingRecord& one) { return offer(one, line).fit == Fit::whole; });
}

bool Reassembly::continued_by(std::string_view line) {
  return std::any_of(waiting_.begin(), waiting_.end(),
                     [&](const PendingRecord& one) { return offer(one, line).fit != Fit::none; });
}

std::size_t Reassembly::bytes_before_host_in(std::string_view host) const {
  std::size_t length = 0;
  for (const PendingRecord& one : waiting_) length = std::max(length, bytes_before_host(host, one.host.of(one.text)));
  return length;
}

void Reassembly::note_width(const PendingRecord& pending) {
  if (pending.otherwise == Damage::joined && !pending.partial && pending.line_size >= wrap_width)
    width_ = pending.line_size;
}

void Reassembly::keep_head(std::string_view line, std::uint64_t number) {
  constexpr std::string_view level = " NCCL WARN";
  const std::size_t word = line.rfind("] ") == std::string_view::npos ? line.size() : line.rfind(level.substr(0, 6));
  const bool in_level = word < line.size() && line.size() >= wrap_width && line.size() - word < level.size();
  if (width_ != 0 ? line.size() != width_ : !in_level) return;
  head_.keep(line, number);
}

bool Reassembly::reassemble_head(std::string_view& line, std::vector<RecordView>& found, std::uint64_t& number) {
  if (head_.empty()) return false;
  const std::string_view whole = head_.with(line);
  const std::size_t width = head_.size();
  head_.drop();
  std::vector<RecordView> together;
  find_records(whole, together);
  if (together.empty() || !together[0].has_prefix || together[0].start >= width) return false;
  found.swap(together);
  width_ = width;
  number = head_.line();
  line = whole;
  return true;
}

void Reassembly::finish(std::vector<PendingRecord>& done) {
  for (PendingRecord& one : waiting_) {
    if (one.sure != 0) one.text.resize(one.sure);
    done.push_back(std::move(one));
  }
  waiting_.clear();
}

}  // namespace nccl_analyze
