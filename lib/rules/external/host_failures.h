#pragma once
/// Groups what launchers and the kernel report about hosts: lost nodes, processes killed for lack of memory, and faults
/// of devices. Several lines, of several programs, are about one failure.

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "nccl_analyze/model.h"

namespace nccl_analyze {

/// A failure of a host, in words.
struct HostFailure {
  std::string title, message;
  bool is_nobodys = false;  ///< Whether it is the failure of a node, of whose processes the input may have no line.
  std::vector<std::pair<std::string_view, std::string>> values = {};  ///< See Finding::values.
};

/// Returns the name of the group that the incident belongs to; empty if it is no failure of a host, or if the job
/// survived it. An exception about a worker that was killed belongs to the kill that the kernel or Slurm reports.
std::string_view host_failure_of(const Model& model, const Incident& incident);

/// Describes the incidents of one group, which are indices into Model::incidents.
HostFailure describe_host_failure(const Model& model, std::span<const Index> incidents);

/// Whether the incident says that a GPU, or a device that GPUs depend on, does not work any more. CUDA calls that fail
/// on that host then follow from it.
bool breaks_gpus(const Incident& incident);

/// Whether the incident ends no job by itself: an Xid of a single page of memory, a link that is back or that nobody
/// misses, or a fault of another device than an NVSwitch beside a kernel that the program itself made fail.
bool is_mild_fault(const Model& model, const Incident& incident);

}  // namespace nccl_analyze
