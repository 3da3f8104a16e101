#include "model/resolve/resolve.h"

#include <utility>

#include "model/resolve/first_communicators.h"
#include "model/resolve/passes.h"
#include "model/resolve/pod_incidents.h"

namespace nccl_analyze::builder {

namespace {

template <void (*run)(Model&)>
void on_model(BuilderState& state) {
  run(state.model);
}

constexpr Pass all_passes[] = {
    // Must precede the merge of garbled hosts, which invalidates ProcessState::twin, the link between the parts of a
    // split log.
    {"calls of split logs", mark_calls_of_split_logs},
    // Must precede the merge of garbled hosts for the same reason.
    {"unnamed calls", drop_known_calls},
    // Later passes depend on the process of each fact.
    {"host aliases", resolve_host_aliases},
    // The remaining garbled hosts have no process to merge into and are only renamed.
    {"headless hosts", rename_headless_hosts},
    // Joining and attribution compare GPUs, whose printed form depends on the version.
    {"device naming", find_device_naming},
    // Attribution requires that all ranks are in their communicators.
    {"communicators", join_communicators},
    // The order of batches decides between equal candidates, and must not depend on the order of threads.
    {"order of batches", sort_batches},
    // Requires the edges of all rings and trees, because they determine which communicators a batch fits.
    {"attribution of batches", attribute_batches},
    // No later pass uses CommState::into.
    {"communicators taken over", drop_joined_communicators},
    // Garbled hosts must be merged first, because they look like processes without a version.
    {"bare versions", apply_bare_versions},
    // Requires the version of every process.
    {"lines by version", count_versions},
    // Requires all edges and connections in their communicators.
    {"graphs", build_graphs},
    // Requires the final communicators, to which incidents refer.
    {"quotes", move_quotes},
    // All sorted tables are complete. Later passes must not reorder them.
    {"order", on_model<put_in_order>},
    // The first communicator of a process depends on the order.
    {"first communicators", on_model<find_first_communicators>},
    // Requires the final order of processes and communicators.
    {"benchmarks", on_model<join_benchmarks>},
    {"recordings", on_model<join_recordings>},
    // Requires the ranks of every process and the versions.
    {"failed ranks", on_model<find_failed_ranks>},
    // Requires the final state of every rank.
    {"orderly ends", on_model<find_orderly_ends>},
    // Must precede all passes that store indices of incidents, because it removes incidents.
    {"texts beside logs", on_model<drop_program_texts>},
    // Requires the final communicators.
    {"faults of GPUs", on_model<join_gpu_faults>},
    // Requires the final processes.
    {"ends of processes", on_model<join_ended_processes>},
    // Error traces are found by the order of the incidents.
    {"incidents", on_model<resolve_incidents>},
    // Requires the final order of processes. Incidents that documents quote must have been removed.
    {"inferred versions", on_model<infer_versions>},
    // Requires the GPUs of all ranks.
    {"other ranks", on_model<find_other_ranks>},
    // Requires the facts that resolve_incidents() extracts from the text of incidents.
    {"incidents of pods", on_model<join_pod_incidents>},
    // The next passes require the hosts of processes.
    {"hosts", assign_hosts},
    // Requires the final hosts.
    {"pods", on_model<join_pods>},
    // Requires the hosts of ranks.
    {"GPUs", on_model<add_gpus>},
    // Lists of NICs complete the NICs of single lines and topology dumps.
    {"NICs", on_model<add_nics>},
    // Requires complete lists of NICs, because connections refer to NICs by index.
    {"NICs of GPUs", on_model<assign_nics>},
    // Requires the hosts of ranks.
    {"ends of network connections", on_model<count_network_ends>},
    // NVLink lines of a process are the fallback for hosts without a topology dump or NVLink connection.
    {"NVLink", on_model<find_nvlink>},
    // Requires the GPUs and NICs of hosts in their final order.
    {"machines", on_model<join_machines>},
    // Requires all connections and hosts.
    {"nodes", on_model<place_nodes>},
};

}  // namespace

std::span<const Pass> passes() { return all_passes; }

Model resolve(BuilderState state) {
  for (const Pass& pass : all_passes) pass.run(state);
  return std::move(state.model);
}

}  // namespace nccl_analyze::builder
