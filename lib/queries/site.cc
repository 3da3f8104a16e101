// Detects Kubernetes by pod names, and networks by plugins and device lists.

#include "queries/site.h"

#include <algorithm>

#include "queries/network.h"
#include "queries/ranks.h"
#include "queries/settings.h"
#include "text/message_text.h"
#include "text/search.h"

namespace nccl_analyze {

namespace {

/// Whether the text has only characters of which Kubernetes generates the random parts of names. They form no words.
bool is_random_part(std::string_view text) {
  return !text.empty() && text.find_first_not_of("bcdfghjklmnpqrstvwxz2456789") == std::string_view::npos;
}

/// Whether the name ends like that of a Deployment's pod: `-5c86c57756-p7ghj`.
bool is_of_deployment(std::string_view host) {
  const std::size_t last = host.rfind('-');
  if (last == std::string_view::npos || last == 0 || host.size() - last - 1 != 5) return false;
  const std::size_t before = host.rfind('-', last - 1);
  if (before == std::string_view::npos || before == 0) return false;
  const std::string_view hash = host.substr(before + 1, last - before - 1);
  return hash.size() >= 8 && hash.size() <= 10 && is_random_part(hash) && is_random_part(host.substr(last + 1));
}

/// Whether the host name looks like that of a pod of Kubeflow's training operators or of a Deployment. A wrong guess
/// only changes the order of the advice.
bool looks_like_pod(std::string_view host) {
  return is_of_deployment(host) || contains(host, "-worker-") || contains(host, "-launcher") ||
         contains(host, "-master-");
}

void look_at(const Process& process, Infrastructure& site) {
  site.kubernetes |= !process.pod.empty() || !process.container.empty() || looks_like_pod(process.host);
  site.efa |= contains(process.network, "Libfabric") || std::ranges::any_of(process.plugins, is_aws_plugin);
  site.roce |= contains(process.ib_devices, "/RoCE");
  site.infiniband |= contains(process.ib_devices, "/IB");
}

}  // namespace

Infrastructure infrastructure_of(const Model& model, const std::vector<Index>& processes) {
  Infrastructure site;
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

bool is_container_name(std::string_view host) {
  return host.size() == 12 && host.find_first_not_of("0123456789abcdef") == std::string_view::npos &&
         host.find_first_of("0123456789") != std::string_view::npos;
}

}  // namespace nccl_analyze
