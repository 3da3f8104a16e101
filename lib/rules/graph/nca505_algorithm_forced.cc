// NCA505 reports settings that restrict NCCL's algorithms or protocols, including settings that leave no valid choice.

#include <algorithm>
#include <map>

#include "nccl_analyze/rule.h"
#include "nccl_analyze/rule_parts.h"
#include "queries/network.h"
#include "queries/nvlink.h"
#include "queries/settings.h"
#include "rules/findings.h"
#include "text/lower_case.h"
#include "text/message_text.h"
#include "text/search.h"

namespace nccl_analyze::nca505 {

namespace {

/// Whether aws-ofi-nccl made the setting, not the user: the plugin sets NCCL_PROTO=simple for devices that require it.
bool is_the_plugins(const Process& process, std::string_view variable, std::string_view value) {
  if (variable != "NCCL_PROTO" || lower_case(value) != "simple") return false;
  return std::ranges::any_of(process.plugins, is_aws_plugin) || contains(process.network, "Libfabric");
}

/// Whether the setting forces LL128 over PCIe. LL128 needs 128-byte stores that arrive in order, which NVLink
/// guarantees and PCIe may not. NCCL itself therefore chooses LL128 only where it is safe.
bool is_unsafe_ll128(const Process& process, std::string_view variable, std::string_view value) {
  const std::string list = lower_case(value);
  return variable == "NCCL_PROTO" && contains(list, "ll128") && !contains(list, "^") && goes_over_pcie(process);
}

struct Group : ProcessGroup {
  std::string_view variable;
  std::string value, effect;
  Severity severity = Severity::info;
};

void add_settings(const Model& model, RuleResult& result) {
  std::map<std::string, Group> groups;
  for (const Process& process : model.processes) {
    for (const std::string_view variable : {"NCCL_ALGO", "NCCL_PROTO"}) {
      const EnvValue* set = given(process, variable);
      if (set == nullptr || is_the_plugins(process, variable, set->value)) continue;
      Group& group = groups[concat(variable, "=", excerpt(set->value, 60))];
      group.variable = variable;
      group.value = excerpt(set->value, 60);
      const bool excludes = contains(set->value, "^");
      group.effect = concat(": NCCL may use ", excludes ? "any but these " : "only these ",
                            variable == "NCCL_ALGO" ? "algorithms" : "protocols", ", whatever the size");
      if (is_unsafe_ll128(process, variable, set->value)) {
        group.effect =
            ": LL128 between GPUs that PCIe joins, where NCCL itself does not use it because data may be corrupted";
        group.severity = Severity::warning;
        add_line(group.evidence, process.worst_path_at);
      }
      group.processes.push_back(index_of(model, process));
      group.evidence.add(set->at);
    }
  }
  for (auto& [name, group] : groups) {
    Finding& finding = result.findings.emplace_back(finding_of(model, name + group.effect, ProcessGroup(group)));
    finding.own_severity = group.severity;
    finding.own_stage = Stage::note;
    finding.values = {{"why", group.severity == Severity::info ? "set" : "ll128"},
                      {"var", std::string(group.variable)},
                      {"value", group.value}};
  }
}

std::string message_of(const Incident& incident) {
  if (!warns(incident.level)) return {};
  return concat(incident.aspect == "unreadable" ? "NCCL_ALGO or NCCL_PROTO cannot be read: " : "No algorithm is left: ",
                excerpt(incident.message));
}

}  // namespace

RuleResult check(const Model& model) {
  RuleResult result{topic_findings(model, "algorithm-forced", message_of)};
  for (Finding& finding : result.findings) {
    finding.values.emplace_back("why", "none");
    for (const Process* process : known_processes(model, finding.processes))
      for (const std::string_view variable : {"NCCL_ALGO", "NCCL_PROTO"}) add_setting(*process, variable, finding);
  }
  if (result.findings.empty()) add_settings(model, result);
  return result;
}

}  // namespace nccl_analyze::nca505
