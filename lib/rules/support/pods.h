#pragma once
/// States what the Kubernetes manifests prove about the pods of a finding. A manifest that was not fully read proves no
/// absence.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "nccl_analyze/model.h"
#include "nccl_analyze/rule.h"

namespace nccl_analyze {

/// A setting or resource that a manifest lacks.
struct PodLack {
  std::string text;  ///< `the manifest of pod trainer-0 (container main) asks for no vpc.amazonaws.com/efa`
  LineRef at;        ///< The container in the manifest.
};

/// Looks for a process whose container asks for no EFA interface and is not privileged. Returns a statement about the
/// first such container; nullopt if no manifest proves it.
std::optional<PodLack> lacks_efa(const Model& model, const std::vector<Index>& processes);
/// Like lacks_efa(), for a container that asks for no resource that may be an RDMA device and is not privileged.
std::optional<PodLack> lacks_rdma(const Model& model, const std::vector<Index>& processes);
/// Returns lacks_efa() on AWS, lacks_rdma() elsewhere.
std::optional<PodLack> lacks_device(const Model& model, const std::vector<Index>& processes);
/// Like lacks_efa(), for a container without a volume at /dev/shm, or with a memory volume of limited size there. Pods
/// that use the IPC namespace of their host do not count.
std::optional<PodLack> lacks_shm(const Model& model, const std::vector<Index>& processes);
/// Like lacks_efa(), for a container that is neither privileged nor has the capability IPC_LOCK.
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
