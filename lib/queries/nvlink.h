#pragma once
/// Finds NVLink by connections and instance types, compares its bandwidths, and formats bandwidths and bus ids.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "nccl_analyze/model.h"

namespace nccl_analyze {

/// Returns the bandwidth without decimals, `16 GB/s`; `?` if it cannot be formatted.
std::string rounded_bandwidth_text(double bandwidth);
/// Returns the bus id in hexadecimal, as in NCCL's lines.
std::string bus_id_text(std::uint64_t id);
/// Returns the processes that run on the host with this index.
std::vector<Index> processes_on(const Model& model, Index host);
/// Lists the GPUs whose direct links have bandwidths that differ by more than 2 % between the two directions: `GPU
/// 17000 sends 20 GB/s and receives 240 GB/s`. NVLink is symmetric, so such a topology is wrong. Empty if all links are
/// symmetric, or if there is no topology dump.
std::string asymmetric_nvlinks_text(const Host& host);
/// Whether the suffix `/read` of a P2P connection of this communicator proves NVLink: by default NCCL reads only
/// between A100s that are connected by NVLink. With NCCL_P2P_READ_ENABLE set on any of its ranks, the suffix proves
/// nothing.
bool read_proves_nvlink(const Model& model, const Communicator& comm);
/// Whether the best rings that NCCL found between GPUs of the process's host go over PCIe.
bool goes_over_pcie(const Process& process);
/// Whether NVLink connects the GPUs of this AWS instance type.
bool has_nvlink(std::string_view instance_type);

}  // namespace nccl_analyze
