// Describes the difference of two runs: which ranks and hosts changed, what was equal, what could not be compared.

#include "report/diff/words.h"

#include <algorithm>

#include "queries/settings.h"
#include "text/host_list.h"
#include "text/message_text.h"

namespace nccl_analyze {
namespace {

constexpr std::size_t max_headline = 60, max_hosts = 2, max_names = 6, max_ranks = 24;

/// Formats a value. A missing finding is `none`; any other missing value is `not printed`, because a setting that no
/// line prints may still have been set.
std::string text_of(const Change& change, const std::optional<std::string>& value) {
  if (value) return *value;
  return change.topic == Topic::findings ? "none" : "not printed";
}

std::string describe_who(const Change& change, std::size_t hosts) {
  if (change.outside) return "processes of no rank";
  if (change.ranks.empty() || change.every_rank) return {};
  std::string ranks = ranks_text(change.ranks, max_ranks);
  if (change.hosts.empty() || hosts < 2) return ranks;
  if (change.hosts.size() <= max_hosts)
    return fold_host_list({change.hosts.begin(), change.hosts.end()}, max_hosts) + ": " + ranks;
  return concat(change.hosts.size(), " of ", hosts, " hosts: ", ranks);
}

std::string headline_of(const Change& change, std::size_t hosts) {
  if (change.topic == Topic::findings && (!change.old_value || !change.new_value))
    return change.what + (change.new_value ? " is new" : " is gone");
  std::string text = concat(change.what, ": ", excerpt(text_of(change, change.old_value), max_headline), " before, ",
                            excerpt(text_of(change, change.new_value), max_headline), " now");
  const std::string who = describe_who(change, hosts);
  return who.empty() ? text : text + " on " + who;
}

}  // namespace

std::vector<DiffTopic> describe_changes(const RunDiff& diff, std::size_t most) {
  std::vector<DiffTopic> list;
  std::string_view last;
  std::size_t rows = 0;
  for (const Change& change : diff.changes) {
    if (list.empty() || list.back().topic != change.topic) {
      list.push_back({change.topic, {}, 0});
      last = {};
    }
    const bool is_new = last.empty() || last != change.what;
    last = change.what;
    rows = is_new ? 1 : rows + 1;
    if (rows > most) {
      ++list.back().left_out;
      continue;
    }
    list.back().rows.push_back({is_new ? change.what : "", text_of(change, change.old_value),
                                text_of(change, change.new_value), describe_who(change, diff.compared_hosts),
                                change.old_place, change.new_place});
  }
  return list;
}

std::string describe_diff(const RunDiff& diff) {
  if (diff.same()) return diff.not_compared.empty() ? "no difference" : "no difference in what both runs show";
  std::string text = headline_of(diff.changes.front(), diff.compared_hosts);
  const std::size_t others = diff.changes.size() - 1;
  return others == 0 ? text : text + "; and " + count_text(others, "other difference");
}

std::string describe_shared(const RunDiff& diff) {
  std::string text;
  for (const SharedFact& fact : diff.shared) {
    text += text.empty() ? "Both: " : ", ";
    if (fact.topic == Topic::job)
      text += concat(fact.value, " ", fact.value == "1" ? fact.what.substr(0, fact.what.size() - 1) : fact.what);
    else
      text += fact.what + (fact.topic == Topic::transports ? ": " : " ") + excerpt(fact.value, max_headline);
  }
  return text;
}

std::string describe_equal(const RunDiff& diff) {
  std::string text;
  for (std::size_t topic = 0; topic < topics; ++topic)
    if (diff.equal[topic] > 0)
      text += concat(text.empty() ? "Equal: " : ", ", to_string(static_cast<Topic>(topic)), " ", diff.equal[topic]);
  return text;
}

std::vector<std::string> describe_not_compared(const RunDiff& diff) {
  std::vector<std::string> lines;
  for (const NotCompared& one : diff.not_compared)
    lines.push_back(concat(to_string(one.topic),
                           one.whole_topic ? "" : concat(" (", list_text(one.what, max_names), ")"), ": not in the ",
                           one.old_lacks ? "old" : "new", " run; shown by ", one.shown_by));
  return lines;
}

}  // namespace nccl_analyze
