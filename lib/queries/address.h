#pragma once
/// Locates a rank or process by host, pod, container, pid and GPU, for users who want to inspect the process.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "nccl_analyze/model.h"
#include "nccl_analyze/rule.h"

namespace nccl_analyze {

/// Unknown fields are -1 or empty. The views point into the model.
struct Address {
  int rank = -1;
  Index process = -1;
  std::string_view host, pod, container;
  std::int64_t pid = -1;
  int gpu = -1;  ///< NVML index, as in nvidia-smi; the CUDA device number if the NVML index is unknown.
};

/// Locates the suspect, whose rank number is valid in `communicators`.
Address address_of(const Model& model, const Suspect& suspect, std::span<const Index> communicators);

/// `rank 52 (pod llama-worker-6, dgx007, GPU 4, pid 12828)`; unknown parts are omitted.
std::string address_text(const Address& address);

/// A shell command that prints the stack of the process: `kubectl exec …` or `ssh …`. Empty if the pid or the location
/// is unknown, or if a name contains characters that are special in a shell.
std::string stack_command(const Address& address);

/// The communicator's name (`tensor_parallel:7`), else its id (`0xbc42413ad5ab3a45`), else its number (`#3`).
std::string communicator_name(const Model& model, Index communicator);

}  // namespace nccl_analyze
