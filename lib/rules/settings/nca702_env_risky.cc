// NCA702 reports settings that switch off transports or features, often left over from debugging.

#include <algorithm>
#include <array>
#include <utility>

#include "nccl_analyze/rule.h"
#include "queries/network.h"
#include "queries/settings.h"
#include "rules/findings.h"
#include "rules/support/message_groups.h"
#include "text/message_text.h"

namespace nccl_analyze::nca702 {

namespace {

struct Risk {
  std::string_view variable;
  bool when_on;  ///< true: any value but 0 is risky; false: 0 is risky.
  std::string_view effect;
};

constexpr std::array<Risk, 11> risks = {{
    {"NCCL_P2P_DISABLE", true, "no direct traffic between GPUs of a host: NVLink is not used"},
    {"NCCL_SHM_DISABLE", true, "no shared memory inside a host: what P2P cannot do goes over the network"},
    {"NCCL_IB_DISABLE", true, "InfiniBand and RoCE are not used"},
    {"NCCL_NVLS_ENABLE", false, "NVLink SHARP is not used"},
    {"NCCL_CUMEM_ENABLE", false, "no cuMem allocations: no NVLS, no MNNVL, no lazy connections"},
    {"NCCL_PXN_DISABLE", true, "no traffic through another GPU's network card: more crossings between rails"},
    {"NCCL_NET_GDR_READ", false, "GPUs' memory is not read by the network card when sending"},
    {"NCCL_DMABUF_ENABLE", false, "no DMA-BUF: GPUDirect RDMA then needs nvidia-peermem"},
    {"NCCL_RUNTIME_CONNECT", false, "all connections are made at the start: a slower start and more memory"},
    {"NCCL_IGNORE_DISABLED_P2P", true, "a broken NVLink does not stop the job any more, it slows it down"},
    {"NCCL_IGNORE_CPU_AFFINITY", true,
     "the CPUs that the launcher chose are ignored: threads may run on all CPUs near the GPU"},
}};

/// Returns what the process uses instead of InfiniBand if the setting disables it; empty for other settings.
std::string_view replacement(const Process& process, const Risk& risk) {
  if (risk.variable != "NCCL_IB_DISABLE") return {};
  return uses_nccl_sockets(process) ? ": TCP sockets" : ": TCP sockets, unless a plugin takes over";
}

}  // namespace

RuleResult check(const Model& model) {
  RuleResult result;
  for (const Risk& risk : risks) {
    MessageGroups<ProcessGroup, std::pair<Text, std::string_view>> groups;
    for (const Process& process : model.processes) {
      const EnvValue* set = given(process, risk.variable);
      if (set == nullptr || (set->value != "0") != risk.when_on) continue;
      const std::string_view instead = replacement(process, risk);
      ProcessGroup& group = groups.of({set->value, instead}, [&] {
        return concat(risk.variable, "=", excerpt(set->value, 40), ": ", risk.effect, instead);
      });
      group.processes.push_back(index_of(model, process));
      group.evidence.add(set->at);
      group.values = {{"var", std::string(risk.variable)}, {"value", set->value.str()}};
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
