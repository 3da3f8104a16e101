// Compares the facts of two runs: rank by rank for ranks that both runs show, else as sets of values.

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "compare/collector.h"
#include "compare/compare_parts.h"
#include "compare/topics.h"
#include "model/stable_sort.h"
#include "queries/settings.h"
#include "text/phrases.h"
#include "text/search.h"

namespace nccl_analyze {
namespace {

constexpr int unseen = -1, unset = -2;  // instead of an index into Fact::values

/// The facts that are reported even if they are equal in both runs, because they describe the job. Reports list them in
/// this order.
constexpr std::array<std::string_view, 10> shared_names{"ranks",         "hosts",        "instance type", "NCCL",
                                                        "RCCL",          "CUDA of NCCL", "CUDA driver",   "network",
                                                        "inside a host", "between hosts"};
std::size_t order_of_shared(std::string_view name) {
  return static_cast<std::size_t>(std::ranges::find(shared_names, name) - shared_names.begin());
}

/// Looks up which value of a fact a rank has. of() must be called in ascending order of ranks, and returns an index
/// into Fact::values or `unseen`.
class ByRank {
 public:
  explicit ByRank(const Fact* fact) {
    if (fact == nullptr) return;
    for (std::size_t value = 0; value < fact->values.size(); ++value)
      for (const int rank : fact->values[value].ranks) values_.emplace_back(rank, static_cast<int>(value));
    std::sort(values_.begin(), values_.end());
  }
  int of(int rank) {
    while (next_ < values_.size() && values_[next_].first < rank) ++next_;
    return next_ < values_.size() && values_[next_].first == rank ? values_[next_].second : unseen;
  }

 private:
  std::vector<std::pair<int, int>> values_;
  std::size_t next_ = 0;
};

/// A rank that both runs show.
struct CommonRank {
  const RunRank* before = nullptr;
  const RunRank* after = nullptr;
};

class Comparing {
 public:
  Comparing(const RunFacts& before, const RunFacts& after) : before_(before), after_(after) {
    diff_.old_name = before.name;
    diff_.new_name = after.name;
    auto old_rank = before.ranks.begin();
    for (const RunRank& rank : after.ranks) {
      while (old_rank != before.ranks.end() && old_rank->rank < rank.rank) ++old_rank;
      if (old_rank == before.ranks.end() || old_rank->rank != rank.rank) continue;
      common_.push_back({&*old_rank, &rank});
      ++ranks_on_[rank.host];
    }
    diff_.compared_hosts = ranks_on_.size() - ranks_on_.count(-1);  // -1: the host is unknown
    for (const Fact& fact : before.facts) shown_by_old_ |= bit_of(fact.topic);
    for (const Fact& fact : after.facts) shown_by_new_ |= bit_of(fact.topic);
  }

  RunDiff compare(std::span<const Topic> ignored) {
    for (const Topic topic : ignored) ignored_ |= bit_of(topic);
    compare_facts();
    compare_measures(before_, after_, ignored_, diff_);
    if (!is_ignored(Topic::findings)) compare_findings(before_, after_, diff_);
    put_causes_first(diff_.changes);
    sort_stably_by(diff_.shared, [](const SharedFact& fact) { return order_of_shared(fact.what); });
    return std::move(diff_);
  }

 private:
  bool is_ignored(Topic topic) const { return contains(ignored_, topic); }

  /// Calls compare_fact() for each fact of either run, with null for a run that lacks the fact. Both lists are sorted
  /// by topic and name.
  void compare_facts() {
    auto old_fact = before_.facts.begin(), new_fact = after_.facts.begin();
    const auto key = [](const Fact& fact) { return std::pair<Topic, std::string_view>(fact.topic, fact.name); };
    while (old_fact != before_.facts.end() || new_fact != after_.facts.end()) {
      const bool takes_old =
          new_fact == after_.facts.end() || (old_fact != before_.facts.end() && key(*old_fact) <= key(*new_fact));
      const bool takes_new =
          old_fact == before_.facts.end() || (new_fact != after_.facts.end() && key(*new_fact) <= key(*old_fact));
      const Fact* const old_one = takes_old ? &*old_fact++ : nullptr;
      const Fact* const new_one = takes_new ? &*new_fact++ : nullptr;
      if (!is_ignored((takes_old ? old_one : new_one)->topic)) compare_fact(old_one, new_one);
    }
  }

  void compare_fact(const Fact* old_fact, const Fact* new_fact) {
    const Fact& either = old_fact != nullptr ? *old_fact : *new_fact;
    // Topic::job is compared first, so its changes are already in the list.
    const bool moved = !diff_.changes.empty() && diff_.changes.front().topic == Topic::job;
    if (moved && either.name == gpu_of_rank) return;
    const std::size_t changes = diff_.changes.size();
    bool compared = false;
    if (!common_.empty()) compared = compare_ranks(old_fact, new_fact);
    compared = compare_others(old_fact, new_fact, compared) || compared;
    if (!compared) return note_lack(either.topic, either.name, old_fact == nullptr);
    if (changes != diff_.changes.size()) return;
    ++diff_.equal[static_cast<std::size_t>(either.topic)];
    add_shared(old_fact, new_fact);
  }

  /// Returns what a missing value means. A missing setting is `unset` if the rank prints settings and its
  /// initialisation came at least as far as in the other run, because NCCL prints a setting only when it reads the
  /// setting. Any other missing value is `unseen`.
  static int absent(Topic topic, const RunRank& rank, const RunRank& other) {
    return topic == Topic::settings && rank.prints_settings && rank.phase >= other.phase ? unset : unseen;
  }

  /// Compares the fact on each rank that both runs show, and adds the differences. Returns false if the fact could not
  /// be compared on any rank.
  bool compare_ranks(const Fact* old_fact, const Fact* new_fact) {
    const Fact& either = old_fact != nullptr ? *old_fact : *new_fact;
    ByRank old_values(old_fact), new_values(new_fact);
    std::map<std::pair<int, int>, std::vector<int>> changed;
    std::vector<int> not_in_old, not_in_new;
    bool compared = false;
    for (const CommonRank& rank : common_) {
      int before = old_values.of(rank.after->rank), after = new_values.of(rank.after->rank);
      if (before < 0 && after < 0) continue;
      if (before < 0) before = absent(either.topic, *rank.before, *rank.after);
      if (after < 0) after = absent(either.topic, *rank.after, *rank.before);
      if (before == unseen || after == unseen) {
        (before == unseen ? not_in_old : not_in_new).push_back(rank.after->rank);
        continue;
      }
      compared = true;
      if (before < 0 || after < 0 || old_fact->values[at(before)].text != new_fact->values[at(after)].text)
        changed[{before, after}].push_back(rank.after->rank);
    }
    for (auto& [values, ranks] : changed)
      add_change(either, value_of(old_fact, values.first), value_of(new_fact, values.second), std::move(ranks));
    if (compared) {
      if (!not_in_old.empty()) note_lack(either.topic, of_ranks(either.name, not_in_old), true);
      if (!not_in_new.empty()) note_lack(either.topic, of_ranks(either.name, not_in_new), false);
    }
    return compared;
  }

  void note_lack(Topic topic, std::string what, bool old_lacks) {
    note_not_compared(diff_, topic, std::move(what), old_lacks, old_lacks ? shown_by_old_ : shown_by_new_);
  }

  static std::size_t at(int index) { return static_cast<std::size_t>(index); }
  static const FactValue* value_of(const Fact* fact, int index) {
    return fact == nullptr || index < 0 ? nullptr : &fact->values[at(index)];
  }
  static std::string of_ranks(std::string_view name, const std::vector<int>& ranks) {
    return concat(name, " of ", ranks_text(ranks, 24));
  }

  /// Returns the values of the whole job and of processes without a rank; all values if the runs have no rank in
  /// common.
  std::set<std::string_view> set_of_values(const Fact* fact) const {
    std::set<std::string_view> texts;
    if (fact != nullptr)
      for (const FactValue& value : fact->values)
        if (value.others > 0 || common_.empty()) texts.insert(value.text);
    return texts;
  }

  static bool prints_settings(const RunFacts& run) { return std::ranges::any_of(run.ranks, &RunRank::prints_settings); }

  /// Compares the values that set_of_values() returns for the two runs. Returns false if a run has no value to compare.
  /// `by_rank`: whether the fact was already compared by rank; a difference found here then concerns values of
  /// processes without a rank. If `by_rank` is false, a setting without a value counts as unset in a run that prints
  /// settings.
  bool compare_others(const Fact* old_fact, const Fact* new_fact, bool by_rank) {
    const Fact& either = old_fact != nullptr ? *old_fact : *new_fact;
    const std::set<std::string_view> before = set_of_values(old_fact), after = set_of_values(new_fact);
    if (before.empty() || after.empty()) {
      if (before.empty() == after.empty() || by_rank) return false;
      if (either.topic != Topic::settings || !prints_settings(before.empty() ? before_ : after_)) return false;
    }
    if (before == after) return true;
    Change change{.topic = either.topic, .what = either.name, .outside = by_rank};
    if (!before.empty()) change.old_value = list_text(before);
    if (!after.empty()) change.new_value = list_text(after);
    if (old_fact != nullptr) change.old_place = place_of(before_, old_fact->values.front().at);
    if (new_fact != nullptr) set_line_of_new_run(change, after_, new_fact->values.front().at);
    diff_.changes.push_back(std::move(change));
    return true;
  }

  void add_change(const Fact& fact, const FactValue* before, const FactValue* after, std::vector<int> ranks) {
    Change change{.topic = fact.topic, .what = fact.name, .every_rank = ranks.size() == common_.size()};
    change.ranks = std::move(ranks);
    if (before != nullptr) {
      change.old_value = before->text;
      change.old_place = place_of(before_, before->at);
    }
    if (after != nullptr) {
      change.new_value = after->text;
      set_line_of_new_run(change, after_, after->at);
    }
    change.hosts = whole_hosts(change.ranks);
    diff_.changes.push_back(std::move(change));
  }

  /// Returns the names of the hosts of `ranks`. Empty if a host is unknown, or has a rank that both runs show and that
  /// is not in `ranks`.
  std::vector<std::string> whole_hosts(const std::vector<int>& ranks) const {
    std::map<Index, std::size_t> counts;
    auto common = common_.begin();
    for (const int rank : ranks) {
      while (common->after->rank < rank) ++common;
      ++counts[common->after->host];
    }
    std::vector<std::string> names;
    for (const auto& [host, count] : counts) {
      if (host < 0 || static_cast<std::size_t>(host) >= after_.hosts.size() || count != ranks_on_.at(host)) return {};
      names.push_back(after_.hosts[static_cast<std::size_t>(host)]);
    }
    return names;
  }

  void add_shared(const Fact* old_fact, const Fact* new_fact) {
    if (old_fact == nullptr || new_fact == nullptr || old_fact->values.size() != 1 || new_fact->values.size() != 1)
      return;
    if (order_of_shared(new_fact->name) == shared_names.size()) return;
    diff_.shared.push_back({new_fact->topic, new_fact->name, new_fact->values.front().text});
  }

  const RunFacts& before_;
  const RunFacts& after_;
  std::vector<CommonRank> common_;         ///< In order of ranks.
  std::map<Index, std::size_t> ranks_on_;  ///< Number of common ranks by host of the new run.
  TopicSet ignored_ = 0, shown_by_old_ = 0, shown_by_new_ = 0;
  RunDiff diff_;
};

}  // namespace

RunDiff compare(const RunFacts& old_run, const RunFacts& new_run, std::span<const Topic> ignored) {
  RunDiff diff = Comparing(old_run, new_run).compare(ignored);
  for (Change& change : diff.changes)
    if (change.old_value && change.new_value) shorten(*change.old_value, *change.new_value);
  return diff;
}

}  // namespace nccl_analyze
