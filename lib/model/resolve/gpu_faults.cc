// Finds the process that uses a GPU for which the kernel reports a fault. Only the GPU is compared, because the kernel
// prints the pid on the host, which differs from the pid in a container.

#include <algorithm>
#include <cstdint>
#include <map>
#include <string_view>
#include <utility>

#include "model/resolve/passes.h"
#include "model/resolve/short_host.h"
#include "nccl_analyze/events/external.h"
#include "text/digits.h"

namespace nccl_analyze::builder {

namespace {

using GpuOfSource = std::pair<SourceId, std::uint64_t>;

/// Converts `0000:4b:00` to NCCL's number of the GPU, 0x4b000, which has the hexadecimal digits of all parts; a missing
/// function counts as 0. Returns 0 if the text is no bus id.
std::uint64_t number_of_gpu(std::string_view bus_id) {
  std::uint64_t number = 0;
  for (const char c : bus_id) {
    if (c == ':' || c == '.') continue;
    const bool is_letter = (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
    if (!is_digit(c) && !is_letter) return 0;
    number = number << 4U | static_cast<std::uint64_t>(is_digit(c) ? c - '0' : (c | 0x20) - 'a' + 10);
  }
  return bus_id.find('.') == std::string_view::npos ? number << 4U : number;
}

/// Returns the host in a line of the kernel, up to its first dot: `node1` for `[12.5] node1 kernel: NVRM: ...`. Empty
/// if the line names no host.
std::string_view host_of_kernel(std::string_view line) {
  const std::size_t end = line.find(" kernel:");
  if (end == std::string_view::npos) return {};
  const std::string_view before = line.substr(0, end);
  const std::string_view host = before.substr(before.find_last_of(" \t") + 1);
  return short_host(host);
}

/// Returns the process that uses each GPU; -1 if several processes of the source use a GPU with this bus id, as on
/// hosts of the same type.
std::map<GpuOfSource, Index> users_of_gpus(const Model& model) {
  std::map<GpuOfSource, Index> users;
  for (const Communicator& comm : model.communicators)
    for (const Rank& rank : comm.ranks) {
      if (rank.process < 0 || !rank.has_bus_id) continue;
      const auto [known, is_new] = users.try_emplace({model.processes[rank.process].source, rank.bus_id}, rank.process);
      if (!is_new && known->second != rank.process) known->second = -1;
    }
  return users;
}

}  // namespace

void join_gpu_faults(Model& model) {
  const auto is_fault = [](const Incident& one) { return one.kind == IncidentKind::gpu_faulted; };
  if (std::ranges::none_of(model.incidents, is_fault)) return;
  const std::map<GpuOfSource, Index> users = users_of_gpus(model);
  for (Incident& fault : model.incidents) {
    if (!is_fault(fault) || fault.evidence.lines.empty()) continue;
    const LineRef at = fault.evidence.lines.front();
    const auto user = users.find({at.source, number_of_gpu(fault.event.as<GpuFaulted>().bus_id)});
    if (user == users.end() || user->second < 0) continue;
    const std::string_view host = host_of_kernel(model.quote(at));
    if (host.empty() || model.processes[user->second].host == host) fault.process = user->second;
  }
}

}  // namespace nccl_analyze::builder
