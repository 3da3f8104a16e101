// Writes hosts with their GPUs and NICs, each of these on one line.

#include "report/json/hosts.h"

#include <span>

#include "text/escape.h"

namespace nccl_analyze {
namespace {

std::optional<std::string> bus_id_of(std::uint64_t bus_id) {
  return bus_id == 0 ? std::nullopt : std::optional{to_hex(bus_id)};
}

void write_gpu(JsonWriter& json, const HostGpu& gpu, std::span<const GpuUse> uses) {
  json.begin_object(Layout::line);
  json.member("bus_id", bus_id_of(gpu.bus_id));
  json.member("nvml_dev", known(gpu.nvml_dev));
  json.begin_array("ranks");
  for (const GpuUse& use : uses) {
    json.begin_object();
    json.member("communicator", use.communicator);
    json.member("rank", use.rank);
    json.member("cuda_dev", known(use.cuda_dev));
    json.end();
  }
  json.end();
  json.begin_array("nics");
  for (const Index nic : gpu.nics) json.value(nic);
  json.end();
  json.member("numa_node", known(gpu.cpu));
  json.member("pci_switches", known(gpu.pci_switches));
  json.member("pci_switch", bus_id_of(gpu.pci_switch));
  json.member("pci_bandwidth", measured(gpu.pci_bandwidth));
  json.member("nvlink_bandwidth", measured(gpu.nvlink_bandwidth));
  json.member("nic_path", known(to_string(gpu.nic_path)));
  json.end();
}

void write_nic(JsonWriter& json, const HostNic& nic) {
  json.begin_object(Layout::line);
  json.member("network", known(nic.network));
  json.member("device", known(nic.index));
  json.member("name", known(nic.name));
  json.member("port", known(nic.port));
  json.member("link", known(nic.link));
  json.member("speed", known(nic.speed));
  json.member("gdr", nic.gdr < 0 ? std::nullopt : std::optional{nic.gdr == 1});
  json.member("bandwidth", measured(nic.bandwidth));
  json.member("numa_node", known(nic.cpu));
  json.member("bus_id", bus_id_of(nic.bus_id));
  json.member("pci_switch", bus_id_of(nic.pci_switch));
  json.end();
}

/// Writes a host. `uses` must begin with the entries of this host; they are removed from the span.
void write_host(JsonWriter& json, const Host& host, Index index, const std::vector<Index>& processes,
                std::span<const GpuUse>& uses) {
  json.begin_object();
  json.member("index", index);
  json.member("name", known(host.name));
  json.member("pod", known(host.pod));
  json.member("container", known(host.container));
  json.begin_array("processes", Layout::line);
  for (const Index process : processes) json.value(process);
  json.end();
  json.member("numa_nodes", known(host.cpus));
  json.member("cpu", known(host.cpu));
  json.member("nvlink", known(to_string(host.nvlink)));
  json.member("worst_gpu_path", known(to_string(host.worst_path)));
  json.member("network_ends", host.network_ends);
  json.member("gdrdma_ends", host.gdr_ends);
  json.begin_array("gpus");
  for (std::size_t gpu = 0; gpu < host.gpus.size(); ++gpu) {
    std::size_t count = 0;
    while (count < uses.size() && uses[count].host == index && uses[count].gpu == static_cast<Index>(gpu)) ++count;
    write_gpu(json, host.gpus[gpu], uses.first(count));
    uses = uses.subspan(count);
  }
  json.end();
  json.begin_array("nics");
  for (const HostNic& nic : host.nics) write_nic(json, nic);
  json.end();
  json.end();
}

}  // namespace

void write_hosts(JsonWriter& json, const Model& model) {
  Table<std::vector<Index>> processes(model.hosts.size());
  for (std::size_t i = 0; i < model.processes.size(); ++i)
    if (const Index place = model.processes[i].host_index; place >= 0)
      processes[place].push_back(static_cast<Index>(i));
  const std::vector<GpuUse> all = gpu_uses(model);
  std::span<const GpuUse> uses = all;
  json.begin_array("hosts");
  for (std::size_t i = 0; i < model.hosts.size(); ++i)
    write_host(json, model.hosts[i], static_cast<Index>(i), processes[i], uses);
  json.end();
}

}  // namespace nccl_analyze
