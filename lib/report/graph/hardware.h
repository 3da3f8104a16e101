#pragma once
/// The hardware of one machine as a picture shows it, from the document or log that shows most of it.

#include <cstdint>
#include <string>
#include <vector>

#include "nccl_analyze/model.h"

namespace nccl_analyze {

/// A GPU or NIC. Strings are not escaped.
struct Device {
  std::string name;               ///< `GPU 0`, `mlx5_0`
  std::vector<std::string> more;  ///< Lines below the name: `400 Gb/s IB`.
  std::string about;              ///< Its PCIe link and bus id, for the tooltip.
  int numa = -1;
  std::string pci_switch;  ///< Names the PCIe switch above it; empty if it is at its CPU, or unknown.
  bool has_nvlink = true;  ///< Of a GPU: whether it has NVLink, or may have.
  Index gpu = -1;          ///< Of a GPU: index into Host::gpus.
};

/// NVLink from a GPU to another.
struct GpuLink {
  std::size_t from = 0, to = 0;  ///< Indices into Hardware::gpus; `from` < `to`.
  int links = 0;                 ///< 0: not known.
};

struct Hardware {
  std::string name{};    ///< The host; for a document of an unknown host its source.
  std::string cpu{};     ///< `x86 Intel`
  std::string source{};  ///< What shows it: `NCCL's topology file`; empty if only the use of GPUs and NICs does.
  Index host = -1;       ///< Index into Model::hosts; -1: unknown.
  std::vector<Device> gpus{}, nics{};
  std::vector<GpuLink> links{};
  bool has_switch = false;  ///< Whether NVLink goes to switches.
  int links_to_switch = 0;  ///< Of each GPU; 0: not known.
};

/// Returns the hardware of each host with a GPU or NIC, then of each document whose host is not known.
std::vector<Hardware> hardware_of(const Model& model);

}  // namespace nccl_analyze
