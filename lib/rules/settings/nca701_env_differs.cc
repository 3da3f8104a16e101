// NCA701 reports NCCL_* settings that differ between ranks of one job: the ranks may hang or run slowly.

#include <algorithm>
#include <map>

#include "nccl_analyze/rule.h"
#include "rules/findings.h"
#include "rules/words/table.h"
#include "text/message_text.h"

namespace nccl_analyze::nca701 {

namespace {

struct Holders {
  std::vector<int> ranks;
  LineRef first;
};
/// The ranks that have each value of each variable.
using Variables = std::map<Text, std::map<std::string, Holders>>;

/// Returns the variables whose values differ between ranks of the communicator, but for those of the document's table,
/// which may. add_values() then fills in the values.
Variables differing(const Model& model, const Communicator& comm) {
  Variables found;
  std::map<Text, Text> first;
  for (const auto& [rank, process] : known_ranks(model, comm)) {
    auto known = first.begin();
    for (const auto& [variable, value] : process.env) {
      // Both sequences are sorted, so the next entry is usually the right one and no search is needed.
      if (known == first.end() || known->first != variable) known = first.lower_bound(variable);
      if (known == first.end() || known->first != variable) known = first.emplace_hint(known, variable, value.value);
      if (known->second != value.value && table_text("NCA701", variable).empty()) found.try_emplace(variable);
      ++known;
    }
  }
  return found;
}

void add_values(const Rank& rank, const Process& process, Variables& variables) {
  for (const auto& [variable, value] : process.env) {
    const auto found = variables.find(variable);
    if (found == variables.end()) continue;
    Holders& holders = found->second[value.value.str()];
    if (holders.ranks.empty()) holders.first = value.at;
    holders.ranks.push_back(rank.rank);
  }
}

}  // namespace

RuleResult check(const Model& model) {
  RuleResult result;
  for (const Communicator& comm : model.communicators) {
    if (comm.parent >= 0) continue;
    // A process prints a variable only when NCCL reads it. A missing line proves nothing, so only printed values are
    // compared.
    Variables variables = differing(model, comm);
    if (!variables.empty())
      for (const auto& [rank, process] : known_ranks(model, comm)) add_values(rank, process, variables);
    for (const auto& [variable, values] : variables) {
      Finding& finding = result.findings.emplace_back();
      std::vector<std::string> parts;
      for (const auto& [value, holders] : values) {
        parts.push_back(concat(excerpt(value, 60), " on ", ranks_text(holders.ranks)));
        finding.ranks.insert(finding.ranks.end(), holders.ranks.begin(), holders.ranks.end());
        finding.evidence.add(holders.first);
      }
      std::ranges::sort(finding.ranks);
      finding.message = concat(variable, " differs: ", list_text(parts));
      finding.communicators = {index_of(model, comm)};
      finding.values.emplace_back("var", variable.view());
    }
  }
  return result;
}

}  // namespace nccl_analyze::nca701
