#include "evidence/machine.h"

namespace nccl_analyze::evidence {

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
  if (!begun_) facts.emplace_back(MachineDescribed{.tool = tool_, .host = host_}, here());
  begun_ = true;
}

void MachineDocument::end(Facts& facts) {
  if (begun_) facts.emplace_back(MachineEnded{tool_}, here());
  ended_ = true;
}

}  // namespace nccl_analyze::evidence
