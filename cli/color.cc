// Follows the conventions of no-color.org and bixense.com/clicolors.

#include "cli/color.h"

#include <string_view>

namespace nccl_analyze {

bool use_color(ColorChoice choice, bool terminal, const Environment& environment) {
  if (choice != ColorChoice::automatic) return choice == ColorChoice::always;
  const auto value = [&](const char* name) {
    const char* found = environment(name);
    return std::string_view(found == nullptr ? "" : found);
  };
  if (!value("NO_COLOR").empty()) return false;
  if (const std::string_view force = value("CLICOLOR_FORCE"); !force.empty() && force != "0") return true;
  return terminal && value("CLICOLOR") != "0" && value("TERM") != "dumb";
}

}  // namespace nccl_analyze
