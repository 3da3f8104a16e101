#include "model/resolve/resolve.h"

#include <utility>

#include "model/resolve/first_communicators.h"
#include "model/resolve/passes.h"

namespace nccl_analyze::builder {

namespace {

template <void (*run)(Model&)>
void on_model(BuilderState& state) {
  run(state.model);
}

constexpr Pass all_passes[] = {
    // Parts of one log are chains of processes as they were read; merging garbled hosts breaks these chains.
    {"calls of parted logs", distrust_parted_logs},
    // Unnamed calls are compared over the same chains.
    {"unnamed calls", drop_known_calls},
    // Every later pass asks which process a fact is of, so that garbled hosts go first.
    {"host aliases", resolve_host_aliases},
    // A garbled host that is left has no process of its pid to go to, and is given a whole name.
    {"headless hosts", rename_headless_hosts},
    // Joining and attribution compare GPUs, whose names in lines depend on the version.
    {"device naming", find_device_naming},
    // A batch can be attributed only when all ranks stand in their communicators.
    {"communicators", join_communicators},
    // Between equal candidates the order of batches decides, which must not depend on the order of threads.
    {"order of batches", sort_batches},
    // Edges of rings and trees, which decide which communicator a batch fits, are all read and joined now.
    {"attribution of batches", attribute_batches},
    // No later pass asks which communicator took another one over.
    {"communicators taken over", drop_joined_communicators},
    // Only now is it known which sources have no process and which processes print no version.
    {"bare versions", apply_bare_versions},
    // Lines are counted by the versions that the processes have now.
    {"lines by version", count_versions},
    // All edges and connections are in their communicators, so that rings and trees can be built.
    {"graphs", build_graphs},
    // Incidents are quoted with their processes and communicators, which are numbered as in the model now.
    {"quotes", move_quotes},
    // The model is whole: its order can be made final, and indices refer to it from here on.
    {"order", on_model<put_in_order>},
    // Which communicator of a process is the first one follows from their order.
    {"first communicators", on_model<find_first_communicators>},
    // The states of all ranks are final.
    {"orderly ends", on_model<find_orderly_ends>},
    // Error trails are found by the order of incidents.
    {"incidents", on_model<resolve_incidents>},
    // GPUs and NICs are added to the hosts of processes.
    {"hosts", assign_hosts},
    // GPUs of ranks need their hosts.
    {"GPUs", on_model<add_gpus>},
    // Lists of NICs complete what single lines and the topology dumps had of them.
    {"NICs", on_model<add_nics>},
    // A connection names its NIC by an index into those lists.
    {"NICs of GPUs", on_model<assign_nics>},
    // The ends of a connection need the hosts of their ranks.
    {"ends of network connections", on_model<count_network_ends>},
    // What a process prints of NVLink counts where neither a topology dump nor a connection showed more.
    {"NVLink", on_model<find_nvlink>},
    // Nodes are joined by connections and hosts, which are all there.
    {"nodes", on_model<place_nodes>},
};

}  // namespace

std::span<const Pass> passes() { return all_passes; }

Model resolve(BuilderState state) {
  for (const Pass& pass : all_passes) pass.run(state);
  return std::move(state.model);
}

}  // namespace nccl_analyze::builder
