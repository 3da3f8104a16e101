// NCA209 reports that no network interface matches NCCL_SOCKET_IFNAME or NCCL_SOCKET_FAMILY.

#include <algorithm>
#include <string>
#include <string_view>

#include "nccl_analyze/rule.h"
#include "queries/settings.h"
#include "rules/findings.h"
#include "text/message_text.h"
#include "text/search.h"

namespace nccl_analyze::nca209 {

namespace {

constexpr std::string_view none_found = "NCCL found no network interface that it may use";

/// Notes the exact name that `NCCL_SOCKET_IFNAME` asks for, and a host that has an interface of that name.
void note_name(const Model& model, std::string_view wanted, Finding& finding) {
  if (wanted.empty() || wanted.starts_with('^') || contains(wanted, ",")) return;
  const bool is_exact = wanted.starts_with('=');
  const std::string_view name = wanted.substr(is_exact ? 1 : 0);
  if (is_exact) finding.values.emplace_back("exact_ifname", name);
  const auto has_it = [&](const Process& process) {
    const std::string_view used = process.bootstrap_interface.view();
    return !process.host.empty() && (is_exact ? used == name : used.starts_with(name));
  };
  const auto found = std::ranges::find_if(model.processes, has_it);
  if (found == model.processes.end()) return;
  for (const Process* process : known_processes(model, finding.processes))
    if (process->host.empty() || process->host == found->host) return;
  finding.values.emplace_back("named_host", found->host);
}

}  // namespace

RuleResult check(const Model& model) {
  RuleResult result{incident_findings(model, {IncidentKind::interface_not_found},
                                      [](const Incident&) { return std::string(none_found); })};
  for (Finding& finding : result.findings) {
    std::vector<std::string> settings;
    for (const Process* process : known_processes(model, finding.processes))
      for (const std::string_view variable : {"NCCL_SOCKET_IFNAME", "NCCL_SOCKET_FAMILY"})
        if (const EnvValue* value = setting(*process, variable)) {
          add_once(settings, concat(variable, "=", excerpt(value->value, 80)));
          finding.evidence.add(value->at);
          if (variable == "NCCL_SOCKET_IFNAME" && settings.size() == 1) note_name(model, value->value, finding);
        }
    if (settings.empty() || !finding.message.starts_with(none_found)) continue;
    finding.message = concat("No network interface fits what NCCL was told to use",
                             finding.message.substr(none_found.size()), ": ", list_text(settings));
  }
  return result;
}

}  // namespace nccl_analyze::nca209
