#pragma once
/// What the report shows of machines, as other tools describe them.

#include <optional>
#include <string_view>

#include "queries/machines.h"
#include "queries/members/line.h"

namespace nccl_analyze::members {

template <>
inline constexpr auto members_of<PcieLink> = std::tuple{
    in_line("pcie_link"),
    member("link_width", known, "PCIe lanes.", &PcieLink::width),
    member("max_link_width", known, "Lanes of which the device is capable.", &PcieLink::max_width),
    member("link_speed", measured, "GT/s of a lane.", &PcieLink::speed),
    member("max_link_speed", measured, &PcieLink::max_speed),
};

template <>
inline constexpr auto members_of<MachineGpu> = std::tuple{
    in_line("machine_gpu"),
    member("index", known, "NVML index.", &MachineGpu::index),
    member("bus_id", bus_id, &MachineGpu::bus_id),
    member("gpu", reference, "Index into the GPUs of the host.", &MachineGpu::gpu),
    member("numa_node", known, &MachineGpu::numa),
    flat(&MachineGpu::link),
    member("line", Line{}, &MachineGpu::at),
};

template <>
inline constexpr auto members_of<MachineNic> = std::tuple{
    in_line("machine_nic"),
    member("label", known, "NIC0, as a matrix of paths names it.", &MachineNic::label),
    member("name", known, "mlx5_0", &MachineNic::name),
    member("port", known, &MachineNic::port),
    member("bus_id", bus_id, &MachineNic::bus_id),
    member("state", known, "As printed: Active, Down, Up.", &MachineNic::printed_state),
    member("physical_state", known, &MachineNic::physical_state),
    member("rate", measured, "Gbit/s.", &MachineNic::rate),
    member("link_layer", known, &MachineNic::link_layer),
    member("interface", known, &MachineNic::interface),
    member("numa_node", known, &MachineNic::numa),
    flat(&MachineNic::link),
    member("line", Line{}, &MachineNic::at),
};

template <bool ToNic>
inline constexpr auto end_of_path =
    [](const MachinePath& path) { return path.to_nic == ToNic ? std::optional{path.to} : std::nullopt; };

template <>
inline constexpr auto members_of<MachinePath> = std::tuple{
    in_line("machine_path"),
    member("gpu", at_least(0), "Index into the GPUs of the machine.", &MachinePath::gpu),
    member("to_gpu", reference, end_of_path<false>),
    member("to_nic", reference, "Index into the NICs of the machine.", end_of_path<true>),
    member("type", known, "NV18 (18 NVLinks), PIX, PXB, PHB, NODE, SYS.", path_text),
};

template <>
inline constexpr auto members_of<AcsBridge> = std::tuple{
    in_line("acs_bridge"),
    member("bus_id", bus_id, &AcsBridge::bus_id),
    member("line", Line{}, &AcsBridge::at),
};

template <>
inline constexpr auto members_of<MachineGid> = std::tuple{
    in_line("machine_gid"),
    member("nic", known, "mlx5_0", &MachineGid::device),
    member("port", known, &MachineGid::port),
    member("index", known, "The number that NCCL_IB_GID_INDEX chooses.", &MachineGid::index),
    member("gid", known, &MachineGid::gid),
    member("kind", known, "v1 or v2 of RoCE.", &MachineGid::kind),
    member("interface", known, &MachineGid::interface),
    member("line", Line{}, &MachineGid::at),
};

template <>
inline constexpr auto members_of<MachineValue> = std::tuple{
    in_line("machine_value"),
    member("what", plain,
           "memlock (bytes; -1: unlimited), shm_size and shm_available (bytes), nvidia_peermem (1 loaded, 0 not), gpus "
           "(0: nvidia-smi finds none), driver (0: nvidia-smi does not reach it), nvlinks_inactive (of a GPU).",
           &MachineValue::what),
    member("number", plain, &MachineValue::number),
    member("line", Line{}, &MachineValue::at),
};

template <>
inline constexpr auto members_of<PlannedGraph> = std::tuple{
    in_block("planned_graph"),
    member("id", plain, "0 ring, 1 tree, 2 and 4 CollNet, 3 NVLS.", &PlannedGraph::id),
    member("pattern", known, &PlannedGraph::pattern),
    member("channels", known, &PlannedGraph::nchannels),
    member("bandwidth_intra", measured, &PlannedGraph::speed_intra),
    member("bandwidth_inter", measured, &PlannedGraph::speed_inter),
    member("path_intra", word<PathType::dis>, &PlannedGraph::type_intra),
    member("path_inter", word<PathType::dis>, &PlannedGraph::type_inter),
    member("paths", Array<Plain>{{}, Layout::block}, "The NICs and ranks of each channel.", &PlannedGraph::channels),
    member("line", Line{}, &PlannedGraph::at),
};

template <>
inline constexpr auto members_of<Machine> = std::tuple{
    in_block("machine"),
    member("tool", word<MachineTool::unknown>, &Machine::tool),
    flat(&Machine::at),
    member("host", reference, "Index into hosts; null: the input does not prove which host it is.", &Machine::host),
    member("complete", plain, "Whether the end of the document was read.", &Machine::complete),
    member("gpus", objects, &Machine::gpus),
    member("nics", objects, "NICs, or ports of NICs.", &Machine::nics),
    member("paths", objects, "From each GPU to other GPUs and to NICs.", &Machine::paths),
    member("acs_bridges", objects, "PCIe bridges with access control (ACS) on.", &Machine::acs_bridges),
    member("gids", objects, "The GID tables of RDMA ports (show_gids, ibv_devinfo -v).", &Machine::gids),
    member("values", objects, "Values that commands of the shell show.", &Machine::values),
    member("graphs", objects,
           "What NCCL planned (NCCL_GRAPH_DUMP_FILE), before it duplicated channels. Bandwidths are in GB/s of a "
           "channel.",
           &Machine::graphs),
};

}  // namespace nccl_analyze::members
