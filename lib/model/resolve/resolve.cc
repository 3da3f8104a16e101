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
    // Processes are found in several sources by their twins, which are numbers of processes as they were read.
    {"calls of parted logs", distrust_parted_logs},
    {"unnamed calls", drop_known_calls},
    // Lines of garbled hosts go to their processes first: all that follows asks which process a fact is of.
    {"host aliases", resolve_host_aliases},
    {"headless hosts", rename_headless_hosts},
    // How lines name GPUs follows from the versions of all processes; joining and attribution compare GPUs.
    {"device naming", find_device_naming},
    // Ranks must stand in their communicators before a batch can be given to one.
    {"communicators", join_communicators},
    // The order of batches decides between equal candidates, so that it must not depend on the order of threads.
    {"order of batches", sort_batches},
    {"attribution of batches", attribute_batches},
    // Attribution is the last to follow a communicator to the one that took it over.
    {"communicators taken over", drop_joined_communicators},
    // A version line without a prefix holds for processes that print none; after the aliases are none of them.
    {"bare versions", apply_bare_versions},
    {"lines by version", count_versions},
    // All edges and connections are in their communicators now.
    {"graphs", build_graphs},
    {"quotes", move_quotes},
    // From here on the model is whole, and indices refer to its final order.
    {"order", on_model<put_in_order>},
    {"first communicators", on_model<find_first_communicators>},
    {"orderly ends", on_model<find_orderly_ends>},
    // Whether a process went on compares its last progress with the lines of its incidents.
    {"incidents", on_model<resolve_incidents>},
    // GPUs and NICs are added to the hosts of the ranks' processes.
    {"hosts", assign_hosts},
    {"GPUs", on_model<add_gpus>},
    {"NICs", on_model<add_nics>},
    // A connection names its NIC by an index into the list of its process.
    {"NICs of GPUs", on_model<assign_nics>},
    {"ends of network connections", on_model<count_network_ends>},
    // What connections show of NVLink is added where no topology dump was whole.
    {"NVLink", on_model<find_nvlink>},
    // Ranks of one host may be one node.
    {"nodes", on_model<place_nodes>},
};

}  // namespace

std::span<const Pass> passes() { return all_passes; }

Model resolve(BuilderState state) {
  for (const Pass& pass : all_passes) pass.run(state);
  return std::move(state.model);
}

}  // namespace nccl_analyze::builder
