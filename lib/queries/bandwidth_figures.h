#pragma once
/// What the links of GPUs and machines carry, as far as vendors state it. Every other bandwidth that this project
/// prints is read from the log or computed from these tables. lib/queries/bandwidth.md lists them.

#include <span>
#include <string_view>

namespace nccl_analyze {

/// A GPU. Bandwidths are in GB/s in one direction.
struct GpuFigures {
  std::string_view words;  ///< Consecutive words of the product name.
  int nvlinks = 0;         ///< 0: none; -1: not known, because boards differ.
  double nvlink = 0;       ///< What NCCL counts for one NVLink.
  int pcie = 0;            ///< Generation of its PCIe x16 link; 0: not known.
  bool nvls = false;       ///< Whether it can use NVLink SHARP at an NVSwitch.

  double all_nvlinks() const { return nvlinks > 0 ? nvlinks * nvlink : 0; }
  double pcie_bandwidth() const;
};

/// A type of machine, which has a built-in profile of the same name.
struct MachineFigures {
  std::string_view name;
  std::string_view gpu;  ///< As GpuFigures::words; the product alone if there are no figures of it.
  int gpus = 0;
  int nics = 0;                  ///< NICs for the traffic of the GPUs; 0: not known.
  double nic = 0;                ///< Gbit/s of one NIC.
  int nvlink_hosts = 1;          ///< The most hosts whose GPUs are joined by NVLink.
  std::string_view source = {};  ///< What states the NICs, if the source of the profile does not.

  double network() const { return nics * nic / 8; }  ///< GB/s of all NICs of a host; 0: not known.
};

/// Returns the figures of the GPU with this product name; null if it is not in the table.
const GpuFigures* gpu_figures(std::string_view product);
/// Returns the figures of the machine; null if it is not in the table.
const MachineFigures* machine_figures(std::string_view name);

std::span<const GpuFigures> all_gpu_figures();
std::span<const MachineFigures> all_machine_figures();

/// Where the figures of GPUs come from.
extern const std::string_view nvlink_source, pcie_source;

}  // namespace nccl_analyze
