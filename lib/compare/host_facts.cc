// Facts of machines: CPU, GPUs and their links, NICs. They are stored by rank, so that runs on hosts with other names
// compare equal.

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "compare/collector.h"
#include "text/escape.h"
#include "text/phrases.h"
#include "text/search.h"

namespace nccl_analyze {
namespace {

/// Formats a bandwidth with at most four digits: `50 GB/s`; empty if unknown. Topology dumps print only one decimal.
std::string short_bandwidth(double gigabytes) {
  return gigabytes > 0 ? significant(gigabytes) + " GB/s" : std::string{};
}

void add_nics(const Host& host, Subject subject, LineRef at, FactCollector& into) {
  std::map<std::string_view, std::vector<std::string>> names;
  std::set<std::string> speeds, links, gdr;
  for (const HostNic& nic : host.nics) {
    if (nic.name.empty()) continue;  // known only from connection lines, which the other run may lack
    names[nic.network].push_back(nic.port < 0 ? nic.name : concat(nic.name, ":", nic.port));
    if (nic.speed > 0) speeds.insert(concat(nic.speed / 1000, " Gbit/s"));
    if (!nic.link.empty()) links.insert(nic.link);
    if (nic.gdr >= 0) gdr.insert(nic.gdr == 1 ? "supported" : "not supported");
  }
  for (auto& [network, list] : names) {
    const std::string_view kind = network.empty() ? "unknown network" : network;
    into.add(Topic::nics, concat("number of NICs, ", kind), subject, std::to_string(list.size()), at);
    std::sort(list.begin(), list.end());
    into.add(Topic::nics, concat("NICs, ", kind), subject, list_text(list, 64), at);
  }
  into.add(Topic::nics, "NIC speed", subject, list_text(speeds, 8), at);
  into.add(Topic::nics, "NIC link", subject, list_text(links, 8), at);
  into.add(Topic::gpudirect, "GPUDirect RDMA of the NICs", subject, list_text(gdr, 8), at);
}

const HostGpu* gpu_of(const Host& host, const Rank& rank) {
  const auto found = std::ranges::find_if(host.gpus, [&](const HostGpu& gpu) {
    return rank.has_bus_id && rank.bus_id != 0 ? gpu.bus_id == rank.bus_id
                                               : rank.nvml_dev >= 0 && gpu.nvml_dev == rank.nvml_dev;
  });
  return found == host.gpus.end() ? nullptr : &*found;
}

}  // namespace

void add_host_facts(const Model& model, const Process& process, Subject subject, FactCollector& into) {
  const Host* const host = model.hosts.find(process.host_index);
  if (host == nullptr) return;
  const LineRef at = host->topology_at;
  into.add(Topic::machines, "CPU", subject, host->cpu, at);
  if (host->cpus >= 0) into.add(Topic::machines, "NUMA nodes", subject, std::to_string(host->cpus), at);
  into.add(Topic::machines, "NVLink", subject, to_string(host->nvlink), at);
  into.add(Topic::machines, "worst path between GPUs", subject, to_string(host->worst_path), at);
  std::vector<std::string> gpus;
  for (const HostGpu& gpu : host->gpus)
    if (gpu.bus_id != 0) gpus.push_back(to_hex(gpu.bus_id));
  into.add(Topic::machines, "GPUs of the host", subject, list_text(gpus, 64));
  add_nics(*host, subject, process.ib_at.line != 0 ? process.ib_at : process.socket_at, into);
}

void add_gpu_facts(const Model& model, const Rank& rank, FactCollector& into) {
  const Subject subject{rank.rank};
  const int number = rank.nvml_dev >= 0 ? rank.nvml_dev : rank.cuda_dev;
  if (number >= 0) into.add(Topic::machines, gpu_of_rank, subject, std::to_string(number), rank.started_at);
  const Host* const host = model.host_of(rank.process);
  const HostGpu* const gpu = host == nullptr ? nullptr : gpu_of(*host, rank);
  if (gpu == nullptr) return;
  const LineRef at = host->topology_at;
  into.add(Topic::machines, "PCIe of the GPU", subject, short_bandwidth(gpu->pci_bandwidth), at);
  into.add(Topic::machines, "NVLink of the GPU", subject, short_bandwidth(gpu->nvlink_bandwidth), at);
  into.add(Topic::machines, "path to the nearest NIC", subject, to_string(gpu->nic_path), at);
  std::vector<std::string> nics;
  for (const Index index : gpu->nics)
    if (const HostNic* const nic = host->nics.find(index))
      add_once(nics, nic->name.empty() ? concat(nic->network, " ", nic->index) : nic->name);
  std::sort(nics.begin(), nics.end());
  into.add(Topic::nics, "NICs that the GPU uses", subject, list_text(nics, 64));
}

}  // namespace nccl_analyze
