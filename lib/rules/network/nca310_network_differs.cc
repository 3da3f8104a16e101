// NCA310 reports ranks of one communicator on different networks: they cannot connect to each other.

#include <map>

#include "nccl_analyze/rule.h"
#include "nccl_analyze/rule_parts.h"
#include "queries/hosts.h"
#include "queries/network.h"
#include "rules/findings.h"
#include "rules/support/message_groups.h"
#include "text/message_text.h"

namespace nccl_analyze::nca310 {

namespace {

struct Group {
  std::vector<int> ranks;
  std::vector<const Process*> processes;
  Evidence evidence;
};

constexpr std::string_view no_plugin = "no network plugin";
constexpr std::string_view loaded_words = "the plugin named ";

/// Describes a plugin whose file no line names, by its name, interface and version:
/// `the plugin named Libfabric (v10), aws-ofi-nccl 1.14.2`.
std::string loaded_text(const Plugin& plugin) {
  const std::string_view version = plugin.version;
  return concat(loaded_words, excerpt(plugin.name, 40), when(!plugin.api.empty(), " (", plugin.api, ")"),
                when(!version.empty(), ", ", excerpt(version.substr(0, version.find(',')), 60)));
}

/// Returns the network plugin of a process; empty if no line shows it.
std::string choice_of_plugin(const Process& process) {
  for (const Plugin& plugin : process.plugins) {
    if (plugin.kind != "net") continue;
    const bool is_broken = loader_error_of(plugin).fault != LoaderFault::none;
    if (plugin.status == PluginStatus::missing || (plugin.status == PluginStatus::failed && is_broken))
      return std::string(no_plugin);
    if (!plugin.library.empty()) return concat("the plugin ", excerpt(plugin.library, 80));
    if (plugin.status == PluginStatus::loaded && !plugin.name.empty()) return loaded_text(plugin);
  }
  return {};
}

/// Returns the network or, if no line shows it, the network plugin of a process in an excerpt; empty if neither is
/// shown.
std::string choice_of(const Process& process) {
  return process.network.empty() ? choice_of_plugin(process) : concat("the network ", excerpt(process.network, 40));
}

/// Whether two different choices prove different networks. A network cannot be compared with a plugin, nor the file of
/// one plugin with the name of another. If one description of a plugin begins with the other, the plugin may be the
/// same, with fewer lines in the excerpt.
bool are_comparable(std::string_view one, std::string_view other) {
  const bool are_loaded = one.starts_with(loaded_words) && other.starts_with(loaded_words);
  if (are_loaded) return !one.starts_with(other) && !other.starts_with(one);
  if (one.starts_with("the network ") != other.starts_with("the network ")) return false;
  return one == no_plugin || other == no_plugin || one.starts_with(loaded_words) == other.starts_with(loaded_words);
}

struct Choice {
  std::vector<Index> processes;
  Evidence evidence;
};

void add_process(const Model& model, const Process& process, Choice& choice) {
  choice.processes.push_back(index_of(model, process));
  add_line(choice.evidence, process.network_at);
  if (!process.network.empty()) return;
  for (const Plugin& plugin : process.plugins)
    if (plugin.kind == "net") choice.evidence.add(plugin.evidence);
  if (choice.evidence.count == 0) add_line(choice.evidence, process.first);
}

/// Compares the hosts of an excerpt without communicators, and reports exactly two different choices. Hosts whose
/// processes differ among themselves, as after a fallback, are left out.
void compare_hosts(const Model& model, RuleResult& result) {
  std::map<Text, std::string> by_host;
  for (const Process& process : model.processes) {
    std::string choice = choice_of(process);
    if (process.host.empty() || choice.empty()) continue;
    const auto [known, is_new] = by_host.emplace(process.host, choice);
    if (!is_new && known->second != choice) known->second.clear();
  }
  std::map<std::string, Choice> choices;
  for (const Process& process : model.processes)
    if (const auto host = by_host.find(process.host); host != by_host.end() && !host->second.empty())
      add_process(model, process, choices[host->second]);
  if (choices.size() != 2 || !are_comparable(choices.begin()->first, choices.rbegin()->first)) return;
  std::vector<std::string> parts;
  Finding& finding = result.findings.emplace_back();
  for (auto& [choice, of] : choices) {
    parts.push_back(concat(choice, " on ", excerpt(model.processes[of.processes.front()].host, 60)));
    finding.evidence.add(of.evidence);
    finding.processes.insert(finding.processes.end(), of.processes.begin(), of.processes.end());
  }
  const bool are_plugins = !choices.begin()->first.starts_with("the network ");
  finding.values.push_back({"compared", are_plugins ? "plugins" : "networks"});
  finding.message = concat(are_plugins ? "Hosts load different network plugins" : "Hosts choose different networks",
                           ": ", list_text(parts), ". If they are of one job, its ranks ",
                           are_plugins ? "may fail to connect" : "cannot connect", "; this input does not show it");
  finding.own_severity = Severity::warning;
  finding.provisional = true;
}

bool is_of_nccl(std::string_view network) { return network == "IB" || network == "Socket"; }

/// Whether the process found no file of a network plugin, or one that does not load.
bool lacks_plugin(const Process& process) { return choice_of_plugin(process) == no_plugin; }

/// Whether the plugin makes the difference: one group uses NCCL's own network and the other that of a plugin, and the
/// former has the adapters (`IB`) or says that it has no plugin.
bool differ_by_plugin(MessageGroups<Group>& groups) {
  bool has_plugin = false, has_none = false;
  for (const auto& [network, group] : groups) {
    has_plugin |= !is_of_nccl(network);
    if (!is_of_nccl(network)) continue;
    has_none |= network == "IB";
    for (const Process* process : group.processes) has_none |= lacks_plugin(*process);
  }
  return has_plugin && has_none;
}

/// Whether NCCL or a plugin lists RDMA devices in every process.
bool all_list_nics(MessageGroups<Group>& groups) {
  bool all = true;
  for (const auto& [network, group] : groups)
    for (const Process* process : group.processes) all = all && !process->ib_devices.empty();
  return all;
}

/// Adds the lines about plugins, and returns `; rank 13 has no network plugin` for the ranks that say so.
std::string add_plugins(MessageGroups<Group>& groups, Finding& finding) {
  std::vector<int> without;
  for (const auto& [network, group] : groups)
    for (std::size_t i = 0; i < group.processes.size(); ++i) {
      for (const Plugin& plugin : group.processes[i]->plugins)
        if (plugin.kind == "net") finding.evidence.add(plugin.evidence);
      if (is_of_nccl(network) && lacks_plugin(*group.processes[i])) without.push_back(group.ranks[i]);
    }
  return without.empty()
             ? std::string()
             : concat("; ", ranks_text(without), without.size() == 1 ? " has" : " have", " no network plugin");
}

}  // namespace

RuleResult check(const Model& model) {
  RuleResult result;
  if (model.communicators.empty()) compare_hosts(model, result);
  append(result.findings, each_communicator(model, [&](const Communicator& comm, Finding& finding) -> std::string {
           if (comm.parent >= 0 || !spans_nodes(model, comm)) return {};
           MessageGroups<Group> groups;
           for (const KnownRank& known : known_ranks(model, comm)) {
             const Process& process = known.process;
             if (process.network.empty()) continue;
             Group& group = groups.of(process.network, [&] { return process.network.str(); });
             group.ranks.push_back(known.rank.rank);
             group.processes.push_back(&process);
             add_line(group.evidence, process.network_at);
           }
           if (groups.size() < 2) return {};
           std::vector<std::string> parts;
           for (auto& [network, group] : groups) {
             parts.push_back(concat(excerpt(network, 40), " on ", ranks_text(group.ranks)));
             finding.evidence.add(group.evidence);
             finding.ranks.insert(finding.ranks.end(), group.ranks.begin(), group.ranks.end());
           }
           const bool by_plugin = differ_by_plugin(groups);
           if (by_plugin) finding.values.push_back({"compared", "plugins"});
           if (all_list_nics(groups)) finding.values.push_back({"nics", "listed"});
           return concat("The ranks chose different networks: ", list_text(parts),
                         by_plugin ? add_plugins(groups, finding) : std::string());
         }));
  return result;
}

}  // namespace nccl_analyze::nca310
