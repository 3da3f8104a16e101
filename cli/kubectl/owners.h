#pragma once
/// The pods below a workload of any kind, by the owner references that Kubernetes keeps in every object.

#include <map>
#include <set>
#include <string>
#include <vector>

#include "cli/kubectl/command_line.h"
#include "cli/kubectl/pods.h"
#include "cli/kubectl/query.h"
#include "input/interrupts.h"

namespace nccl_analyze::kubectl {

/// Follows owner references from pods up to a workload: from a pod to its ReplicaSet and its Deployment, from a pod to
/// a StatefulSet, the leading pod and the LeaderWorkerSet. Keeps what it has read, because the owners of an object do
/// not change.
class Owners {
 public:
  /// All references must outlive the object.
  Owners(const CommandLine& line, const Workload& workload, Interrupts& interrupts)
      : line_(line), workload_(workload), interrupts_(interrupts) {}

  /// Removes the pods from `list` that do not belong to the workload, and warns of the kinds of objects that kubectl
  /// cannot read. Returns true if the user interrupts kubectl. Throws Failure if kubectl cannot read the workload.
  bool keep_owned(PodList& list);

 private:
  bool find_workload();
  bool read_objects_above(const PodList& list);
  void read_kind(const std::string& resource);
  bool belongs(const std::string& uid) const;

  const CommandLine& line_;
  const Workload& workload_;
  Interrupts& interrupts_;
  std::string uid_;                                      ///< That of the workload; empty until it is read.
  std::map<std::string, std::vector<OwnerRef>> owners_;  ///< By the uid of the owned object.
  std::set<std::string> unreadable_;                     ///< Kinds of objects that kubectl could not read.
  bool interrupted_ = false;
  bool has_told_ = false;  ///< Whether the user knows that there are too many kinds.
};

}  // namespace nccl_analyze::kubectl
