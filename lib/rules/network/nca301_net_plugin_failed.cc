// NCA301 reports a network plugin that is installed or requested and does not work: NCCL then uses a slower network.

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "nccl_analyze/rule.h"
#include "rules/support/evidence.h"
#include "rules/support/findings.h"
#include "rules/support/hosts.h"
#include "rules/support/message_text.h"
#include "rules/support/network.h"
#include "rules/support/platform.h"
#include "rules/support/pods.h"
#include "rules/support/ranks.h"
#include "rules/topics.h"

namespace nccl_analyze::nca301 {

namespace {

constexpr std::string_view efa_pod_fix =
    R"(The plugin works and found no EFA device in this container. In this order:

1. **Pod spec.** The container must ask for EFA: `resources.limits: {vpc.amazonaws.com/efa: 1}` (as many as the
   instance has), with `hugepages-2Mi: 5120Mi` for most images. Without it `/dev/infiniband/uverbs*` is not in
   the container: check `kubectl exec POD -- ls /dev/infiniband`.
2. **Instance type.** It must support EFA, and the interface must be attached as EFA (launch template or node
   group: `InterfaceType: efa`). Check:
   `aws ec2 describe-instance-types --instance-types INSTANCE_TYPE --query 'InstanceTypes[].NetworkInfo.EfaSupported'`,
   and on the node `lspci -n | grep 1d0f:efa`.
3. **Device plugin.** `kubectl describe node NODE | grep vpc.amazonaws.com/efa` must show a number above 0. If
   it does not, the DaemonSet `aws-efa-k8s-device-plugin` does not run on that node (taints, missing label,
   wrong image).
4. **Image.** `fi_info -p efa` in the container must list providers. If it does not although the device is
   there, libfabric has no efa provider or a second libfabric shadows it (`ldconfig -p | grep fabric`).
   `FI_PROVIDER` must be unset or `efa`.
5. **Security group.** All traffic from and to itself, inbound and outbound, and all nodes in one
   Availability Zone (one subnet to be safe). (Missing rules make EFA hang later rather than disappear, but they are the next trap.)

Afterwards the log says `NET/OFI Selected provider is efa` and `Using network Libfabric` (`AWS Libfabric` with
old plugins).)";

constexpr std::string_view efa_host_fix =
    R"(The plugin works and found no EFA device. In this order:

1. **libfabric.** `fi_info -p efa` on this host must list providers. If it does not although
   `ls /dev/infiniband` shows `uverbs*`, libfabric has no efa provider or a second libfabric shadows it
   (`ldconfig -p | grep fabric`). `FI_PROVIDER` must be unset or `efa`.
2. **Security group.** All traffic from and to itself, inbound and outbound. (Missing rules make EFA hang later
   rather than disappear.)
3. **Instance.** `lspci -n | grep 1d0f:efa` shows the devices. None: the instance type has no EFA, or its
   interfaces were not attached as EFA (launch template `InterfaceType: efa`, ParallelCluster `Efa: Enabled: true`):
   `aws ec2 describe-instance-types --instance-types INSTANCE_TYPE --query 'InstanceTypes[].NetworkInfo.EfaSupported'`.
   Devices there, and no `/dev/infiniband`: the EFA installer did not run.
4. **Container.** It must get `/dev/infiniband` (Docker: `--device /dev/infiniband/uverbs0`, one for each;
   Kubernetes: `resources.limits: {vpc.amazonaws.com/efa: 1}`) and bring its own libfabric.

Afterwards the log says `NET/OFI Selected provider is efa` and `Using network Libfabric` (`AWS Libfabric` with
old plugins).)";

constexpr std::string_view libfabric_fix =
    R"(The plugin works and found no device that libfabric can use. In this order:

1. `fi_info -l` where the ranks run lists the providers that this libfabric has. The fabric's own must be there: `cxi`
   for HPE Slingshot, `efa` for AWS. If it is not, another libfabric is in front (`ldconfig -p | grep fabric`,
   `LD_LIBRARY_PATH`); containers need the host's, or one of its version.
2. `fi_info -p cxi` (`fi_info -p efa`) must list devices. If not, the device is not in the container: `ls /dev/cxi*`
   for Slingshot; `ls /dev/infiniband` for EFA, where the pod asks for it with
   `resources.limits: {vpc.amazonaws.com/efa: 1}`.
3. `FI_PROVIDER` must be unset or name that provider.
4. On Slingshot the job's service must be allowed to use the NIC (Slurm or the launcher sets `SLINGSHOT_VNIS`); on AWS
   the security group must allow all traffic from and to itself.

`FI_LOG_LEVEL=warn` makes libfabric say why it leaves a device out.)";

std::string plugin_text(const Plugin& plugin) {
  const std::string library = plugin.library.empty() ? std::string() : excerpt(plugin.library, 80);
  if (!plugin.version.empty()) {
    std::string text = excerpt(plugin.version, 80);
    // In a version such as "aws-ofi-nccl 1.16.2, libfabric 2.1", the part after the comma is the library that the
    // plugin uses.
    if (const auto comma = text.find(", "); comma != std::string::npos)
      text = concat(text.substr(0, comma), " (", text.substr(comma + 2), ")");
    return text;
  }
  if (!plugin.name.empty()) return concat("The network plugin ", excerpt(plugin.name, 80));
  return library.empty() ? std::string("The network plugin") : concat("The network plugin ", library);
}

std::string fault_text(const LostPlugin& lost) {
  const std::string reason = excerpt(lost.plugin->reason);
  switch (lost.fault) {
    case PluginFault::failed:
      return concat(plugin_text(*lost.plugin), " was loaded and failed to initialise",
                    reason.empty() ? std::string() : concat(": ", reason));
    case PluginFault::unused:
      return concat(plugin_text(*lost.plugin), " was loaded and is not used: it did not initialise",
                    reason.empty() ? std::string() : concat(": ", reason));
    case PluginFault::missing:
      return concat(plugin_text(*lost.plugin), " was asked for (NCCL_NET_PLUGIN) and could not be loaded",
                    reason.empty() ? std::string() : concat(": ", reason));
    case PluginFault::warned:
      return concat(plugin_text(*lost.plugin), " warned while it started", reason.empty() ? std::string() : ": ",
                    reason);
    case PluginFault::none:
      break;
  }
  return {};
}

struct Group : ProcessGroup {
  LostPlugin lost;
};

/// Describes the network that NCCL uses instead of the plugin, so that the reader can judge the cost.
std::string cost_text(const Model& model, const Group& group) {
  const Process* process = process_of(model, group.processes.front());
  if (process == nullptr || process->network.empty()) return {};
  const Index index = main_communicator(model, group.processes.front());
  const Communicator* comm = index < 0 ? nullptr : &model.communicators[index];
  std::string text = concat(". NCCL took the network ", excerpt(process->network, 60), " instead");
  if (comm != nullptr && process->network == "Socket" && spans_nodes(model, *comm)) {
    const std::string interfaces = socket_interfaces(*process);
    text += concat(": all traffic between ", count_text(node_count(model, *comm), "node"), " runs over TCP sockets",
                   interfaces.empty() ? std::string() : concat(" on ", interfaces));
  }
  std::vector<std::string> notes;
  if (!process->platform.empty()) notes.push_back(concat("instance ", excerpt(process->platform, 40)));
  if (comm != nullptr && comm->nranks > 1 && comm->nnodes == comm->nranks) notes.push_back("one GPU per node or pod");
  if (notes.empty()) return text;
  return concat(text, " (", notes[0], notes.size() > 1 ? ", " + notes[1] : std::string(), ")");
}

std::string fix_text(const Model& model, const Group& group) {
  if (group.lost.fault == PluginFault::missing || !is_aws_plugin(*group.lost.plugin)) return {};
  // The fixes below are about a missing device. A plugin built for another CUDA or NCCL fails before it looks for a
  // device.
  if (group.lost.plugin->other_build) return {};
  if (!is_on_aws(model, group.processes)) return std::string(libfabric_fix);
  std::string fix(is_on_ec2_host(model, group.processes) ? efa_host_fix : efa_pod_fix);
  const Process* process = process_of(model, group.processes.front());
  // Readers copy the command into a shell, so only a name that looks like an instance type is inserted.
  if (process != nullptr && !process->platform.empty() &&
      process->platform.view().find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789.-") == std::string::npos)
    if (const auto at = fix.find("INSTANCE_TYPE"); at != std::string::npos)
      fix.replace(at, std::string_view("INSTANCE_TYPE").size(), excerpt(process->platform, 40));
  return fix;
}

Verdict check(const Model& model) {
  std::map<std::string, Group> groups;
  for (std::size_t i = 0; i < model.processes.size(); ++i) {
    const LostPlugin lost = lost_plugin(model, static_cast<Index>(i));
    if (lost.fault == PluginFault::none) continue;
    Group& group = groups[fault_text(lost)];
    if (group.processes.empty()) group.lost = lost;
    group.processes.push_back(static_cast<Index>(i));
    // Evidence keeps few lines, so the reason of the failure comes first, followed by the network that NCCL chose
    // instead.
    const Evidence& failure = lost.plugin->failure;
    const bool failed = !failure.lines.empty();
    group.evidence.add(failed ? evidence_at(failure.lines.front()) : lost.plugin->evidence);
    add_line(group.evidence, model.processes[i].network_at);
    if (!failed) continue;
    group.evidence.add(failure);
    group.evidence.add(lost.plugin->evidence);
  }
  Verdict verdict;
  for (auto& [message, group] : groups) {
    if (group.evidence.count == 0) continue;
    std::string fix = fix_text(model, group);
    const bool needs_efa = !fix.empty() && is_on_aws(model, group.processes);
    Finding& finding =
        verdict.findings.emplace_back(finding_of(model, concat(message, cost_text(model, group)), ProcessGroup(group)));
    if (group.lost.fault == PluginFault::warned) {
      finding.own_severity = Severity::warning;
      finding.title = "The network plugin warned while it started";
      finding.message += ". This input ends before NCCL says which network it took";
    }
    finding.fix = std::move(fix);
    if (needs_efa) add_lack(lacks_efa(model, finding.processes), finding.fix, finding);
    for (std::size_t i = 0; i < model.incidents.size(); ++i)
      if (topic_of(model.incidents[i]).rule == "net-plugin-failed" &&
          std::binary_search(finding.processes.begin(), finding.processes.end(), model.incidents[i].process))
        finding.incidents.push_back(static_cast<Index>(i));
  }
  return verdict;
}

constexpr std::string_view causes[] = {"gdr-disabled"};

}  // namespace

extern constinit const RuleWords words;

extern constinit const Rule rule{{.id = "NCA301",
                                  .name = "net-plugin-failed",
                                  .severity = Severity::error,
                                  .stage = Stage::setup,
                                  .check = "network",
                                  .explained_by = causes,
                                  .words = &words},
                                 check};

}  // namespace nccl_analyze::nca301
