// Folds nodes of an acceptance that have the same cells into one row, and formats the cells.

#include "report/sentences/acceptance_matrix.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "model/stable_sort.h"
#include "text/host_list.h"
#include "text/phrases.h"

namespace nccl_analyze {
namespace {

constexpr std::string_view no_log = "no log in this input";
constexpr std::size_t max_items = 4;       // Limit on the items of a folded list of nodes.
constexpr std::size_t max_values = 3;      // Limit on the distinct values that a column lists.
constexpr std::size_t max_job_checks = 3;  // Limit on the checks of the job in the headline.

/// Returns the text of a cell: `ok`, `FAIL`, `?` if unknown, or `7/8` for 7 where 8 are wanted.
std::string cell_text(const AcceptanceCell& cell, const AcceptanceColumn& column) {
  if (cell.status == CheckStatus::pass) return "ok";
  if (cell.status == CheckStatus::unknown) return "?";
  const bool is_short = cell.amount >= 0 && cell.amount < column.wanted;
  return is_short ? std::to_string(cell.amount) + "/" + std::to_string(column.wanted) : "FAIL";
}

/// Formats an answer for a sentence: `gdr FAIL: no GPUDirect RDMA`. `text` is the text of the cell, `seen` what the log
/// shows.
std::string detail_text(std::string_view check, std::string_view text, std::string_view seen) {
  const std::string word = text == "?" ? "unknown" : std::string(text);
  return std::string(check) + " " + word + (seen.empty() ? "" : ": ") + std::string(seen);
}

std::vector<std::string> heads(const Acceptance& acceptance) {
  std::map<std::string_view, int> keys;
  for (const AcceptanceColumn& column : acceptance.columns) ++keys[column.key];
  std::vector<std::string> all;
  for (const AcceptanceColumn& column : acceptance.columns)
    all.push_back(keys[column.key] > 1 ? column.check : column.key);
  return all;
}

int order_of(CheckStatus status) { return status == CheckStatus::fail ? 0 : status == CheckStatus::unknown ? 1 : 2; }

/// Nodes with equal cell texts, and for each column the different values of the cells that did not pass.
struct NodeFold {
  MatrixRow row;
  bool has_log = true;
  std::vector<std::string> names;
  std::vector<std::set<std::string>> seen;
};

/// Lists the first `max_values` values of a column and counts the others.
std::string values_text(const std::set<std::string>& values) { return joined(values, ", ", max_values); }

/// Groups nodes by the texts of their cells.
class Folding {
 public:
  explicit Folding(const Acceptance& acceptance) : acceptance_(acceptance), heads_(heads(acceptance)) {}

  void add(const AcceptanceNode& node) {
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < acceptance_.columns.size(); ++i)
      texts.push_back(cell_text(cell_of(node, acceptance_, i), acceptance_.columns[i]));
    const auto [place, is_new] = rows_.try_emplace({node.has_log, texts}, folds_.size());
    if (is_new) {
      NodeFold& fold = folds_.emplace_back();
      fold.row.status = node.status;
      fold.row.cells = std::move(texts);
      fold.has_log = node.has_log;
      fold.seen.resize(acceptance_.columns.size());
    }
    NodeFold& fold = folds_[place->second];
    fold.names.push_back(node_name(node));
    for (std::size_t i = 0; i < node.cells.size(); ++i)
      if (node.cells[i].status != CheckStatus::pass && !node.cells[i].seen.empty())
        fold.seen[i].insert(node.cells[i].seen);
  }

  std::vector<MatrixRow> take() {
    std::vector<MatrixRow> rows;
    for (NodeFold& fold : folds_) rows.push_back(row_of(fold));
    if (acceptance_.unlogged_nodes > 0) {
      const auto count = static_cast<std::size_t>(acceptance_.unlogged_nodes);
      rows.push_back({.nodes = count_text(count, "other node"),
                      .count = count,
                      .status = CheckStatus::unknown,
                      .cells = std::vector<std::string>(acceptance_.columns.size(), "?"),
                      .details = {std::string{no_log}}});
    }
    sort_stably(rows, [](const MatrixRow& a, const MatrixRow& b) { return order_of(a.status) < order_of(b.status); });
    return rows;
  }

 private:
  MatrixRow row_of(NodeFold& fold) const {
    MatrixRow row = std::move(fold.row);
    row.count = fold.names.size();
    row.nodes = fold_host_list({fold.names.begin(), fold.names.end()}, max_items);
    if (!fold.has_log) row.details = {std::string{no_log}};
    for (std::size_t i = 0; i < row.cells.size() && fold.has_log; ++i)
      if (row.cells[i] != "ok") row.details.push_back(detail_text(heads_[i], row.cells[i], values_text(fold.seen[i])));
    return row;
  }

  const Acceptance& acceptance_;
  std::vector<std::string> heads_;
  std::map<std::pair<bool, std::vector<std::string>>, std::size_t> rows_;  ///< Index into `folds_`.
  std::vector<NodeFold> folds_;
};

std::string headline_of(const Acceptance& acceptance, const std::vector<std::string>& job) {
  const auto passed = static_cast<std::size_t>(
      std::count_if(acceptance.nodes.begin(), acceptance.nodes.end(),
                    [](const AcceptanceNode& node) { return node.status == CheckStatus::pass; }));
  const std::size_t all = acceptance.nodes.size() + static_cast<std::size_t>(acceptance.unlogged_nodes);
  std::string text = std::to_string(passed) + " of " + count_text(all, "node passes", "nodes pass");
  if (!acceptance.profile.empty()) text += " " + acceptance.profile;
  for (std::size_t i = 0; i < std::min(job.size(), max_job_checks); ++i) text += (i == 0 ? "; job: " : ", ") + job[i];
  if (job.size() > max_job_checks) text += " and " + std::to_string(job.size() - max_job_checks) + " more";
  return text;
}

}  // namespace

std::string node_name(const AcceptanceNode& node) {
  std::string name = node.name.empty() ? "host without a name" : node.name;
  if (!node.pod.empty() && node.pod != node.name) name += "/" + node.pod;
  if (!node.container.empty()) name += "/" + node.container;
  return name;
}

AcceptanceCell cell_of(const AcceptanceNode& node, const Acceptance& acceptance, std::size_t column) {
  if (column < node.cells.size()) return node.cells[column];
  const bool is_hosts = acceptance.columns[column].key == "hosts";
  return {.status = is_hosts ? node.status : CheckStatus::unknown, .seen = std::string{no_log}, .amount = -1};
}

Matrix fold_matrix(const Acceptance& acceptance) {
  Matrix matrix;
  std::vector<std::string> short_job;
  for (const Check& check : acceptance.job) {
    if (check.status == CheckStatus::pass) continue;
    const std::string_view word = check.status == CheckStatus::fail ? "FAIL" : "?";
    short_job.push_back(detail_text(check.check, word, ""));
    matrix.job.push_back(detail_text(check.check, word, check.detail));
  }
  matrix.headline = headline_of(acceptance, short_job);
  matrix.head = heads(acceptance);
  Folding folding(acceptance);
  for (const AcceptanceNode& node : acceptance.nodes) folding.add(node);
  matrix.rows = folding.take();
  return matrix;
}

}  // namespace nccl_analyze
