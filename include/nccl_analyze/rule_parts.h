#pragma once
/// Helpers for rules that a caller writes: processes and ranks, the scope and evidence of a finding, and the names of
/// ranks and communicators in reports.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "nccl_analyze/model.h"
#include "nccl_analyze/rule.h"

namespace nccl_analyze {

/// The process with this index; nullptr for -1 and for an index out of range.
const Process* process_of(const Model& model, Index index);
/// The first communicator with a rank of this process, or -1. Usually this communicator comprises the whole job.
Index first_communicator_of(const Model& model, Index process);
/// The rank with this number; nullptr if the input has no lines of the rank.
const Rank* find_rank(const Communicator& comm, int rank);
/// The sorted ranks that have lines in the input.
std::vector<int> logged_ranks(const Communicator& comm);

/// Sets three members of the finding: its processes, the first communicator that has a rank of any of them, and their
/// ranks in this communicator.
void set_scope(const Model& model, std::vector<Index> processes, Finding& finding);

/// Evidence of a single line; empty when the line is unknown.
Evidence evidence_at(LineRef at);
/// Adds a line to the evidence unless the line is unknown.
void add_line(Evidence& evidence, LineRef at);

/// The location of a rank. Unknown fields are -1 or empty. The views point into the model.
struct Address {
  int rank = -1;
  Index process = -1;
  std::string_view host, pod, container;
  std::int64_t pid = -1;
  int gpu = -1;  ///< NVML index, as in nvidia-smi; the CUDA device number if the NVML index is unknown.
};

/// Locates a suspect. Its rank number refers to the first of `communicators` that has a matching rank.
Address address_of(const Model& model, const Suspect& suspect, std::span<const Index> communicators);

/// `rank 52 (pod llama-worker-6, dgx007, GPU 4, pid 12828)`; unknown parts are omitted.
std::string address_text(const Address& address);

/// The communicator's name (`tensor_parallel:7`), else its id (`0xbc42413ad5ab3a45`), else its number (`#3`).
std::string communicator_name(const Model& model, Index communicator);

}  // namespace nccl_analyze
