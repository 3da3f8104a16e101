#pragma once
/// Where a rank or process is found: what people need to go there.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "nccl_analyze/model.h"
#include "nccl_analyze/rule.h"

namespace nccl_analyze {

/// Views of the model's text; -1 and empty: not known.
struct Address {
  int rank = -1;
  Index process = -1;
  std::string_view host, pod, container;
  std::int64_t pid = -1;
  int gpu = -1;  ///< NVML's number, which nvidia-smi shows, else CUDA's.
};

/// `communicators` are those that the suspect's rank is of.
Address address_of(const Model& model, const Suspect& suspect, std::span<const Index> communicators);

/// `rank 52 (pod llama-worker-6, dgx007, GPU 4, pid 12828)`
std::string address_text(const Address& address);

/// A command that shows where the process stands, `kubectl exec …` or `ssh …`; empty when the log does not tell enough,
/// or a name holds a character that a shell could take for something else.
std::string stack_command(const Address& address);

/// `tensor_parallel:7`, else `0xbc42413ad5ab3a45`, else `#3`.
std::string communicator_name(const Model& model, Index communicator);

}  // namespace nccl_analyze
