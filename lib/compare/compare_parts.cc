// Compares measures and findings, and orders changes so that causes come first.

#include "compare/compare_parts.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "model/stable_sort.h"
#include "queries/benchmarks.h"
#include "text/message_text.h"
#include "text/search.h"

namespace nccl_analyze {
namespace {

/// Whether two values of a measure differ by enough to be reported.
bool differ(const Measure& before, const Measure& after) {
  const TopicRow& row = row_of(after.topic);
  const double low = std::min(before.value, after.value), high = std::max(before.value, after.value);
  return high > low * row.ratio && high - low > row.least;
}

std::string measure_text(const Measure& measure) {
  std::string text = concat(decimals(measure.value, measure.value < 100 ? 2 : 0), " ", measure.unit);
  return measure.rank < 0 ? text : text + concat(" (rank ", measure.rank, ")");
}

const Measure* find_measure(const RunFacts& run, const Measure& like) {
  const auto found = std::ranges::find_if(
      run.measures, [&](const Measure& one) { return one.topic == like.topic && one.name == like.name; });
  return found == run.measures.end() ? nullptr : &*found;
}

/// Returns the topics for which the run has measures.
TopicSet measured(const RunFacts& run) {
  TopicSet set = 0;
  for (const Measure& measure : run.measures) set |= bit_of(measure.topic);
  return set;
}

const RunFinding* find_finding(const RunFacts& run, std::string_view rule) {
  const auto found = std::ranges::find(run.findings, rule, &RunFinding::rule);
  return found == run.findings.end() ? nullptr : &*found;
}

bool was_judged(const RunFacts& run, const std::string& rule) {
  return !std::ranges::binary_search(run.not_judged, rule);
}

std::optional<std::string> finding_text(const RunFinding* finding) {
  if (finding == nullptr) return std::nullopt;
  return concat(to_string(finding->severity), ": ", finding->message);
}

/// Compares the findings of one rule in the two runs; one of them may be null. Only severities are compared, because
/// messages contain numbers that differ in every run. If the new run has no finding because it did not judge the rule,
/// the rule is noted as not compared.
void compare_finding(const RunFacts& old_run, const RunFacts& new_run, const RunFinding* before,
                     const RunFinding* after, RunDiff& diff) {
  if (before != nullptr && after != nullptr && before->severity == after->severity) {
    ++diff.equal[static_cast<std::size_t>(Topic::findings)];
    return;
  }
  const RunFinding& either = after != nullptr ? *after : *before;
  const std::string name = concat(either.rule, " ", either.name);
  if (after == nullptr && !was_judged(new_run, either.rule))
    return note_not_compared(diff, Topic::findings, name, false, bit_of(Topic::findings));
  Change change{.topic = Topic::findings, .what = name};
  change.old_value = finding_text(before);
  change.new_value = finding_text(after);
  if (before == nullptr && !was_judged(old_run, either.rule)) change.old_value = "not judged";
  if (before != nullptr) change.old_place = place_of(old_run, before->at);
  if (after != nullptr) set_line_of_new_run(change, new_run, after->at);
  diff.changes.push_back(std::move(change));
}

/// Returns the topics in which this change may have caused differences.
TopicSet effects_of(const Change& change) {
  if (change.topic == Topic::settings) return explained_by_setting(change.what);
  // Bus ids differ between types of machines, but have no effect.
  return change.topic == Topic::machines && change.what == "GPUs of the host" ? 0 : row_of(change.topic).explains;
}

/// Returns the sort key of a change within its topic, lowest first. `changed`: the topics that have changes. Settings
/// that may have caused a change in these topics come first, NCCL_DEBUG settings last. Findings of the new run come
/// before findings that disappeared, each group by severity. In other topics, the facts listed in `first` come first.
std::size_t order_in_topic(const Change& change, TopicSet changed) {
  constexpr std::array<std::string_view, 10> first{"ranks",    "ranks without a log", "nodes", "hosts",
                                                   "network",  "net plugin",          "NCCL",  "RCCL",
                                                   "channels", "initialisation"};
  if (change.topic == Topic::settings)
    return (effects_of(change) & changed) != 0 ? 0 : change.what.starts_with("NCCL_DEBUG") ? 2 : 1;
  if (change.topic == Topic::findings) {
    const std::string_view text = change.new_value ? *change.new_value : *change.old_value;
    const std::size_t severity = text.starts_with("error") ? 0 : text.starts_with("warning") ? 1 : 2;
    return severity + (change.new_value ? 0 : 3);
  }
  return static_cast<std::size_t>(std::ranges::find(first, std::string_view{change.what}) - first.begin());
}

}  // namespace

std::string place_of(const RunFacts& run, LineRef at) {
  const auto source = static_cast<std::size_t>(at.source);
  if (at.line == 0 || source >= run.sources.size()) return {};
  return concat(run.sources[source], ":", source < run.places.size() ? run.places[source](at.line) : at.line);
}

void set_line_of_new_run(Change& change, const RunFacts& run, LineRef at) {
  change.new_at = at;
  change.new_place = place_of(run, at);
}

void note_not_compared(RunDiff& diff, Topic topic, std::string what, bool old_lacks, TopicSet shown) {
  if ((shown & row_of(topic).shown_by) != 0) return;
  for (NotCompared& known : diff.not_compared)
    if (known.topic == topic && known.old_lacks == old_lacks) return known.what.push_back(std::move(what));
  diff.not_compared.push_back({topic, {std::move(what)}, old_lacks, !contains(shown, topic), row_of(topic).lines});
}

void compare_measures(const RunFacts& before, const RunFacts& after, TopicSet ignored, RunDiff& diff) {
  for (const Measure& now : after.measures) {
    if (contains(ignored, now.topic)) continue;
    const Measure* const then = find_measure(before, now);
    if (then == nullptr) {
      note_not_compared(diff, now.topic, now.name, true, measured(before));
    } else if (differ(*then, now)) {
      Change& change = diff.changes.emplace_back(Change{.topic = now.topic, .what = now.name});
      change.old_value = measure_text(*then);
      change.new_value = measure_text(now);
      change.old_place = place_of(before, then->at);
      set_line_of_new_run(change, after, now.at);
    } else {
      ++diff.equal[static_cast<std::size_t>(now.topic)];
    }
  }
  for (const Measure& then : before.measures)
    if (!contains(ignored, then.topic) && find_measure(after, then) == nullptr)
      note_not_compared(diff, then.topic, then.name, false, measured(after));
}

void compare_findings(const RunFacts& before, const RunFacts& after, RunDiff& diff) {
  for (const RunFinding& now : after.findings)
    compare_finding(before, after, find_finding(before, now.rule), &now, diff);
  for (const RunFinding& then : before.findings)
    if (find_finding(after, then.rule) == nullptr) compare_finding(before, after, &then, nullptr, diff);
}

void put_causes_first(std::vector<Change>& changes) {
  TopicSet changed = 0;
  std::array<TopicSet, topics> effects{};
  for (const Change& change : changes) {
    changed |= bit_of(change.topic);
    effects[static_cast<std::size_t>(change.topic)] |= effects_of(change);
  }
  std::array<std::size_t, topics> place{};
  std::size_t next = 1;
  for (std::size_t topic = 0; topic < topics; ++topic) {
    if (!contains(changed, static_cast<Topic>(topic))) continue;
    for (std::size_t cause = topic + 1; cause < topics; ++cause)
      if (place[cause] == 0 && contains(effects[cause], static_cast<Topic>(topic))) place[cause] = next++;
    if (place[topic] == 0) place[topic] = next++;
  }
  const auto key = [&](const Change& change) {
    return std::pair{place[static_cast<std::size_t>(change.topic)], order_in_topic(change, changed)};
  };
  sort_stably_by(changes, key);
}

void shorten(std::string& before, std::string& after) {
  constexpr std::size_t longest = 160, context = 24;
  if (before.size() <= longest && after.size() <= longest) return;
  const auto is_start = [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80; };
  const auto differs = std::ranges::mismatch(before, after);
  const auto same = static_cast<std::size_t>(differs.in1 - before.begin());
  std::size_t from = same > context ? same - context : 0;
  while (from > 0 && !is_start(before[from])) --from;
  for (std::string* text : {&before, &after}) {
    std::size_t to = std::min(from + longest, text->size());
    while (to < text->size() && to > from && !is_start((*text)[to])) --to;
    *text = concat(from > 0 ? "\u2026" : "", text->substr(from, to - from), to < text->size() ? "\u2026" : "");
  }
}

}  // namespace nccl_analyze
