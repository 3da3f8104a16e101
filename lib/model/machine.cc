#include "nccl_analyze/model/machine.h"

#include <algorithm>
#include <array>

namespace nccl_analyze {

namespace {

constexpr std::array<std::string_view, 16> tools{
    "nvidia-smi-topo", "topology-xml", "graph-xml", "ibstat", "ibdev2netdev", "lspci",      "ibv_devinfo", "ibstatus",
    "rdma-link",       "show_gids",    "ulimit",    "df",     "lsmod",        "nvidia-smi", "ray",         "unknown"};

}  // namespace

std::string_view to_string(MachineTool tool) { return tools[static_cast<std::size_t>(tool)]; }

MachineTool machine_tool(std::string_view text) {
  const auto found = std::ranges::find(tools, text);
  return found == tools.end() ? MachineTool::unknown : static_cast<MachineTool>(found - tools.begin());
}

std::string_view to_string(PortState state) {
  constexpr std::array<std::string_view, 3> states{"unknown", "down", "up"};
  return states[static_cast<std::size_t>(state)];
}

}  // namespace nccl_analyze
