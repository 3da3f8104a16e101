// Finds NVLink by the suffix `/read` of connections and by instance types, and asymmetric NVLinks in topology dumps.

#include "queries/nvlink.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "queries/ranks.h"
#include "queries/settings.h"
#include "text/message_text.h"
#include "text/search.h"

namespace nccl_analyze {

std::string rounded_bandwidth_text(double bandwidth) {
  std::array<char, 32> buffer{};
  const auto [end, error] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), std::min(bandwidth, 1e6),
                                          std::chars_format::fixed, 0);
  return error == std::errc{} ? concat(std::string_view(buffer.data(), end), " GB/s") : "?";
}

std::string bus_id_text(std::uint64_t id) {
  std::array<char, 20> buffer{};
  const auto [end, error] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), id, 16);
  return error == std::errc{} ? std::string(buffer.data(), end) : "?";
}

bool goes_over_pcie(const Process& process) { return one_of(process.worst_path, {"PIX", "PXB", "PHB", "NODE", "SYS"}); }

std::vector<Index> processes_on(const Model& model, Index host) {
  std::vector<Index> processes;
  for (std::size_t i = 0; i < model.processes.size(); ++i)
    if (model.processes[i].host_index == host) processes.push_back(static_cast<Index>(i));
  return processes;
}

std::string asymmetric_nvlinks_text(const Host& host) {
  constexpr double rounding = 0.02;
  if (host.topology_at.line == 0) return {};
  std::vector<std::string> uneven;
  for (const HostGpu& gpu : host.gpus) {
    const double larger = std::max(gpu.nvlink_sent, gpu.nvlink_received);
    if (std::abs(gpu.nvlink_sent - gpu.nvlink_received) > larger * rounding)
      uneven.push_back(concat("GPU ", bus_id_text(gpu.bus_id), " sends ", rounded_bandwidth_text(gpu.nvlink_sent),
                              " and receives ", rounded_bandwidth_text(gpu.nvlink_received)));
  }
  return list_text(uneven);
}

bool read_proves_nvlink(const Model& model, const Communicator& comm) {
  return std::ranges::none_of(comm.ranks, [&](const Rank& rank) {
    const Process* const process = process_of(model, rank.process);
    return process != nullptr && setting(*process, "NCCL_P2P_READ_ENABLE") != nullptr;
  });
}

bool has_nvlink(std::string_view instance_type) {
  constexpr std::array<std::string_view, 6> families = {"p3.8", "p3.16", "p3dn", "p4d", "p5", "p6"};
  return std::ranges::any_of(families, [&](std::string_view family) { return instance_type.starts_with(family); });
}

}  // namespace nccl_analyze
