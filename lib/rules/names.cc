// Converts severities, stages and check results to their names in JSON and on the command line.

#include <array>

#include "nccl_analyze/rule.h"

namespace nccl_analyze {

std::string_view to_string(Severity severity) {
  switch (severity) {
    case Severity::info:
      return "info";
    case Severity::warning:
      return "warning";
    case Severity::error:
      return "error";
  }
  return "info";
}

std::string_view to_string(Stage stage) {
  constexpr std::array<std::string_view, 10> names = {"configuration", "hardware", "setup",   "program",     "process",
                                                      "network",       "hang",     "symptom", "performance", "note"};
  return names[static_cast<std::size_t>(stage)];
}

std::string_view to_string(CheckStatus status) {
  switch (status) {
    case CheckStatus::pass:
      return "pass";
    case CheckStatus::fail:
      return "fail";
    case CheckStatus::unknown:
      return "unknown";
  }
  return "unknown";
}

}  // namespace nccl_analyze
