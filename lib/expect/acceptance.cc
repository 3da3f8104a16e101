// Arranges the answers to the expectations as a matrix of nodes and checks.

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "expect/places.h"
#include "model/stable_sort.h"
#include "queries/ranks.h"
#include "text/message_text.h"
#include "text/search.h"

namespace nccl_analyze {

namespace {

constexpr std::size_t max_values = 3;  // a cell names at most this many different values of a node's processes

/// Returns how bad a status is; a larger number is worse.
int badness(CheckStatus status) { return status == CheckStatus::fail ? 2 : status == CheckStatus::unknown ? 1 : 0; }

/// Returns the number that an expectation with `=` or `>=` and one value requires; -1 for any other expectation.
std::int64_t wanted_number(const Expectation& expected) {
  const ExpectationRow* const row = find_expectation_row(expected.key);
  const bool is_number = row != nullptr && (row->kind == ValueKind::positive || row->kind == ValueKind::number ||
                                            row->kind == ValueKind::number_or_none);
  const bool is_minimum = expected.comparison == Comparison::equal || expected.comparison == Comparison::at_least;
  if (!is_number || !is_minimum || expected.values.size() != 1) return -1;
  return static_cast<std::int64_t>(real_value(expected.values.front()).value_or(-1));
}

/// Builds the rows for the hosts of the model, in their order. The last row is for processes whose host is unknown.
class Rows {
 public:
  Rows(const Model& model, std::size_t columns) : model_(model), columns_(columns), used_(model.hosts.size() + 1, 0) {
    nodes_.resize(used_.size());
    for (std::size_t i = 0; i < model.hosts.size(); ++i) {
      const Host& host = model.hosts[i];
      nodes_[i].name = host.name.empty() ? host.pod : host.name;
    }
    const std::vector<char> working = working_processes(model);
    for (std::size_t i = 0; i < working.size(); ++i)
      if (working[i] != 0) use(static_cast<Index>(i));
  }

  /// Fills one column. A cell shows the worst status of its subjects, and the values of the subjects with that status.
  /// A host without ranks gets a row only if it fails.
  void add(std::size_t column, const std::vector<Subject>& subjects) {
    // The distinct values of the cell in each row. The cell shows the first max_values of them.
    std::map<std::size_t, std::set<std::string>> values;
    std::set<std::size_t> answered;
    for (const Subject& subject : subjects) {
      const std::size_t at = row_of(subject.process);
      if (used_[at] == 0 && subject.status != CheckStatus::fail) continue;
      AcceptanceCell& cell = use(subject.process).cells[column];
      const bool is_first = answered.insert(at).second;
      if (!is_first && badness(subject.status) < badness(cell.status)) continue;
      if (is_first || badness(subject.status) > badness(cell.status)) {
        cell = {subject.status, subject.value, subject.amount};
        values[at] = {subject.value};
      } else if (values[at].insert(subject.value).second && values[at].size() <= max_values + 1) {
        cell.seen += concat(cell.seen.empty() ? "" : ", ", values[at].size() > max_values ? "..." : subject.value);
      }
    }
  }

  std::vector<AcceptanceNode> take() {
    std::vector<AcceptanceNode> all;
    std::map<std::string, std::size_t> names;
    for (std::size_t i = 0; i < nodes_.size(); ++i)
      if (used_[i] != 0) ++names[nodes_[i].name];
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      if (used_[i] == 0) continue;
      AcceptanceNode& node = all.emplace_back(std::move(nodes_[i]));
      if (names[node.name] > 1 && i < model_.hosts.size()) {
        node.pod = model_.hosts[i].pod;
        node.container = model_.hosts[i].container;
      }
      node.status = CheckStatus::pass;
      for (const AcceptanceCell& cell : node.cells)
        if (badness(cell.status) > badness(node.status)) node.status = cell.status;
    }
    return all;
  }

 private:
  std::size_t row_of(Index process) const {
    const Process* const one = process_of(model_, process);
    return one == nullptr || one->host_index < 0 ? model_.hosts.size() : static_cast<std::size_t>(one->host_index);
  }

  AcceptanceNode& use(Index process) {
    const std::size_t at = row_of(process);
    used_[at] = 1;
    nodes_[at].cells.resize(columns_);
    return nodes_[at];
  }

  const Model& model_;
  std::size_t columns_;
  std::vector<char> used_;
  std::vector<AcceptanceNode> nodes_;
};

/// Returns how many nodes of the largest communicator have no log in the input; each host counts as one node. 0 if
/// every rank has a log, or if NCCL printed no number of nodes.
std::int64_t count_unlogged(const Model& model) {
  const Communicator* const largest = largest_communicator(model);
  if (largest == nullptr || largest->nnodes < 1 || unlogged_ranks(*largest).empty()) return 0;
  std::set<Index> hosts;
  for (const Rank& rank : largest->ranks)
    if (const Process* const process = process_of(model, rank.process)) hosts.insert(process->host_index);
  return std::max<std::int64_t>(0, largest->nnodes - static_cast<std::int64_t>(hosts.size()));
}

}  // namespace

Acceptance make_acceptance(const Model& model, std::span<const Expectation> expectations,
                           std::vector<ExpectationAnswer>& answers) {
  Acceptance acceptance;
  std::vector<std::size_t> of_nodes;
  for (std::size_t i = 0; i < expectations.size(); ++i) {
    const ExpectationRow* const row = find_expectation_row(expectations[i].key);
    if (row == nullptr || row->subjects == Subjects::job) {
      acceptance.job.push_back({expectations[i].word, answers[i].status, answers[i].detail});
      continue;
    }
    of_nodes.push_back(i);
    acceptance.columns.push_back({expectations[i].word, expectations[i].key, wanted_number(expectations[i])});
  }
  Rows rows(model, of_nodes.size());
  std::vector<AcceptanceNode> absent;
  for (std::size_t column = 0; column < of_nodes.size(); ++column) {
    ExpectationAnswer& answer = answers[of_nodes[column]];
    rows.add(column, answer.subjects);
    for (std::string& name : answer.absent)
      absent.push_back({.name = std::move(name),
                        .pod = {},
                        .container = {},
                        .has_log = false,
                        .status = answer.status,
                        .cells = {}});
  }
  if (of_nodes.empty()) return acceptance;
  acceptance.nodes = rows.take();
  acceptance.unlogged_nodes =
      std::max<std::int64_t>(0, count_unlogged(model) - static_cast<std::int64_t>(absent.size()));
  std::ranges::move(absent, std::back_inserter(acceptance.nodes));
  sort_stably(acceptance.nodes, [](const AcceptanceNode& a, const AcceptanceNode& b) { return a.name < b.name; });
  return acceptance;
}

}  // namespace nccl_analyze
