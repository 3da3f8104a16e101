// Reads objects with `kubectl get`, one call for each kind, as a namespace may have thousands of objects but has few
// kinds of owners.

#include "cli/kubectl/owners.h"

#include <algorithm>
#include <utility>

#include "cli/kubectl/calls.h"
#include "cli/kubectl/listing.h"
#include "cli/kubectl/messages.h"
#include "input/failure.h"

namespace nccl_analyze::kubectl {

namespace {

/// Whoever makes a pod names its owners, and each kind is a call of kubectl. No workload has so many kinds above its
/// pods.
constexpr std::size_t most_kinds = 32;

}  // namespace

bool Owners::find_workload() {
  const CommandResult finished =
      run_kubectl(get_arguments(line_, workload_.kind + "/" + workload_.name), true, interrupts_);
  if (finished.interrupted) return false;
  if (finished.status != 0)
    throw Failure("kubectl could not read " + workload_.kind + "/" + workload_.name + ": " + finished.error);
  uid_ = read_uid(finished.output);
  return true;
}

void Owners::read_kind(const std::string& resource) {
  CommandResult finished = run_kubectl(get_arguments(line_, resource), true, interrupts_);
  interrupted_ = finished.interrupted;
  if (finished.status == 0 && !interrupted_) return owners_.merge(read_owners(finished.output));
  unreadable_.insert(resource);
  if (!interrupted_)
    say("kubectl could not read " + resource + ", so that pods which belong to " + workload_.kind + "/" +
        workload_.name + " through it are missing: " + finished.error);
}

/// Reads the owners of owners until each chain ends. Returns false if the user interrupted kubectl.
bool Owners::read_objects_above(const PodList& list) {
  for (const Pod& pod : list.pods)
    if (!pod.uid.empty()) owners_.try_emplace(pod.uid, pod.owners);
  std::set<std::string> asked = unreadable_;
  while (!interrupted_) {
    std::set<std::string> kinds;
    for (const auto& [uid, owners] : owners_)
      for (const OwnerRef& owner : owners)
        if (owner.uid != uid_ && !owners_.contains(owner.uid) && !asked.contains(owner.resource))
          kinds.insert(owner.resource);
    if (kinds.empty()) break;
    for (const std::string& kind : kinds) {
      if (!interrupted_ && asked.size() < most_kinds) read_kind(kind);
      asked.insert(kind);
    }
  }
  if (asked.size() > most_kinds && !has_told_) {
    has_told_ = true;
    say("pods here belong to objects of more than " + std::to_string(most_kinds) +
        " kinds, of which the others were not read: pods may be missing");
  }
  return !interrupted_;
}

bool Owners::belongs(const std::string& uid) const {
  std::set<std::string> seen;
  std::vector<std::string> open = {uid};
  while (!open.empty()) {
    const std::string one = std::move(open.back());
    open.pop_back();
    if (one == uid_) return true;
    const auto found = owners_.find(one);
    if (!seen.insert(one).second || found == owners_.end()) continue;
    for (const OwnerRef& owner : found->second) open.push_back(owner.uid);
  }
  return false;
}

bool Owners::keep_owned(PodList& list) {
  interrupted_ = false;
  if ((uid_.empty() && !find_workload()) || !read_objects_above(list)) return true;
  std::erase_if(list.pods, [&](const Pod& pod) { return !belongs(pod.uid); });
  return false;
}

}  // namespace nccl_analyze::kubectl
