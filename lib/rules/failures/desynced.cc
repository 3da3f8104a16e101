// PyTorch's desync report names the ranks at the lowest collective, for which the others wait. If all ranks are at the
// same collective, no rank is behind.

#include "rules/failures/desynced.h"

#include <algorithm>
#include <map>
#include <utility>

#include "nccl_analyze/rule_parts.h"
#include "text/message_text.h"

namespace nccl_analyze {

namespace {

/// Number of the last collective that ranks joined without finishing it, and of the last that they finished; negative
/// if there is none.
using Standstill = std::pair<std::int64_t, std::int64_t>;

std::string standstill_text(const std::vector<int>& ranks, const Standstill& at) {
  const auto& [joined, finished] = at;
  const std::string who = ranks_text(ranks);
  if (joined >= 0) return concat(who, " joined collective ", joined, " and did not finish it");
  if (finished >= 0) return concat(who, " finished collective ", finished, " and did not join the next");
  return concat(who, " never joined a collective");
}

}  // namespace

std::optional<DesyncReport> desync_report(const Model& model, const std::set<int>& waiting) {
  if (model.desynced.empty()) return std::nullopt;
  std::map<Standstill, std::set<int>> groups;
  DesyncReport report;
  for (const DesyncedRanks& one : model.desynced) {
    groups[{one.joined, one.finished}].insert(one.ranks.begin(), one.ranks.end());
    add_line(report.evidence, one.at);
  }
  std::set<int> blamed;
  std::vector<std::string> parts;
  for (const auto& [at, ranks] : groups) {
    parts.push_back(standstill_text({ranks.begin(), ranks.end()}, at));
    const bool waits_too = at.first >= 0 && !waiting.empty() && std::ranges::includes(ranks, waiting);
    if (!waits_too || groups.size() > 1) blamed.insert(ranks.begin(), ranks.end());
  }
  report.text = list_text(parts);
  report.blamed = {blamed.begin(), blamed.end()};
  return report;
}

}  // namespace nccl_analyze
