// NCA701 reports NCCL_* settings that differ between ranks of one job: the ranks may hang or run slowly.

#include <algorithm>
#include <map>

#include "nccl_analyze/rule.h"
#include "rules/findings.h"
#include "text/message_text.h"
#include "text/search.h"

namespace nccl_analyze::nca701 {

namespace {

/// Whether the variable depends on the machine or the process, so that different values are normal.
bool may_differ(std::string_view variable) {
  return one_of(variable, {"NCCL_HOSTID", "NCCL_COMM_ID", "NCCL_RAS_ADDR", "NCCL_DEBUG_FILE", "NCCL_TOPO_DUMP_FILE",
                           "NCCL_GRAPH_DUMP_FILE", "NCCL_TOPO_FILE", "NCCL_IB_HCA", "NCCL_SOCKET_IFNAME",
                           "NCCL_OOB_NET_IFNAME", "NCCL_UID_STAGGER_RATE", "NCCL_GRAPH_FILE"});
}

struct Values {
  std::map<std::string, std::vector<int>> ranks;
  std::map<std::string, LineRef> first;
};

using Variables = std::map<Text, Values>;

/// Returns the variables whose values differ between ranks of the communicator. add_values() then fills in the values.
Variables differing(const Model& model, const Communicator& comm) {
  Variables found;
  std::map<Text, Text> first;
  for (const auto& [rank, process] : known_ranks(model, comm)) {
    auto known = first.begin();
    for (const auto& [variable, value] : process.env) {
      // Both sequences are sorted, so the next entry is usually the right one and no search is needed.
      if (known == first.end() || known->first != variable) known = first.lower_bound(variable);
      if (known == first.end() || known->first != variable) known = first.emplace_hint(known, variable, value.value);
      if (known->second != value.value && !may_differ(variable)) found.try_emplace(variable);
      ++known;
    }
  }
  return found;
}

void add_values(const Rank& rank, const Process& process, Variables& variables) {
  for (const auto& [variable, value] : process.env) {
    const auto found = variables.find(variable);
    if (found == variables.end()) continue;
    found->second.ranks[value.value.str()].push_back(rank.rank);
    found->second.first.try_emplace(value.value.str(), value.at);
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
      for (const auto& [value, ranks] : values.ranks) {
        parts.push_back(concat(excerpt(value, 60), " on ", ranks_text(ranks)));
        finding.ranks.insert(finding.ranks.end(), ranks.begin(), ranks.end());
      }
      for (const auto& [value, at] : values.first) finding.evidence.add(at);
      std::ranges::sort(finding.ranks);
      finding.message = concat(variable, " differs: ", list_text(parts));
      finding.communicators = {index_of(model, comm)};
      finding.values.emplace_back("var", variable.view());
    }
  }
  return result;
}

}  // namespace nccl_analyze::nca701
