#include "rules/failures/waiting_phase.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include "text/blanks.h"
#include "text/digits.h"
#include "text/message_text.h"
#include "text/wrapper.h"

namespace nccl_analyze {

namespace {

/// Returns the seconds of `4:48:08` or `30:38`; -1 for other texts.
double read_duration(std::string_view text) {
  double seconds = 0;
  int parts = 0;
  while (!text.empty()) {
    int number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc{} || number < 0) return -1;
    constexpr double next_unit = 60;
    seconds = seconds * next_unit + number;
    ++parts;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    if (!text.empty() && text.front() != ':') return -1;
    text.remove_prefix(std::min<std::size_t>(1, text.size()));
  }
  return parts == 2 || parts == 3 ? seconds : -1;
}

/// Whether a rate such as `4866.01 examples/s` counts examples or bytes.
bool counts_data(std::string_view rate) {
  constexpr std::string_view units[] = {" examples/s", " ex/s", " ba/s", "B/s"};
  return std::ranges::any_of(units, [&](std::string_view unit) { return rate.ends_with(unit); });
}

/// Returns the text between the first `open` and the next `close` after it; empty if they are missing.
std::string_view between(std::string_view text, char open, char close) {
  const std::size_t begin = text.find(open);
  const std::size_t end = begin == std::string_view::npos ? begin : text.find(close, begin);
  return end == std::string_view::npos ? std::string_view{} : text.substr(begin + 1, end - begin - 1);
}

/// Returns the name of the work before a progress bar: `Map` of `[rank0]: Map:   `.
std::string work_of(std::string_view before) {
  std::string_view work = without_decoration(before);
  if (const std::size_t label = work.rfind("]:"); label != std::string_view::npos) work.remove_prefix(label + 2);
  while (work.ends_with(':') || work.ends_with(' ')) work.remove_suffix(1);
  return excerpt(trimmed(work), 60);
}

/// Whether the rank probably waits in a barrier. PyTorch implements a barrier as an all-reduce of one element, but a
/// program may also sum one number.
bool is_barrier(const WatchdogTimeout& stuck) {
  return stuck.operation == "BARRIER" || (stuck.operation == "ALLREDUCE" && stuck.elements_in == 1);
}

}  // namespace

std::optional<ProgressBar> read_progress_bar(std::string_view text) {
  const std::size_t sign = text.rfind("%|");
  if (sign == std::string_view::npos) return std::nullopt;
  std::size_t begin = sign;
  while (begin > 0 && is_digit(text[begin - 1])) --begin;
  const std::string_view percent = text.substr(begin, sign - begin);
  const std::string_view times = between(text.substr(sign), '[', ']');  // `02:32<30:38, 4866.01 examples/s`
  const std::size_t less = times.find('<'), comma = times.find(',');
  if (percent.empty() || percent == "100" || less == std::string_view::npos || comma == std::string_view::npos ||
      comma < less)
    return std::nullopt;
  const std::string_view left = trimmed(times.substr(less + 1, comma - less - 1));
  const double past = read_duration(trimmed(times.substr(0, less))), rest = read_duration(left);
  if (past < 0 || rest < 0) return std::nullopt;
  return ProgressBar{.work = work_of(text.substr(0, begin)),
                     .percent = std::string(percent),
                     .left = std::string(left),
                     .seconds = past + rest,
                     .of_data = counts_data(times.substr(comma))};
}

std::string phase_text(const Model& model, std::span<const WatchdogTimeout* const> ranks, std::int64_t first,
                       Finding& finding) {
  if (std::ranges::none_of(ranks, [&](const auto* stuck) { return stuck->sequence == first && is_barrier(*stuck); }))
    return {};
  constexpr std::int64_t most_early = 10;  // a training starts after at most this many collectives
  const bool is_early = first >= 0 && first <= most_early;
  finding.values.emplace_back("wait", is_early ? "early" : "late");
  std::optional<ProgressBar> longest;
  double timeout = 0;
  for (const WatchdogTimeout* stuck : ranks) {
    timeout = std::max(timeout, stuck->timeout_seconds);
    for (const LineRef at : stuck->evidence.lines) {
      std::optional<ProgressBar> bar = read_progress_bar(model.quote(at));
      // A progress bar of the training itself explains nothing, because it stops when the training hangs.
      if (bar && (is_early || bar->of_data) && (!longest || bar->seconds > longest->seconds)) longest = std::move(bar);
    }
  }
  if (!longest) return {};
  constexpr double hour = 3600, reserve = 1.25;
  const auto hours = static_cast<std::int64_t>(std::ceil(std::max(longest->seconds * reserve, timeout + 1) / hour));
  finding.values.emplace_back("hours", std::to_string(hours));
  finding.values.emplace_back("seconds", std::to_string(hours * static_cast<std::int64_t>(hour)));
  return concat(". A progress bar in front of this message", when(!longest->work.empty(), ", \"", longest->work, "\","),
                " stands at ", longest->percent, "% with ", longest->left,
                " left: the ranks probably wait for the one that is still at this work");
}

}  // namespace nccl_analyze
