#include "parser/fragments.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "text/blanks.h"
#include "text/wrapper.h"

namespace nccl_analyze {

namespace {

constexpr int partial_lines = 4;   // other streams' lines may stand between
constexpr int wrapped_lines = 24;  // a line of 1023 bytes on a terminal of 80 columns is half of it

}  // namespace

bool Fragments::add(const Fragment& fragment) {
  if (waiting_.size() >= max_waiting) return false;
  waiting_.push_back(fragment);
  return true;
}

Fragments::Fit Fragments::fit(const Fragment& fragment, std::string_view rest, std::string_view between) {
  const std::string_view own = std::string_view(fragment.text).substr(fragment.message);
  joined_.assign(own);
  joined_.append(between).append(rest);
  if (const Row* const row = matcher_.match(joined_, event_)) {
    // Anything fits into free text: what is whole already needs nothing, what was torn may take another's rest.
    if (row->end == RowEnd::text && fragment.otherwise == Damage::torn) return Fit::none;
    const bool proven = fragment.wrapped || row->end != RowEnd::text || matcher_.match(own, event_) == nullptr;
    return proven ? Fit::whole : Fit::none;
  }
  return matcher_.is_beginning(joined_) ? Fit::beginning : Fit::none;
}

Fragments::Offer Fragments::offer(const Fragment& fragment, std::string_view line) {
  Offer best;
  best.rest = without_end(continued(line, fragment.before));
  if (best.rest.empty() || fragment.text.size() + best.rest.size() > max_text) return best;
  if (fragment.partial) {  // of the same stream: behind the same wrapper
    if (best.rest.size() < without_end(line).size()) best.fit = Fit::whole;
    return best;
  }
  const Fit directly = fit(fragment, best.rest, "");
  const Fit with_blank = best.rest.starts_with(' ') ? Fit::none : fit(fragment, best.rest, " ");
  best.ambiguous = directly == Fit::whole && with_blank == Fit::whole && !fragment.wrapped;
  best.between = with_blank > directly ? " " : "";
  best.fit = std::max(directly, with_blank);
  return best;
}

void Fragments::next_line(std::string_view line, bool whole, std::vector<Fragment>& done) {
  line = line.substr(0, line.find('\r'));
  Fragment* taker = nullptr;
  Offer taken;
  bool tie = false;
  for (Fragment& one : waiting_) {
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
  for (Fragment& one : waiting_)
    if (&one != taker) --one.lines_left;
  if (taker != nullptr) take(*taker, taken, line);
  // A value whose rest would have had to come, and nothing came that could be one, is whole.
  for (Fragment& one : waiting_)
    if (one.lines_left <= 0 && one.ends_in_value && !one.stray_line && one.otherwise == Damage::torn)
      one.otherwise = Damage::glued;
  const auto over =
      std::stable_partition(waiting_.begin(), waiting_.end(), [](const Fragment& one) { return one.lines_left > 0; });
  std::move(over, waiting_.end(), std::back_inserter(done));
  waiting_.erase(over, waiting_.end());
}

void Fragments::take(Fragment& fragment, const Offer& offered, std::string_view line) {
  fragment.lines_left = 0;
  if (offered.ambiguous) {  // `1` and `2`, or `12`?
    if (!fragment.open_end) fragment.otherwise = Damage::cut;
    return;
  }
  fragment.text.append(offered.between).append(offered.rest);
  if (offered.fit == Fit::whole) fragment.otherwise = Damage::joined;
  if (fragment.partial) fragment.partial = is_partial(line.substr(0, line.size() - offered.rest.size()));
  if (offered.fit == Fit::beginning) fragment.lines_left = wrapped_lines;
  if (fragment.partial) fragment.lines_left = partial_lines;
}

bool Fragments::completed_by(std::string_view line) {
  return std::any_of(waiting_.begin(), waiting_.end(),
                     [&](const Fragment& one) { return offer(one, line).fit == Fit::whole; });
}

bool Fragments::continued_by(std::string_view line) {
  return std::any_of(waiting_.begin(), waiting_.end(),
                     [&](const Fragment& one) { return offer(one, line).fit != Fit::none; });
}

void Fragments::finish(std::vector<Fragment>& done) {
  for (Fragment& one : waiting_) done.push_back(std::move(one));
  waiting_.clear();
}

}  // namespace nccl_analyze
