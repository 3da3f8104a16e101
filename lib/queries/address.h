#pragma once
/// Builds the command with which a user inspects a process.

#include <string>

#include "nccl_analyze/rule_parts.h"

namespace nccl_analyze {

/// Returns a shell command that prints the stack of the process: `kubectl exec …` or `ssh …`. Empty if the pid or the
/// location is unknown, or if a name contains characters that are special in a shell. `is_python`: whether the program
/// may be one of Python, whose frames gdb does not show.
std::string stack_command(const Address& address, bool is_python);

}  // namespace nccl_analyze
