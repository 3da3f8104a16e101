#pragma once
/// Statements about the pods of a finding, which their Kubernetes manifests prove. A manifest that was not fully read
/// proves no absence.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "nccl_analyze/model.h"
#include "nccl_analyze/rule.h"

namespace nccl_analyze {

/// A setting or resource that a manifest lacks.
struct PodLack {
  std::string text;  ///< `the manifest of pod trainer-0 asks for no vpc.amazonaws.com/efa (container main)`
  LineRef at;        ///< The container in the manifest.
};

/// States that the pod of one of the processes asks for no EFA interface; nullopt if no manifest proves it.
std::optional<PodLack> lacks_efa(const Model& model, const std::vector<Index>& processes);
/// States that the pod of one of the processes asks for no RDMA device of any kind; else nullopt.
std::optional<PodLack> lacks_rdma(const Model& model, const std::vector<Index>& processes);
/// States that the pod of one of the processes has no memory volume at /dev/shm, or limits its size; else nullopt.
std::optional<PodLack> lacks_shm(const Model& model, const std::vector<Index>& processes);
/// States that the container of one of the processes is neither privileged nor has IPC_LOCK; else nullopt.
std::optional<PodLack> lacks_ipc_lock(const Model& model, const std::vector<Index>& processes);

/// An RDMA device that the container of a process asks for. A pod runs only on a node that offers what it asks for.
struct PodRequest {
  /// The resource, `rdma/hca_shared_devices_a`; empty if the container asks for none that is known to be an RDMA
  /// device.
  std::string_view resource;
  bool is_efa = false;
  LineRef at;  ///< The container in the manifest.
};
PodRequest rdma_request(const Model& model, Index process);

/// Adds the statement to the message and evidence of a finding. Does nothing without a statement.
void add_lack(const std::optional<PodLack>& lack, Finding& finding);

}  // namespace nccl_analyze
