// InfiniBand asked for, none there.

#include <map>
#include <utility>

#include "rules/network.h"
#include "rules/rule_support.h"

namespace nccl_analyze {

namespace {

std::string wish_text(const Process& process) {
  for (const std::string_view variable : {"NCCL_NET", "NCCL_NET_PLUGIN", "NCCL_IB_HCA"})
    if (const EnvValue* value = setting(process, variable)) return cat(variable, "=", shortened(value->value, 60));
  return "a setting";
}

struct Group {
  std::vector<Index> processes;
  Evidence evidence;
};

Verdict check(const Model& model) {
  std::map<std::string, Group> groups;
  for (std::size_t i = 0; i < model.processes.size(); ++i) {
    const Process& process = model.processes[i];
    if (!misses_infiniband(model, process)) continue;
    Group& group = groups[wish_text(process)];
    group.processes.push_back(static_cast<Index>(i));
    group.evidence.add(evidence_at(process.ib_at));
  }
  for (const Incident& incident : model.incidents)
    if (incident.kind == IncidentKind::network_missing)
      for (auto& [wish, group] : groups) group.evidence.add(incident.evidence);
  Verdict verdict;
  for (auto& [wish, group] : groups) {
    if (group.evidence.count == 0)
      if (const Process* process = process_of(model, group.processes.front()))
        group.evidence = evidence_at(process->first);
    Occurrence& occurrence = verdict.occurrences.emplace_back();
    occurrence.message = cat(wish, " asks for InfiniBand or RoCE, and NCCL finds no such device");
    occurrence.evidence = std::move(group.evidence);
    concern(model, std::move(group.processes), occurrence);
  }
  return verdict;
}

}  // namespace

extern constinit const Rule ib_no_device{
    {.id = "NCA303",
     .name = "ib-no-device",
     .severity = Severity::error,
     .title = "InfiniBand was asked for and no device is there",
     .explanation =
         R"(A setting asks for InfiniBand or RoCE, and `NET/IB : No device found.` says that the verbs library
shows no port that is active and passes the `NCCL_IB_HCA` filter. With `NCCL_NET=IB` NCCL fails for that reason;
with a filter alone it falls back to TCP sockets.

The line by itself is no fault: machines without InfiniBand print it too. EFA is not InfiniBand for NCCL: it
goes through the aws-ofi-nccl plugin (`NCCL_NET="AWS Libfabric"`), and `NCCL_NET=IB` on an EFA instance can
never work.)",
     .fix = R"(1. On AWS: remove `NCCL_NET=IB` and `NCCL_IB_HCA`; install and use aws-ofi-nccl.
2. In the container: `ls /dev/infiniband` and `ibv_devinfo`. Empty: the pod does not ask for the RDMA resource
   (`rdma/...`, `nvidia.com/hostdev...`, by your device plugin), or runs without the network attachment.
3. Ports `PORT_DOWN` or `INIT`: cabling, subnet manager (`ibstat` on the node).
4. `NCCL_IB_HCA=mlx5_0,mlx5_1` must match the names of this machine (prefixes; `=` for exact names, `^`
   excludes).)"},
    check};

}  // namespace nccl_analyze
