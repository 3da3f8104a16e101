#pragma once
/// Looks up the environment variables that a process printed.

#include <string_view>

#include "nccl_analyze/model.h"

namespace nccl_analyze {

/// Returns the value of an environment variable; nullptr if the process did not print it.
inline const EnvValue* setting(const Process& process, std::string_view variable) { return process.env.find(variable); }

/// Whether the process printed the variable with a value that is neither empty nor 0.
inline bool switched_on(const Process& process, std::string_view variable) {
  const EnvValue* value = setting(process, variable);
  return value != nullptr && !value->value.empty() && value->value != "0";
}

}  // namespace nccl_analyze
