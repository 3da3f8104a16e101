// Finds the rest of pending records in later lines. A line is accepted as the rest if a row of the message table
// matches record and line together.

#include "parser/reassembly.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <utility>

#include "parser/boundaries.h"
#include "text/blanks.h"
#include "text/decoration.h"
#include "text/digits.h"
#include "text/literal.h"

namespace nccl_analyze {

namespace {

constexpr int partial_lines = 4;   // lines of other streams may intervene
constexpr int wrapped_lines = 24;  // twice the lines of a record of 1023 bytes on a terminal of 80 columns

/// Returns the total size of a row's literals in bytes.
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

PendingRecord PendingRecord::of(const RecordView& found) {
  const auto slice = [&](std::string_view view) {  // a view outside the record's text results in an empty slice
    const std::less_equal<const char*> not_behind;
    const char* const end = found.text.data() + found.text.size();
    const bool inside = not_behind(found.text.data(), view.data()) && not_behind(view.data() + view.size(), end);
    return inside ? Slice{static_cast<std::size_t>(view.data() - found.text.data()), view.size()} : Slice{};
  };
  PendingRecord pending;
  pending.text = found.text;
  pending.quote = found.quote.empty() ? found.text : found.quote;
  pending.decoration = found.decoration;
  pending.pod = found.origin.pod;
  pending.container = found.origin.container;
  pending.time = found.origin.time;
  pending.host = slice(found.origin.host);
  pending.timestamp = slice(found.origin.timestamp);
  pending.location = slice(found.origin.location);
  pending.pid = found.origin.pid;
  pending.tid = found.origin.tid;
  pending.device = found.origin.device;
  pending.level = found.level;
  pending.has_prefix = found.has_prefix;
  pending.message = static_cast<std::size_t>(found.message.data() - found.text.data());
  return pending;
}

RecordView PendingRecord::view() const {
  RecordView made;
  made.level = level;
  made.has_prefix = has_prefix;
  made.decoration = decoration;
  made.text = text;
  made.quote = quote;
  made.message = made.text.substr(std::min(message, text.size()));
  made.origin.pid = pid;
  made.origin.tid = tid;
  made.origin.device = device;
  made.origin.host = host.of(text);
  made.origin.timestamp = timestamp.of(text);
  made.origin.location = location.of(text);
  made.origin.pod = pod;
  made.origin.container = container;
  made.origin.time = time;
  read_decoration(decoration, made.origin);
  return made;
}

void PendingRecord::append(std::string_view between, std::string_view part, std::uint64_t number, bool follows) {
  text.append(between).append(part);
  quote.append(follows ? between : piece_border).append(part);
  last_line = number;
}

void PendingRecord::keep_certain() {
  if (certain_size == 0) return;
  text.resize(certain_size);
  quote.resize(certain_quote);
}

bool Reassembly::add(const PendingRecord& pending) {
  if (pending_.size() >= max_pending) return false;
  pending_.push_back(pending);
  return true;
}

/// Whether the match of `row` proves that the rest belongs to the record. A row that ends with free text matches any
/// rest. Such a row proves nothing if the record was interrupted, because the rest may belong to another record.
/// Otherwise the record must have been wrapped, or the row must have more literal text than the row, if any, that
/// matches the record alone.
bool Reassembly::is_proven(const PendingRecord& pending, const Row& row) {
  if (row.end != RowEnd::text) return true;
  if (pending.fallback == Damage::torn) return false;
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

Reassembly::Candidate Reassembly::continuation(const PendingRecord& pending, std::string_view line) {
  Candidate best;
  best.rest = trimmed_end(without_decoration_like(line, pending.decoration));
  if (best.rest.empty() || pending.text.size() + best.rest.size() > max_text) return best;
  if (pending.partial) {  // the rest must have the decoration of the same stream
    if (best.rest.size() < trimmed_end(line).size()) best.fit = Fit::whole;
    return best;
  }
  const Fit directly = pending.blank_end ? Fit::none : fit(pending, best.rest, "");
  // Someone who wraps a line by hand indents its rest.
  const std::string_view words = best.rest.substr(best.rest.find_first_not_of(' '));
  const Fit with_blank = fit(pending, words, " ");
  if (with_blank > directly) best.rest = words;
  const bool two_numbers = is_digit(pending.text.back()) && is_digit(best.rest.front());
  // Two numbers at a line break may also be one number that was split. Warnings are reassembled nevertheless, because
  // their words matter more than their numbers.
  best.ambiguous = directly == Fit::whole && with_blank == Fit::whole && !pending.wrapped && two_numbers &&
                   std::string_view(pending.text).substr(0, pending.message).find(" WARN") == std::string_view::npos;
  best.between = with_blank > directly || pending.blank_end ? " " : "";
  best.fit = std::max(directly, with_blank);
  const bool as_wide = line.size() == pending.line_size && line.size() >= wrap_width;
  if (best.fit == Fit::none && as_wide && pending.fallback != Damage::torn) best.fit = Fit::possible;
  return best;
}

bool Reassembly::offer_line(std::string_view line, std::uint64_t number, bool has_record,
                            std::vector<PendingRecord>& finished) {
  line = line.substr(0, line.find('\r'));
  Candidate rest;
  PendingRecord* const owner = find_owner(line, has_record, rest);
  for (PendingRecord& pending : pending_)
    if (&pending != owner) --pending.lines_left;
  if (owner != nullptr) append(*owner, rest, line, number);
  move_expired(finished);
  return owner != nullptr;
}

PendingRecord* Reassembly::find_owner(std::string_view line, bool has_record, Candidate& best) {
  PendingRecord* owner = nullptr;
  bool tie = false;
  for (PendingRecord& pending : pending_) {
    // A record that may be complete can be continued only by a line without a record.
    const bool complete = !pending.open_end && !pending.partial && pending.fallback < Damage::joined;
    if (complete && has_record) continue;
    const Candidate candidate = continuation(pending, line);
    // an empty line is the record's lost newline, so the record is complete
    if (!has_record && candidate.rest.empty() && pending.open_end) {
      pending.fallback = Damage::glued;
      pending.lines_left = 0;
    }
    if (!has_record && !candidate.rest.empty()) pending.stray_line = true;
    if (candidate.fit == Fit::none || candidate.fit < best.fit) continue;
    tie = owner != nullptr && candidate.fit == best.fit;
    owner = &pending;
    best = candidate;
  }
  return tie ? nullptr : owner;
}

void Reassembly::move_expired(std::vector<PendingRecord>& finished) {
  // If no later line could be the rest of a value, the value was complete.
  for (PendingRecord& pending : pending_)
    if (pending.lines_left <= 0 && pending.ends_in_value && !pending.stray_line && pending.fallback == Damage::torn)
      pending.fallback = Damage::glued;
  const auto expired = std::stable_partition(pending_.begin(), pending_.end(),
                                             [](const PendingRecord& pending) { return pending.lines_left > 0; });
  for (auto pending = expired; pending != pending_.end(); ++pending) pending->keep_certain();
  std::move(expired, pending_.end(), std::back_inserter(finished));
  pending_.erase(expired, pending_.end());
}

void Reassembly::append(PendingRecord& pending, const Candidate& candidate, std::string_view line,
                        std::uint64_t number) {
  pending.lines_left = 0;
  if (candidate.ambiguous) {  // for example, `1` and `2` may also be `12`
    if (!pending.open_end) pending.fallback = Damage::cut;
    return;
  }
  if (candidate.fit == Fit::possible && pending.certain_size == 0) {
    pending.certain_size = pending.text.size();
    pending.certain_quote = pending.quote.size();
  }
  const bool is_whole_line = trimmed(line).size() == trimmed(candidate.rest).size();
  pending.append(candidate.between, candidate.rest, number,
                 is_whole_line && !pending.open_end && number == pending.last_line + 1);
  if (candidate.fit != Fit::possible) pending.certain_size = 0;
  if (candidate.fit == Fit::whole) pending.fallback = Damage::joined;
  const bool as_wide = line.size() == pending.line_size && line.size() >= wrap_width;
  if (as_wide) pending.blank_end = line.ends_with(' ');
  if (as_wide && candidate.fit == Fit::whole) pending.wrapped = true;
  if (pending.partial) pending.partial = is_partial(line.substr(0, line.size() - candidate.rest.size()));
  if (candidate.fit == Fit::beginning || (as_wide && candidate.fit == Fit::possible))
    pending.lines_left = wrapped_lines;
  if (as_wide && candidate.fit == Fit::whole) pending.lines_left = 1;
  if (pending.partial) pending.lines_left = partial_lines;
}

bool Reassembly::completes_any(std::string_view line) {
  return std::any_of(pending_.begin(), pending_.end(),
                     [&](const PendingRecord& pending) { return continuation(pending, line).fit == Fit::whole; });
}

bool Reassembly::continues_any(std::string_view line) {
  return std::any_of(pending_.begin(), pending_.end(),
                     [&](const PendingRecord& pending) { return continuation(pending, line).fit != Fit::none; });
}

std::size_t Reassembly::bytes_before_host_in(std::string_view host) const {
  std::size_t length = 0;
  for (const PendingRecord& pending : pending_)
    length = std::max(length, bytes_before_host(host, pending.host.of(pending.text)));
  return length;
}

void Reassembly::note_width(const PendingRecord& pending) {
  if (pending.fallback == Damage::joined && !pending.partial && pending.line_size >= wrap_width)
    width_ = pending.line_size;
}

void Reassembly::keep_head(std::string_view line, std::uint64_t number) {
  constexpr std::string_view marker = " NCCL ", level = " NCCL WARN";
  const auto ends_in_level = [&] {
    return line.size() >= wrap_width && line.substr(line.size() + 1 - level.size()).find(marker) != line.npos &&
           line.find("] ") != line.npos;
  };
  if (width_ != 0 ? line.size() != width_ : !ends_in_level()) return;
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

void Reassembly::finish(std::vector<PendingRecord>& finished) {
  for (PendingRecord& pending : pending_) {
    pending.keep_certain();
    finished.push_back(std::move(pending));
  }
  pending_.clear();
}

}  // namespace nccl_analyze
