#include "text/training_steps.h"

#include <algorithm>
#include <charconv>
#include <utility>
#include <vector>

#include "text/digits.h"
#include "text/lower_case.h"

namespace nccl_analyze {

namespace {

/// Names of the measurements that training loops print together with the number of a step.
constexpr std::string_view measures[] = {"loss",  "it/s",      "s/it",          "samples/s",
                                         "token", "grad_norm", "learning_rate", "throughput"};
constexpr std::string_view counters[] = {"iteration", "step", "iter"};

/// Returns the number at the start of the text, after blanks and punctuation; -1 if there is none.
double leading_number(std::string_view text) {
  constexpr std::size_t max_between = 24;
  const std::size_t begin = text.find_first_not_of(" :=[(\"'#|\t");
  if (begin == std::string_view::npos || begin > max_between || !is_digit(text[begin])) return -1;
  double number = -1;
  std::from_chars(text.data() + begin, text.data() + text.size(), number, std::chars_format::fixed);
  return number;
}

/// Returns the first number that directly follows the word, which may be the end of a longer name: `global_step`. -1 if
/// there is none.
double number_behind(std::string_view line, std::string_view word) {
  for (std::size_t at = line.find(word); at != std::string_view::npos; at = line.find(word, at + 1)) {
    std::string_view rest = line.substr(at + word.size());
    if (rest.starts_with('s')) rest.remove_prefix(1);
    if (rest.empty() || is_digit(rest.front())) continue;  // a name with a number, such as step2
    if (const double number = leading_number(rest); number >= 0) return number;
  }
  return -1;
}

/// Returns the part of a total in the line, such as 7 for `7/100`; -1 if there is none.
double number_of_total(std::string_view line) {
  for (std::size_t slash = line.find('/'); slash != std::string_view::npos; slash = line.find('/', slash + 1)) {
    std::size_t begin = slash;
    while (begin > 0 && is_digit(line[begin - 1])) --begin;
    const bool is_alone = begin < slash && (begin == 0 || line[begin - 1] == ' ' || line[begin - 1] == '[');
    if (is_alone && leading_number(line.substr(slash + 1)) > 1) return leading_number(line.substr(begin));
  }
  return -1;
}

TrainingStep read_redacted_step(std::string_view line) {
  using Kind = TrainingStep::Kind;
  constexpr std::pair<std::string_view, Kind> words[] = {
      {": step ", Kind::counter}, {": epoch ", Kind::epoch}, {": part ", Kind::share}};
  line.remove_prefix(dropped_line.size());
  if (line == ": served") return {Kind::served, 0};
  for (const auto& [word, kind] : words)
    if (line.starts_with(word))
      if (const double number = leading_number(line.substr(word.size())); number >= 0) return {kind, number};
  return {};
}

/// Whether a server of a model reports that it answers: uvicorn's line about a request that was answered, the speed of
/// generation of vLLM (`Avg generation throughput: 88.2 tokens/s`) or SGLang (`gen throughput (token/s): 88.20`).
/// Requests of the method GET ask for the health of the server, which may answer while its model waits.
bool reports_answer(std::string_view line) {
  if (const std::size_t post = line.find("\"POST /"); post != std::string_view::npos)
    return line.substr(post).find(" HTTP/1.1\" 200") != std::string_view::npos;
  constexpr std::string_view speeds[] = {"generation throughput: ", "gen throughput (token/s): "};
  return std::ranges::any_of(speeds, [&](std::string_view speed) {
    const std::size_t at = line.find(speed);
    return at != std::string_view::npos && leading_number(line.substr(at + speed.size())) > 0;
  });
}

}  // namespace

TrainingStep read_training_step(std::string_view line) {
  using Kind = TrainingStep::Kind;
  if (line.starts_with(dropped_line)) return read_redacted_step(line);
  constexpr std::size_t max_size = 4096;  // bytes; the number and a loss are near the start of a line
  line = line.substr(0, max_size);
  if (reports_answer(line)) return {Kind::served, 0};
  const std::string lower = lower_case(line);
  const auto has = [&](std::string_view words) { return lower.find(words) != std::string::npos; };
  if (std::ranges::none_of(measures, has)) return {};
  for (const std::string_view counter : counters)
    if (const double number = number_behind(lower, counter); number >= 0) return {Kind::counter, number};
  if (const double number = number_of_total(lower); number >= 0) return {Kind::share, number};
  if (const double number = number_behind(lower, "epoch"); number >= 0) return {Kind::epoch, number};
  return {};
}

void TrainingTail::take(std::string_view bytes) {
  if (bytes.size() >= size) {
    is_cut_ = is_cut_ || !tail_.empty() || bytes.size() > size;
    tail_.assign(bytes.substr(bytes.size() - size));
    return;
  }
  tail_.append(bytes);
  if (tail_.size() <= 2 * size) return;
  tail_.erase(0, tail_.size() - size);
  is_cut_ = true;
}

std::uint64_t TrainingTail::trained_at(std::uint64_t last) const {
  std::string_view text = tail_;
  const bool is_cut = is_cut_ || text.size() > size;
  text.remove_prefix(text.size() - std::min(text.size(), size));
  if (text.ends_with('\n')) text.remove_suffix(1);
  TrainingStep newest;
  int greater = 0;   // number of distinct steps after the current line with greater numbers
  int answered = 0;  // number of answers in and after the current line
  for (std::uint64_t line = last; !text.empty();) {
    const auto before = std::find_if(text.rbegin(), text.rend(), [](char c) { return c == '\n' || c == '\r'; });
    const auto begin = static_cast<std::size_t>(text.rend() - before);
    if (begin == 0 && is_cut) break;
    const TrainingStep step = read_training_step(text.substr(begin));
    if (step.kind == TrainingStep::Kind::served) {
      if (++answered == 3) return line;
    } else if (step.kind != TrainingStep::Kind::none) {
      if (newest.kind != TrainingStep::Kind::none && (step.kind != newest.kind || step.number > newest.number)) break;
      if (newest.kind != TrainingStep::Kind::none && step.number < newest.number && ++greater == 2) return line;
      newest = step;
    }
    if (begin == 0) break;
    if (text[begin - 1] == '\n') --line;
    text = text.substr(0, begin - 1);
  }
  return 0;
}

}  // namespace nccl_analyze
