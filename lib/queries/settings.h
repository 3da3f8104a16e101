#pragma once
/// Looks up the environment variables that a process printed.

#include <string_view>

#include "nccl_analyze/model.h"

namespace nccl_analyze {

/// Returns the value of an environment variable; nullptr if the process did not print it.
inline const EnvValue* setting(const Process& process, std::string_view variable) { return process.env.find(variable); }

/// Returns the value of an environment variable; nullptr if the process did not print it, or it is empty.
inline const EnvValue* given(const Process& process, std::string_view variable) {
  const EnvValue* value = setting(process, variable);
  return value == nullptr || value->value.empty() ? nullptr : value;
}

/// Whether the process printed the variable with a value that is neither empty nor 0.
inline bool switched_on(const Process& process, std::string_view variable) {
  const EnvValue* value = given(process, variable);
  return value != nullptr && value->value != "0";
}

/// Returns the variable by which the process has switched P2P off; empty if it has not.
inline std::string_view p2p_off_by(const Process& process) {
  if (switched_on(process, "NCCL_P2P_DISABLE")) return "NCCL_P2P_DISABLE";
  const EnvValue* level = setting(process, "NCCL_P2P_LEVEL");
  return level != nullptr && (level->value == "LOC" || level->value == "0") ? "NCCL_P2P_LEVEL" : "";
}

}  // namespace nccl_analyze
