// NCA319 reports InfiniBand and RoCE ports that are down although the job should use them.

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "nccl_analyze/events/lists.h"
#include "nccl_analyze/rule.h"
#include "nccl_analyze/rule_parts.h"
#include "queries/hosts.h"
#include "queries/machines.h"
#include "queries/nvlink.h"
#include "queries/settings.h"
#include "rules/findings.h"
#include "text/message_text.h"
#include "text/search.h"

namespace nccl_analyze::nca319 {

namespace {

/// Formats a port: `mlx5_0:1`.
std::string port_text(std::string_view device, int port) { return concat(device, ":", port); }

/// The ports that NCCL lists as usable: all ports of each host, and the first host of each port.
struct UsedPorts {
  Table<std::set<std::string>> by_host;
  std::map<std::string, Index> first_host;
};

UsedPorts used_ports(const Model& model) {
  UsedPorts used;
  used.by_host.resize(model.hosts.size());
  for (const Process& process : model.processes) {
    if (process.host_index < 0) continue;
    NicList nics(process.ib_devices);
    for (Nic nic; nics.next(nic);) {
      std::string port = port_text(nic.device, nic.port);
      used.first_host.try_emplace(port, process.host_index);
      used.by_host[process.host_index].insert(std::move(port));
    }
  }
  return used;
}

/// Whether `NCCL_IB_HCA` accepts the port. Its names are prefixes; after `=`, they are whole names; after `^`, they are
/// excluded. Each may end with `:port` (src/misc/utils.cc, parseStringList).
bool takes(std::string_view filter, std::string_view device, int port) {
  const bool excludes = filter.starts_with('^');
  if (excludes) filter.remove_prefix(1);
  const bool is_exact = filter.starts_with('=');
  if (is_exact) filter.remove_prefix(1);
  bool is_listed = filter.empty();
  while (!filter.empty()) {
    const std::size_t end = std::min(filter.find(','), filter.size());
    const std::string_view one = filter.substr(0, end);
    const std::string_view name = one.substr(0, one.find(':'));
    const std::string_view number = name.size() == one.size() ? std::string_view{} : one.substr(name.size() + 1);
    const bool is_name = is_exact ? device == name : device.starts_with(name);
    is_listed = is_listed || (is_name && (number.empty() || number == std::to_string(port)));
    filter.remove_prefix(std::min(end + 1, filter.size()));
  }
  return is_listed != excludes;
}

/// Whether the filter contains the whole name of the device. A prefix such as `mlx5` accepts many devices and does not
/// require a certain one.
bool asks_for(std::string_view filter, std::string_view device) {
  if (filter.starts_with('^')) return false;
  if (filter.starts_with('=')) filter.remove_prefix(1);
  while (!filter.empty()) {
    const std::size_t end = std::min(filter.find(','), filter.size());
    if (filter.substr(0, std::min(end, filter.find(':'))) == device) return true;
    filter.remove_prefix(std::min(end + 1, filter.size()));
  }
  return false;
}

/// Returns the first NCCL_IB_HCA that a process of the host prints; null if none does.
const EnvValue* filter_of(const Model& model, const std::vector<Index>& processes) {
  for (const Index index : processes)
    if (const EnvValue* const value = setting(model.processes[index], "NCCL_IB_HCA")) return value;
  return nullptr;
}

/// Returns why a port should be up: another host uses the port with the same name, or the filter names the device.
/// Empty without such a reason, because ports that are down on all hosts often have no cable.
std::string reason_of(const Model& model, const UsedPorts& used, Index host, const MachineNic& nic,
                      const EnvValue* filter) {
  const auto twin = used.first_host.find(port_text(nic.name, nic.port));
  if (twin != used.first_host.end() && twin->second != host)
    return concat("in use on ", excerpt(model.hosts[twin->second].name, 60));
  return filter != nullptr && asks_for(filter->value, nic.name) ? "named by NCCL_IB_HCA" : "";
}

/// States that the filter does not exclude the ports. `them` is the pronoun for the ports: `it` or `them`.
std::string filter_text(const EnvValue* filter, std::string_view them) {
  return filter == nullptr ? concat("the log shows no NCCL_IB_HCA that would exclude ", them)
                           : concat("NCCL_IB_HCA=", excerpt(filter->value, 60), " does not exclude ", them);
}

void judge(const Model& model, const JobHostSpans& all_spans, const Machine& machine, const UsedPorts& used,
           MachineGroups& groups) {
  std::vector<Index> processes = processes_on(model, machine.host);
  const Proof spans = all_spans.of(processes);
  if (processes.empty() || spans == Proof::disproven) return;
  const bool has_port = std::ranges::find(machine.nics, PortState::up, &MachineNic::state) != machine.nics.end();
  const bool none_found = !has_port && std::ranges::any_of(processes, [&](Index index) {
    return model.processes[index].ib_absent && model.processes[index].network == "Socket";
  });
  const bool lists_devices =
      std::ranges::any_of(processes, [&](Index index) { return !model.processes[index].ib_devices.empty(); });
  if (!none_found && !lists_devices) return;
  const EnvValue* const filter = filter_of(model, processes);
  std::vector<std::string> texts, reasons;
  Evidence evidence;
  for (const MachineNic& nic : machine.nics) {
    if (nic.state != PortState::down || nic.name.empty()) continue;
    // The port was up when NCCL listed it.
    if (used.by_host[machine.host].contains(port_text(nic.name, nic.port))) continue;
    if (filter != nullptr && !takes(filter->value, nic.name, nic.port)) continue;
    std::string reason = reason_of(model, used, machine.host, nic, filter);
    if (reason.empty()) continue;
    std::string text = concat(excerpt(port_text(nic.name, nic.port), 40), " is ", excerpt(nic.printed_state, 20));
    if (!nic.physical_state.empty()) text += concat(" (", excerpt(nic.physical_state, 30), ")");
    texts.push_back(std::move(text));
    add_once(reasons, std::move(reason));
    add_line(evidence, nic.at);
  }
  if (texts.empty()) return;
  const bool is_one = texts.size() == 1;
  MachineGroup& group =
      groups[concat(" NCCL lacks ", is_one ? "a port that is down: " : "ports that are down: ", list_text(texts), ", ",
                    list_text(reasons), "; ", filter_text(filter, is_one ? "it" : "them"),
                    spans == Proof::open ? if_it_spans_hosts : std::string_view{})];
  group.names.push_back(machine_text(model, machine));
  group.processes.insert(group.processes.end(), processes.begin(), processes.end());
  group.evidence.add(evidence);
  group.is_error = group.is_error || (none_found && filter != nullptr);
}

/// Whether the tool shows the states of ports, and the document is more than a GID table.
bool shows_ports(const Machine& machine) {
  return std::ranges::any_of(machine.nics, [](const MachineNic& nic) { return nic.state != PortState::unknown; });
}

/// Sets the values for the advice: the device of the first port that is down, and its state, as in the message.
void add_values(Finding& finding) {
  constexpr std::string_view before = "down: ", states[] = {"Disabled", "Polling", "Initializ", "LinkUp"};
  const std::string_view message = finding.message;
  const std::size_t name = message.find(before) + before.size();
  finding.values.push_back({"hca", std::string(message.substr(name, message.find(':', name) - name))});
  for (const std::string_view state : states)
    if (contains(message, state)) finding.values.push_back({"state", std::string(state)});
}

}  // namespace

RuleResult check(const Model& model) {
  RuleResult result;
  if (model.machines.empty()) return result;
  const UsedPorts used = used_ports(model);
  const JobHostSpans spans(model);
  MachineGroups groups;
  std::set<Index> judged_hosts;  // Each host is judged once, because several tools show the same ports.
  for (const Machine& machine : model.machines) {
    if (machine.host >= 0 && shows_ports(machine) && judged_hosts.insert(machine.host).second)
      judge(model, spans, machine, used, groups);
  }
  result.findings = findings_of(model, "On ", std::move(groups));
  for (Finding& finding : result.findings) add_values(finding);
  return result;
}

}  // namespace nccl_analyze::nca319
