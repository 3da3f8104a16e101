#pragma once
/// What --help prints.

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "cli/option_table.h"

namespace nccl_analyze {

/// A command line that users can copy, and what it does.
struct Example {
  std::string_view command, about;
};
/// The examples of --help and of the man page.
inline constexpr std::array<Example, 4> examples{{
    {"nccl-analyze logs/", "the report on a folder of logs"},
    {"kubectl logs --prefix --tail=-1 -l app=train | nccl-analyze", "the logs of all pods"},
    {"nccl-analyze --profile dgx-h100 --fail-on warning -f html -o report.html logs/", "an acceptance test"},
    {"nccl-analyze diff monday/ tuesday/", "what changed between two runs"},
}};

/// The groups of options, in the order of the help. Options of no group come last.
inline constexpr std::array<std::string_view, 4> option_groups{"Input", "Judge", "Show", "Live"};

/// Returns the help on a command, with descriptions wrapped at `width` columns. Users call the command by `name`, such
/// as `nccl-analyze diff`.
std::string help_on(const CommandTable& command, const std::string& name, std::size_t width);

}  // namespace nccl_analyze
