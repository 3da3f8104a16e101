// Asks Slurm's variables and the machine for what the user did not say.

#include "input/summary_origin.h"

#include <unistd.h>

#include <array>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>

namespace nccl_analyze {
namespace {

constexpr std::size_t longest = 255;  // bytes; no scheduler has longer names

Text option_or_env(const std::optional<std::string>& given, const char* variable) {
  const char* const value = std::getenv(variable);
  return std::string_view(given ? given->c_str() : value != nullptr ? value : "").substr(0, longest);
}

/// Returns the name of this machine without its domain, as NCCL prints it.
Text this_machine() {
  std::array<char, 256> name{};
  if (::gethostname(name.data(), name.size() - 1) != 0) return {};
  const std::string_view whole = name.data();
  return whole.substr(0, whole.find('.'));
}

}  // namespace

SummaryWriter writer_of(const OriginWords& words) {
  SummaryWriter writer{.job = option_or_env(words.job, "SLURM_JOB_ID"),
                       .step = words.step.value_or(""),
                       .node = option_or_env(words.node, "SLURMD_NODENAME"),
                       .tool = version()};
  if (writer.node.empty()) writer.node = this_machine();
  return writer;
}

}  // namespace nccl_analyze
