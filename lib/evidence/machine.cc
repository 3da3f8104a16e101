#include "evidence/machine.h"

#include <algorithm>

#include "evidence/wording.h"

namespace nccl_analyze::evidence {

std::string machine_began(std::string_view tool, std::string_view host) {
  std::string text = sentence("machine: ", tool, " began");
  if (!host.empty()) text += sentence(" on ", word(host));
  return text;
}

std::string machine_ended(std::string_view tool) { return sentence("machine: ", tool, " ended"); }

std::string gpu_listed(const GpuFact& gpu) {
  return sentence("machine: GPU ", gpu.index, " ", hex(gpu.bus_id), ", rank ", gpu.rank, ", NUMA node ", gpu.numa,
                  ", x", gpu.width, " at ", real(gpu.speed), " GT/s, below ", word(gpu.switches));
}

std::string nic_listed(const NicFact& nic) {
  return sentence("machine: ", word(nic.label), " is ", word(nic.device), " port ", nic.port, ", ", hex(nic.bus_id),
                  ", GUID ", hex(nic.guid), ", ", nic.rate, " Mbit/s, NUMA node ", nic.numa, ", x", nic.width, " at ",
                  real(nic.speed), " GT/s, below ", word(nic.switches));
}

std::string port_listed(const PortFact& port) {
  return sentence("machine: port ", port.port, " of ", word(port.device), " is ", word(port.state), ", ",
                  word(port.physical), ", ", real(port.rate), " Gbit/s, ", word(port.link), ", interface ",
                  word(port.interface), ", GUID ", hex(port.guid));
}

std::string_view prompt_host(std::string_view line) {
  const std::size_t at = line.find('@');
  constexpr std::size_t max_user = 64;
  if (at == std::string_view::npos || at > max_user) return {};
  const std::size_t end = line.find_first_of(": ]~#$%>", at + 1);
  if (end == std::string_view::npos || line.find_first_of("#$%>", end) == std::string_view::npos) return {};
  const std::string_view host = line.substr(at + 1, end - at - 1);
  return host.find_first_of("/@\\") == std::string_view::npos ? host : std::string_view{};
}

std::string_view between(std::string_view line, std::string_view before, std::string_view end) {
  const std::size_t begin = line.find(before);
  if (begin == std::string_view::npos) return {};
  const std::string_view rest = line.substr(begin + before.size());
  return rest.substr(0, rest.find(end));
}

void MachineDocument::begin(Facts& facts) {
  if (!begun_) facts.push_back(machine_began(tool_, host_));
  begun_ = true;
}

void MachineDocument::end(Facts& facts) {
  if (begun_) facts.push_back(machine_ended(tool_));
  ended_ = true;
}

}  // namespace nccl_analyze::evidence
