// The tables of what GPUs, machines and PCIe links carry, each with its source.

#include "queries/bandwidth_figures.h"

#include <algorithm>
#include <array>

#include "text/search.h"

namespace nccl_analyze {

namespace {

/// Usable bandwidth of one NVLink by generation.
constexpr double nvlink3 = 20.0, nvlink4 = 20.6, nvlink5 = 40.1;

constexpr std::array<GpuFigures, 23> gpu_rows{{
    {"A100-SXM4-40GB", 12, nvlink3, 4},
    {"A100-SXM4-80GB", 12, nvlink3, 4},
    {"A100-SXM-80GB", 12, nvlink3, 4},
    {"A800-SXM4-80GB", 8, nvlink3, 4},
    {"H100 80GB HBM3", 18, nvlink4, 5, true},
    {"H200", 18, nvlink4, 5, true},
    {"H800", 8, nvlink4, 5, true},
    {"H20", 18, nvlink4, 5, true},
    {"H20-3e", 18, nvlink4, 5, true},
    {"B200", 18, nvlink5, 5, true},
    {"B300", 18, nvlink5, 0, true},
    {"GB200", 18, nvlink5, 0, true},
    {"GB300", 18, nvlink5, 0, true},
    {"A100 80GB PCIe", -1, nvlink3, 4},
    {"A100-PCIE-40GB", -1, nvlink3, 4},
    {"H100 PCIe", -1, nvlink4, 5},
    {"L4", 0, 0, 4},
    {"L40", 0, 0, 4},
    {"L40S", 0, 0, 4},
    {"RTX 4090", 0, 0, 4},
    {"RTX 5090", 0, 0, 5},
    {"RTX PRO 6000", 0, 0, 5},
    {"RTX 6000 Ada", 0, 0, 4},
}};

constexpr std::string_view google = "Google Cloud, Networking and GPU machines";
constexpr std::string_view p6e =
    "Amazon EC2 P6e-GB200 UltraServers: 28.8 Tbit/s of EFA for the 18 instances of u-p6e-gb200x72";

/// NICs for storage and for the host itself are left out.
constexpr std::array<MachineFigures, 26> machine_rows{{
    {"a3-highgpu-8g", "H100 80GB HBM3", 8, 4, 200, 1, google},
    {"a3-megagpu-8g", "H100 80GB HBM3", 8, 8, 200, 1, google},
    {"a3-ultragpu-8g", "H200", 8, 8, 400, 1, google},
    {"a4-highgpu-8g", "B200", 8, 8, 400, 1, google},
    {"dgx-a100", "A100-SXM4-80GB", 8, 8, 200},
    {"dgx-b200", "B200", 8, 8, 400},
    {"dgx-h100", "H100 80GB HBM3", 8, 8, 400},
    {"dgx-h200", "H200", 8, 8, 400},
    {"g5.48xlarge", "A10G", 8, 1, 100},
    {"g6.48xlarge", "L4", 8, 1, 100},
    {"g6e.48xlarge", "L40S", 8, 4, 100},
    {"g7e.48xlarge", "RTX PRO 6000", 8, 4, 400},
    {"gb200-nvl72", "GB200", 4, 0, 0, 18},
    {"gb300-nvl72", "GB300", 4, 0, 0, 18},
    {"nd-a100-v4", "A100-SXM4-80GB", 8, 8, 200},
    {"nd-h100-v5", "H100 80GB HBM3", 8, 8, 400},
    {"nd-h200-v5", "H200", 8, 8, 400},
    {"nd-mi300x-v5", "MI300X", 8, 8, 400},
    {"p4d.24xlarge", "A100-SXM4-40GB", 8, 4, 100},
    {"p4de.24xlarge", "A100-SXM4-80GB", 8, 4, 100},
    {"p5.48xlarge", "H100 80GB HBM3", 8, 32, 100},
    {"p5e.48xlarge", "H200", 8, 32, 100},
    {"p5en.48xlarge", "H200", 8, 16, 200},
    {"p6-b200.48xlarge", "B200", 8, 8, 400},
    {"p6-b300.48xlarge", "B300", 8, 16, 400},
    {"p6e-gb200.36xlarge", "GB200", 4, 4, 400, 18, p6e},
}};

/// Whether the product name contains `words` as whole words and names no other product behind them (`H200 NVL`,
/// `H100 PCIe`) and no MIG partition.
bool names(std::string_view product, std::string_view words) {
  const std::size_t at = product.find(words);
  if (at == std::string_view::npos || (at > 0 && product[at - 1] != ' ')) return false;
  const std::string_view rest = product.substr(at + words.size());
  return (rest.empty() || rest.front() == ' ') && !contains(rest, "NVL") && !contains(rest, "PCIe") &&
         !contains(rest, "MIG") && !contains(rest, "Laptop");
}

}  // namespace

constinit const std::string_view nvlink_source =
    "NVIDIA's data sheets have the number of NVLinks, NCCL 2.30 (src/graph/topo.h) what one of them carries";
constinit const std::string_view pcie_source =
    "NVIDIA's data sheets have the generation, the PCI Express Base Specification the rate: 16 lanes, 128 of 130 bits";

double GpuFigures::pcie_bandwidth() const {
  constexpr double first_128b = 8.0 * 16 * 128 / 130 / 8;  // Gen3; each generation doubles it.
  return pcie == 4 ? 2 * first_128b : pcie == 5 ? 4 * first_128b : 0;
}

const GpuFigures* gpu_figures(std::string_view product) {
  const auto found = std::ranges::find_if(gpu_rows, [&](const GpuFigures& one) { return names(product, one.words); });
  return found == gpu_rows.end() ? nullptr : &*found;
}

const MachineFigures* machine_figures(std::string_view name) {
  const auto found = std::ranges::find(machine_rows, name, &MachineFigures::name);
  return found == machine_rows.end() ? nullptr : &*found;
}

std::span<const GpuFigures> all_gpu_figures() { return gpu_rows; }
std::span<const MachineFigures> all_machine_figures() { return machine_rows; }

}  // namespace nccl_analyze
