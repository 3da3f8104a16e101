// Judges which hosts the logs of the input come from.

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "expect/places.h"
#include "nccl_analyze/rule_parts.h"
#include "queries/ranks.h"
#include "text/host_list.h"
#include "text/lower_case.h"
#include "text/message_text.h"
#include "text/search.h"

namespace nccl_analyze {

namespace {

constexpr std::size_t max_items = 8;  // Limit on the items of a folded list in an answer.

std::string_view short_name(std::string_view name) { return name.substr(0, std::min(name.find('.'), name.size())); }

/// Finds hosts by name, without regard to case. NCCL prints a host name up to its first dot, so a name with a domain
/// matches the same name without one.
class ExpectedHosts {
 public:
  explicit ExpectedHosts(const std::vector<std::string>& names) : seen_(names.size(), 0) {
    for (std::size_t i = 0; i < names.size(); ++i) {
      const std::string name = lower_case(names[i]);
      by_name_.try_emplace(name, i);
      by_short_name_.try_emplace(std::string(short_name(name)), i);
    }
  }

  /// Whether the host is expected. An expected host counts as seen afterwards.
  bool take(std::string_view host) {
    const std::string name = lower_case(host);
    auto found = by_name_.find(name);
    if (found == by_name_.end() && !contains(name, ".")) {
      found = by_short_name_.find(name);
      if (found == by_short_name_.end()) return false;
    }
    if (found == by_name_.end()) found = by_name_.find(std::string(short_name(name)));
    if (found == by_name_.end()) return false;
    seen_[found->second] = 1;
    return true;
  }

  std::size_t count() const { return by_name_.size(); }

  /// Returns the names that no call of take() has matched, in the order of `names`, each once.
  std::vector<std::string> absent(const std::vector<std::string>& names) const {
    std::vector<std::string> all;
    for (std::size_t i = 0; i < names.size(); ++i)
      if (seen_[i] == 0 && by_name_.at(lower_case(names[i])) == i) all.push_back(names[i]);
    return all;
  }

 private:
  std::map<std::string, std::size_t> by_name_, by_short_name_;
  std::vector<char> seen_;
};

/// Whether some process that is a rank has no known host. Such a process may run on any host.
bool has_nameless_rank(const Model& model) {
  const std::vector<char> working = working_processes(model);
  for (std::size_t i = 0; i < working.size(); ++i)
    if (working[i] != 0 && model.host_of(static_cast<Index>(i)) == nullptr) return true;
  return false;
}

}  // namespace

ExpectationAnswer judge_hosts(const ExpectationCase& asked) {
  ExpectedHosts expected(asked.expected.values);
  ExpectationAnswer answer = passed({});
  std::set<std::string_view> others;
  for (const Place& place : places(asked.model)) {
    const bool fits = expected.take(place.host->name) || (!place.host->pod.empty() && expected.take(place.host->pod));
    Subject& subject = answer.subjects.emplace_back();
    subject.status = status_of(fits);
    subject.process = place.processes.front();
    subject.value = fits ? "expected" : "not expected";
    if (fits) continue;
    others.insert(place.host->name.empty() ? place.host->pod : place.host->name);
    add_line(answer.evidence, asked.model.processes[subject.process].first);
    answer.processes.push_back(subject.process);
  }
  if (answer.subjects.empty()) return unknown("no line names a host");
  answer.absent = expected.absent(asked.expected.values);
  if (answer.absent.empty() && others.empty()) {
    answer.detail =
        concat("the logs of ", expected.count() == 1 ? "this host" : concat("all ", expected.count(), " hosts"));
    return answer;
  }
  const bool may_be_here = has_nameless_rank(asked.model) || lacks_processes(asked.model);
  answer.status = others.empty() && may_be_here ? CheckStatus::unknown : CheckStatus::fail;
  if (!answer.absent.empty())
    answer.detail = concat("no log of ", answer.absent.size(), " of ", count_text(expected.count(), "host"), " (",
                           fold_host_list({answer.absent.begin(), answer.absent.end()}, max_items), ")");
  if (!others.empty())
    answer.detail += concat(answer.detail.empty() ? "" : "; ", count_text(others.size(), "host"), " not expected (",
                            fold_host_list({others.begin(), others.end()}, max_items), ")");
  return answer;
}

}  // namespace nccl_analyze
