// NCA301 reports a network plugin that is installed or requested and does not work: NCCL then uses a slower network.

#include <algorithm>
#include <map>

#include "nccl_analyze/rule.h"
#include "nccl_analyze/rule_parts.h"
#include "queries/hosts.h"
#include "queries/network.h"
#include "queries/platform.h"
#include "queries/settings.h"
#include "rules/findings.h"
#include "rules/support/pods.h"
#include "rules/topics.h"
#include "text/message_text.h"
#include "text/search.h"

namespace nccl_analyze::nca301 {

namespace {

/// Returns `NAME (FILE)` for `NAME FILE`: the name of a plugin and the file that the loader looked for.
std::string with_file(const std::string& text) {
  const auto blank = text.find(' ');
  return blank == std::string::npos ? text : concat(text.substr(0, blank), " (", text.substr(blank + 1), ")");
}

std::string plugin_text(const Plugin& plugin) {
  const std::string library = plugin.library.empty() ? std::string() : excerpt(plugin.library, 80);
  if (!plugin.version.empty()) {
    std::string text = excerpt(plugin.version, 80);
    if (text.starts_with("provider ")) return concat("The network plugin (", text, ")");
    // In a version such as "aws-ofi-nccl 1.16.2, libfabric 2.1", the part after the comma is the library that the
    // plugin uses.
    if (const auto comma = text.find(", "); comma != std::string::npos)
      text = concat(text.substr(0, comma), " (", text.substr(comma + 2), ")");
    return text;
  }
  if (!plugin.name.empty()) return concat("The network plugin ", excerpt(plugin.name, 80));
  return library.empty() ? std::string("The network plugin") : concat("The network plugin ", with_file(library));
}

/// Whether the process made connections before the plugin warned, so that the plugin had started.
bool was_at_work(const Process& process, const UnusedPlugin& lost) {
  const std::vector<LineRef>& lines = lost.plugin->failure.lines;
  return lost.fault == PluginFault::warned && process.progress.line > 0 && !lines.empty() &&
         process.progress < lines.front();
}

std::string fault_text(const UnusedPlugin& lost, bool is_at_work) {
  const std::string reason = excerpt(lost.plugin->reason);
  switch (lost.fault) {
    case PluginFault::failed:
      return concat(plugin_text(*lost.plugin), " was loaded and failed to initialise",
                    when(!reason.empty(), ": ", reason));
    case PluginFault::unused:
      return concat(plugin_text(*lost.plugin), " was loaded and is not used: it did not initialise",
                    when(!reason.empty(), ": ", reason));
    case PluginFault::missing:
      return concat(plugin_text(*lost.plugin),
                    // A plugin prints its version when it starts.
                    lost.plugin->version.empty() ? " was asked for (NCCL_NET_PLUGIN) and could not be loaded"
                                                 : " was asked for (NCCL_NET_PLUGIN), ran, and was not found again",
                    when(!reason.empty(), ": ", reason));
    case PluginFault::broken:
      return concat(plugin_text(*lost.plugin), " is there and could not be loaded: ", reason);
    case PluginFault::warned:
      return concat(plugin_text(*lost.plugin), is_at_work ? " warned" : " warned while it started",
                    reason.empty() ? "" : ": ", reason);
    case PluginFault::none:
      break;
  }
  return {};
}

struct Group : ProcessGroup {
  UnusedPlugin lost;
  bool is_at_work = false;        ///< The plugin had started before it warned.
  bool shows_no_network = false;  ///< The input does not show what NCCL took instead.
};

/// Describes the network that NCCL uses instead of the plugin, so that the reader can judge the cost.
std::string cost_text(const Model& model, const Group& group) {
  const Process* process = process_of(model, group.processes.front());
  if (process == nullptr || process->network.empty()) return {};
  const Index index = first_communicator_of(model, group.processes.front());
  const Communicator* comm = index < 0 ? nullptr : &model.communicators[index];
  std::string text = concat(". NCCL took the network ", excerpt(process->network, 60), " instead");
  if (comm != nullptr && process->network == "Socket" && spans_nodes(model, *comm))
    text += concat(": all traffic between ", count_text(node_count(model, *comm), "node"), " runs over TCP sockets",
                   on_interfaces_text(model, group.processes.front()));
  std::vector<std::string> notes;
  if (!process->platform.empty()) notes.push_back(concat("instance ", excerpt(process->platform, 40)));
  if (comm != nullptr && comm->nranks > 1 && comm->nnodes == comm->nranks) notes.push_back("one GPU per node or pod");
  if (notes.empty()) return text;
  return concat(text, " (", notes[0], notes.size() > 1 ? ", " + notes[1] : std::string(), ")");
}

/// Whether the environment names the plugin, or a communicator of these processes spans nodes.
bool is_needed(const Model& model, const Group& group) {
  return group.lost.plugin->requested || std::ranges::any_of(group.processes, [&](Index index) {
           const Process* const process = process_of(model, index);
           const Index comm = first_communicator_of(model, index);
           return (process != nullptr && setting(*process, "NCCL_NET_PLUGIN") != nullptr) ||
                  (comm >= 0 && spans_nodes(model, model.communicators[comm]));
         });
}

/// The name of the case for what the loader said about a plugin that is there.
std::string_view case_of(LoaderFault fault) {
  switch (fault) {
    case LoaderFault::version:
      return "version";
    case LoaderFault::library:
      return "library";
    case LoaderFault::file:
      return "file";
    case LoaderFault::symbol:
    case LoaderFault::none:
      break;
  }
  return "build";
}

/// What is special about the version that the loader misses. `private`: the interface between libibverbs and its
/// providers (libefa, libmlx5). Its number changes with some releases of rdma-core and a library has one only, so that
/// neither a newer nor an older library has it. `glibc`: the interface of the parts of one glibc (libc, libm) among
/// each other. `libfabric`: one of libfabric. Else empty.
std::string_view version_case(const LoaderError& error) {
  if (error.fault != LoaderFault::version) return {};
  if (contains(error.needed, "IBVERBS_PRIVATE_")) return "private";
  if (error.needed == "GLIBC_PRIVATE") return "glibc";
  return contains(error.library, "libfabric") ? "libfabric" : std::string_view{};
}

/// Sets the values for the advice: the kind of fault, and the file that the loader did not find or could not use.
void add_values(const UnusedPlugin& lost, Finding& finding) {
  if (lost.fault == PluginFault::broken) {
    const LoaderError error = loader_error_of(*lost.plugin);
    finding.values.push_back({"fault", std::string(case_of(error.fault))});
    finding.values.push_back({"state", "broken"});
    if (const std::string_view of = version_case(error); !of.empty()) finding.values.push_back({"of", std::string(of)});
    if (!error.library.empty()) finding.values.push_back({"file", excerpt(error.library, 200)});
    if (!error.needed.empty()) finding.values.push_back({"expected", excerpt(error.needed, 60)});
    return;
  }
  const bool is_missing = lost.fault == PluginFault::missing;
  finding.values.push_back({"fault", lost.plugin->other_build            ? "build"
                                     : is_missing                        ? "missing"
                                     : lost.fault == PluginFault::warned ? "warned"
                                                                         : "failed"});
  const std::string_view library = lost.plugin->library;
  if (is_missing && !library.empty())
    finding.values.push_back({"file", std::string(library.substr(library.rfind(' ') + 1))});
}

/// Groups processes whose plugins have the same fault, keyed by the text about the fault.
std::map<std::string, Group> groups_of(const Model& model) {
  std::map<std::string, Group> groups;
  for (const Process& process : model.processes) {
    const Index index = index_of(model, process);
    const UnusedPlugin lost = unused_plugin(model, index);
    if (lost.fault == PluginFault::none) continue;
    const bool is_at_work = was_at_work(process, lost);
    Group& group = groups[fault_text(lost, is_at_work)];
    if (group.processes.empty()) group.lost = lost;
    group.is_at_work = is_at_work;
    group.shows_no_network = process.network.empty();
    group.processes.push_back(index);
    // Evidence keeps few lines, so the reason of the failure comes first, followed by the network that NCCL chose
    // instead.
    const Evidence& failure = lost.plugin->failure;
    const bool failed = !failure.lines.empty();
    group.evidence.add(failed ? evidence_at(failure.lines.front()) : lost.plugin->evidence);
    add_line(group.evidence, process.network_at);
    if (!failed) continue;
    group.evidence.add(failure);
    group.evidence.add(lost.plugin->evidence);
  }
  return groups;
}

Finding finding_about(const Model& model, const std::string& message, const Group& group) {
  const bool is_loaded = group.lost.fault != PluginFault::missing && group.lost.fault != PluginFault::broken;
  const bool needs_efa = is_loaded && is_aws_plugin(*group.lost.plugin) && !group.lost.plugin->other_build &&
                         is_on_aws(model, group.processes);
  Finding finding = finding_of(model, concat(message, cost_text(model, group)), ProcessGroup(group));
  if (group.lost.fault == PluginFault::warned) {
    finding.own_severity = Severity::warning;
    if (!group.is_at_work) finding.message += ". This input does not show which network NCCL took";
  }
  if (group.lost.fault == PluginFault::broken && (group.shows_no_network || !is_needed(model, group))) {
    finding.own_severity = Severity::warning;
    finding.provisional = true;  // NCCL may still find InfiniBand, or the job may be on one node.
  }
  add_values(group.lost, finding);
  if (group.is_at_work) finding.values.push_back({"when", "connect"});
  if (is_on_ec2_host(model, finding.processes)) finding.values.push_back({"place", "host"});
  // An EC2 host name is not required, because a pod with its own network namespace has none.
  if (needs_efa) add_lack(lacks_efa(model, finding.processes), finding);
  for (const Incident& incident : model.incidents)
    if (topic_of(incident).rule == "net-plugin-failed" &&
        std::ranges::binary_search(finding.processes, incident.process))
      finding.incidents.push_back(index_of(model, incident));
  return finding;
}

}  // namespace

RuleResult check(const Model& model) {
  RuleResult result;
  for (const auto& [message, group] : groups_of(model))
    if (group.evidence.count > 0) result.findings.push_back(finding_about(model, message, group));
  return result;
}

}  // namespace nccl_analyze::nca301
