// NCA702 reports settings that switch off transports or features, often left over from debugging.

#include <algorithm>
#include <utility>

#include "nccl_analyze/rule.h"
#include "queries/network.h"
#include "queries/settings.h"
#include "rules/findings.h"
#include "rules/support/message_groups.h"
#include "rules/words/table.h"
#include "text/message_text.h"

namespace nccl_analyze::nca702 {

namespace {

/// Returns what the process uses instead of InfiniBand if the setting disables it; empty for other settings.
std::string_view replacement(const Process& process, std::string_view variable) {
  if (variable != "NCCL_IB_DISABLE") return {};
  return uses_nccl_sockets(process) ? ": TCP sockets" : ": TCP sockets, unless a plugin takes over";
}

}  // namespace

RuleResult check(const Model& model) {
  RuleResult result;
  for (const TableRow& row : table_of("NCA702")) {
    const std::string_view variable = row.key.substr(0, row.key.find('='));
    const bool zero_is_risky = row.key.ends_with("=0");  // otherwise any other value
    MessageGroups<ProcessGroup, std::pair<Text, std::string_view>> groups;
    for (const Process& process : model.processes) {
      const EnvValue* set = given(process, variable);
      if (set == nullptr || (set->value == "0") != zero_is_risky) continue;
      const std::string_view instead = replacement(process, variable);
      ProcessGroup& group = groups.of({set->value, instead}, [&] {
        return concat(variable, "=", excerpt(set->value, 40), ": ", row.text, instead);
      });
      group.processes.push_back(index_of(model, process));
      group.evidence.add(set->at);
      group.values = {{"var", std::string(variable)}, {"value", set->value.str()}};
    }
    const std::size_t all = model.processes.size();
    for (auto& [message, group] : groups) {
      const std::size_t shown = group.processes.size();
      const std::string where = when(shown != all, " (shown by ", shown, " of ", count_text(all, "process"), ")");
      result.findings.push_back(finding_of(model, message + where, std::move(group)));
    }
  }
  return result;
}

}  // namespace nccl_analyze::nca702
