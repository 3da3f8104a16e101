// Lists all built-in rules, in id order. A new rule has two lines here, its declaration and its place in the list, and
// makes the list longer by one.

#include <algorithm>
#include <array>

#include "nccl_analyze/rule.h"

namespace nccl_analyze {

extern const Rule partial_input;
extern const Rule log_head_missing;
extern const Rule debug_level_too_low;
extern const Rule damaged_lines;
extern const Rule ranks_not_started;
extern const Rule init_incomplete;
extern const Rule late_rank;
extern const Rule slow_init_phase;
extern const Rule duplicate_gpu;
extern const Rule version_mismatch;
extern const Rule world_split;
extern const Rule bad_interface;
extern const Rule no_interface;
extern const Rule connect_failed;
extern const Rule peer_closed;
extern const Rule driver_too_old;
extern const Rule nccl_too_old_for_gpu;
extern const Rule socket_handshake_mismatch;
extern const Rule net_plugin_failed;
extern const Rule socket_fallback;
extern const Rule ib_no_device;
extern const Rule gdr_disabled;
extern const Rule ib_timeout;
extern const Rule ib_memory_error;
extern const Rule ib_link_flap;
extern const Rule ib_connect_failed;
extern const Rule memlock_limit;
extern const Rule network_differs;
extern const Rule nic_count_differs;
extern const Rule nic_fatal;
extern const Rule no_network;
extern const Rule tcp_only_network;
extern const Rule rail_mismatch;
extern const Rule gid_table_change;
extern const Rule nic_resources_exhausted;
extern const Rule tcpx_timeout;
extern const Rule nic_port_down;
extern const Rule shm_instead_of_p2p;
extern const Rule one_gpu_per_host;
extern const Rule p2p_disabled;
extern const Rule p2p_failed;
extern const Rule shm_too_small;
extern const Rule nvls_failed;
extern const Rule mnnvl_failed;
extern const Rule nvlink_unused;
extern const Rule fabric_manager_down;
extern const Rule intra_host_network;
extern const Rule iommu_settings;
extern const Rule ring_broken;
extern const Rule channels_differ;
extern const Rule cpu_affinity;
extern const Rule uneven_nodes;
extern const Rule algorithm_forced;
extern const Rule topology_file_invalid;
extern const Rule topology_detect_failed;
extern const Rule topology_overridden;
extern const Rule topology_contradicts;
extern const Rule pcie_link_degraded;
extern const Rule bandwidth_below_path;
extern const Rule bandwidth_drop;
extern const Rule far_nic;
extern const Rule cuda_error;
extern const Rule out_of_memory;
extern const Rule collective_mismatch;
extern const Rule watchdog_timeout;
extern const Rule comm_aborted;
extern const Rule process_died;
extern const Rule internal_error;
extern const Rule straggler;
extern const Rule wrong_results;
extern const Rule env_differs;
extern const Rule env_risky;
extern const Rule env_legacy_value;
extern const Rule env_invalid_value;
extern const Rule expectation_failed;
extern const Rule expectation_unknown;
extern const Rule baseline_differs;
extern const Rule application_error;

namespace {

constexpr std::array<const Rule*, 78> rules = {
    &partial_input,
    &log_head_missing,
    &debug_level_too_low,
    &damaged_lines,
    &ranks_not_started,
    &init_incomplete,
    &late_rank,
    &slow_init_phase,
    &duplicate_gpu,
    &version_mismatch,
    &world_split,
    &bad_interface,
    &no_interface,
    &connect_failed,
    &peer_closed,
    &driver_too_old,
    &nccl_too_old_for_gpu,
    &socket_handshake_mismatch,
    &net_plugin_failed,
    &socket_fallback,
    &ib_no_device,
    &gdr_disabled,
    &ib_timeout,
    &ib_memory_error,
    &ib_link_flap,
    &ib_connect_failed,
    &memlock_limit,
    &network_differs,
    &nic_count_differs,
    &nic_fatal,
    &no_network,
    &tcp_only_network,
    &rail_mismatch,
    &gid_table_change,
    &nic_resources_exhausted,
    &tcpx_timeout,
    &nic_port_down,
    &shm_instead_of_p2p,
    &one_gpu_per_host,
    &p2p_disabled,
    &p2p_failed,
    &shm_too_small,
    &nvls_failed,
    &mnnvl_failed,
    &nvlink_unused,
    &fabric_manager_down,
    &intra_host_network,
    &iommu_settings,
    &ring_broken,
    &channels_differ,
    &cpu_affinity,
    &uneven_nodes,
    &algorithm_forced,
    &topology_file_invalid,
    &topology_detect_failed,
    &topology_overridden,
    &topology_contradicts,
    &pcie_link_degraded,
    &bandwidth_below_path,
    &bandwidth_drop,
    &far_nic,
    &cuda_error,
    &out_of_memory,
    &collective_mismatch,
    &watchdog_timeout,
    &comm_aborted,
    &process_died,
    &internal_error,
    &straggler,
    &wrong_results,
    &env_differs,
    &env_risky,
    &env_legacy_value,
    &env_invalid_value,
    &expectation_failed,
    &expectation_unknown,
    &baseline_differs,
    &application_error,
};

}  // namespace

std::span<const Rule* const> all_rules() { return rules; }

const Rule* find_rule(std::string_view id_or_name) {
  const auto found = std::find_if(rules.begin(), rules.end(), [&](const Rule* rule) {
    return rule->info.id == id_or_name || rule->info.name == id_or_name;
  });
  return found == rules.end() ? nullptr : *found;
}

}  // namespace nccl_analyze
