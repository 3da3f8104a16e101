#include "cli/writer.h"

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

SummaryWriter writer_of(const Options& options) {
  SummaryWriter writer{.job = option_or_env(options.job, "SLURM_JOB_ID"),
                       .step = options.step.value_or(""),
                       .node = option_or_env(options.node, "SLURMD_NODENAME"),
                       .tool = version()};
  if (writer.node.empty()) writer.node = this_machine();
  return writer;
}

}  // namespace nccl_analyze
