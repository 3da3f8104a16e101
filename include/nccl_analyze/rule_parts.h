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

/// Returns the process with this index; null for -1 and for an index out of range.
const Process* process_of(const Model& model, Index index);
/// Returns the first communicator with a rank of this process, usually the one of the whole job; -1: none.
Index first_communicator_of(const Model& model, Index process);
/// Returns the rank with this number; null if the input has no lines of the rank.
const Rank* find_rank(const Communicator& comm, int rank);
/// Returns the numbers of the ranks that have lines in the input, sorted.
std::vector<int> logged_ranks(const Communicator& comm);

/// Sets the processes of the finding, the first communicator that has a rank of any of them, and their ranks in this
/// communicator. Ranks of processes with Process::has_other_ranks are left out.
void set_scope(const Model& model, std::vector<Index> processes, Finding& finding);

/// Returns evidence that consists of this line; empty if the line is unknown.
Evidence evidence_at(LineRef at);
/// Adds a line to the evidence; has no effect if the line is unknown. A line that is already listed is only counted.
void add_line(Evidence& evidence, LineRef at);

/// The location of a rank. Unknown fields are -1 or empty. The views point into the model.
struct Address {
  int rank = -1;
  Index process = -1;
  std::string_view host, pod, container;
  std::int64_t pid = -1;
  int gpu = -1;  ///< NVML index, as in nvidia-smi; the CUDA device number if the NVML index is unknown.
};

/// Locates a suspect: by its rank in the first of `communicators` that has a matching rank, or by its process. If
/// neither has a process in the model, host, pid and GPU are those in the Suspect.
Address address_of(const Model& model, const Suspect& suspect, std::span<const Index> communicators);

/// Formats an address: `rank 52 (pod llama-worker-6, dgx007, GPU 4, pid 12828)`; unknown parts are omitted.
std::string address_text(const Address& address);

/// Returns the communicator's name (`tensor_parallel:7`), cut after 60 characters; without a name its id
/// (`0xbc42413ad5ab3a45`), and without an id its number (`#3`). The index must be valid.
std::string communicator_name(const Model& model, Index communicator);

}  // namespace nccl_analyze
