// Detects Kubernetes by pod names, and networks by plugins and device lists.

#include "rules/support/site.h"

#include <algorithm>

#include "rules/support/message_text.h"
#include "rules/support/network.h"
#include "rules/support/ranks.h"
#include "rules/support/search.h"
#include "rules/support/settings.h"

namespace nccl_analyze {

namespace {

/// Whether the host name looks like a pod of Kubeflow's training operators. A wrong guess only changes the order of the
/// advice.
bool looks_like_pod(std::string_view host) {
  return contains(host, "-worker-") || contains(host, "-launcher") || contains(host, "-master-");
}

void look_at(const Process& process, Site& site) {
  site.kubernetes |= !process.pod.empty() || !process.container.empty() || looks_like_pod(process.host);
  site.efa |= contains(process.network, "Libfabric") ||
              std::any_of(process.plugins.begin(), process.plugins.end(), is_aws_plugin);
  site.roce |= contains(process.ib_devices, "/RoCE");
  site.infiniband |= contains(process.ib_devices, "/IB");
}

}  // namespace

Site site_of(const Model& model, const std::vector<Index>& processes) {
  Site site;
  for (const Index index : processes)
    if (const Process* process = process_of(model, index)) look_at(*process, site);
  return site;
}

std::string gid_index_text(const Model& model, const std::vector<Index>& processes) {
  for (const Index index : processes) {
    const Process* process = process_of(model, index);
    if (process == nullptr || !contains(process->ib_devices, "/RoCE")) continue;
    if (const EnvValue* value = setting(*process, "NCCL_IB_GID_INDEX"))
      return concat("; NCCL_IB_GID_INDEX=", excerpt(value->value, 20), " is set");
  }
  return {};
}

}  // namespace nccl_analyze
