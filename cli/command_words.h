#pragma once
/// Splits a command into words without a shell.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace nccl_analyze {

/// Splits at blanks. Text in single quotes stays as it is; in double quotes, and outside of quotes, a backslash keeps
/// the next character as it is. Nothing else is special: no variables, wildcards, pipes or redirections. Returns
/// nullopt if a quote is not closed or nothing follows the last backslash.
std::optional<std::vector<std::string>> split_command(std::string_view command);

}  // namespace nccl_analyze
