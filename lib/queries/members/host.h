#pragma once
/// What the report shows of hosts, their GPUs and their NICs.

#include <span>

#include "queries/members/context.h"
#include "queries/members/member.h"

namespace nccl_analyze::members {

template <>
inline constexpr auto members_of<HostNic> = std::tuple{
    in_line("host_nic"),
    member("network", known, "IB (also of the SHARP plugin), Socket, or the name of a plugin.", &HostNic::network),
    member("device", known, "The number that connections name; merged ports share it.", &HostNic::index),
    member("name", known, &HostNic::name),
    member("port", known, &HostNic::port),
    member("link", known, "IB or RoCE.", &HostNic::link),
    member("speed", known, "Mbit/s as the network printed it.", &HostNic::speed),
    member("gdr", tri_state, "It can do GPUDirect RDMA.", &HostNic::gdr),
    member("bandwidth", measured,
           "GB/s that NCCL reckons with, of the topology dump; 1.25 also where it could not find out.",
           &HostNic::bandwidth),
    member("numa_node", known, &HostNic::cpu),
    member("bus_id", bus_id, &HostNic::bus_id),
    member("pci_switch", bus_id, &HostNic::pci_switch),
};

template <>
inline constexpr auto members_of<GpuUse> = std::tuple{
    in_line("gpu_use"),
    member("communicator", at_least(0), &GpuUse::communicator),
    member("rank", at_least(0), &GpuUse::rank),
    member("cuda_dev", known, &GpuUse::cuda_dev),
};

inline constexpr std::string_view reckoned = "GB/s that NCCL reckons with, of the topology dump.";
inline constexpr std::string_view worst_link = "Worst link between two devices, best first.";

template <>
inline constexpr auto members_of<HostGpu> = std::tuple{
    in_line("host_gpu"),
    member("bus_id", bus_id, &HostGpu::bus_id),
    member("nvml_dev", known, &HostGpu::nvml_dev),
    member("ranks", objects, "Who uses it; sorted by communicator, rank.",
           [](const HostGpu& gpu, const Context& context) {
             const auto found = context.hosts.ranks.find(&gpu);
             return found == context.hosts.ranks.end() ? std::span<const GpuUse>() : found->second;
           }),
    member("nics", references,
           "Those that connections of its ranks use, in or out: indices into `nics` of the host, sorted.",
           &HostGpu::nics),
    member("numa_node", known, &HostGpu::cpu),
    member("pci_switches", known, "PCI switches between it and its CPU.", &HostGpu::pci_switches),
    member("pci_switch", bus_id, &HostGpu::pci_switch),
    member("pci_bandwidth", measured, reckoned, &HostGpu::pci_bandwidth),
    member("nvlink_bandwidth", measured, reckoned, &HostGpu::nvlink_bandwidth),
    member("nic_path", word<PathType::dis>, worst_link, &HostGpu::nic_path),
};

template <>
inline constexpr auto members_of<Host> = std::tuple{
    in_block("host"),
    member("index", plain,
           [](const Host& host, const Context& context) { return index_in(context.model.hosts, host); }),
    member("name", known, &Host::name),
    member("pod", known, &Host::pod),
    member("container", known, &Host::container),
    member(
        "processes", references, "Indices into `processes`, sorted.",
        [](const Host& host, const Context& context) -> auto& {
          return context.hosts.processes[index_in(context.model.hosts, host)];
        }),
    member("numa_nodes", known, "In the topology dump (GRAPH).", &Host::cpus),
    member("cpu", known, "x86 Intel", &Host::cpu),
    member("nvlink", word<Nvlink::switched>,
           "Between its GPUs: from GPU to GPU, or over NVSwitch; present: which of them is not shown.", &Host::nvlink),
    member("worst_gpu_path", word<PathType::dis>, worst_link, &Host::worst_path),
    member("network_ends", plain, "Ends of connections over a network other than sockets.", &Host::network_ends),
    member("gdrdma_ends", plain, "Those that use GPUDirect RDMA.", &Host::gdr_ends),
    member("gpus", objects, "Those of ranks and of the topology dump; sorted by bus id.", &Host::gpus),
    member("nics", objects, "Ports, interfaces and devices of plugins; sorted by network, device, name, port.",
           &Host::nics),
};

}  // namespace nccl_analyze::members
