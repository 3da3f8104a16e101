// The table of formats.

#include "evidence/formats.h"

#include <array>

namespace nccl_analyze::evidence {

namespace {

constexpr std::array<Format, 43> formats_of_lines{{
    {"nccl-tests", "# nccl-tests version ", begin_nccl_tests_table},
    {"nccl-tests", "# nThread ", begin_nccl_tests_table},       // the first line up to nccl-tests 2.16
    {"nccl-tests", "# Using devices", begin_nccl_tests_table},  // the first line before nccl-tests 2.0
    // the last line, for excerpts without the table
    {"nccl-tests", "# Out of bounds values", begin_nccl_tests_table},
    // the line with the names of the columns, with which an excerpt may begin
    {"nccl-tests", "algbw ", begin_nccl_tests_table, start_of_nccl_tests_columns},
    // a row of the default data type, if an excerpt has no names of columns
    {"nccl-tests", "float     sum      -1 ", begin_nccl_tests_rows, start_of_nccl_tests_row},
    {"nccl-tests", "float    none      -1 ", begin_nccl_tests_rows, start_of_nccl_tests_row},
    {"pod manifest", "apiVersion: ", begin_pod_manifest},
    {"pod manifest", "kind: Pod", begin_pod_manifest},
    {"NCCL Inspector", "{\"header\":{\"id\":", begin_inspector},
    {"nvidia-smi topo", "CPU Affinity", begin_topo_matrix, start_of_topo_matrix},
    {"topology XML", "<system version=", begin_topology_xml},
    {"graph XML", "<graphs version=", begin_graph_xml},
    {"ibstat", "CA '", begin_ibstat},
    {"ibv_devinfo", "hca_id:", begin_ibv_devinfo},
    {"ibv_devinfo", "GID[", begin_ibv_devinfo, start_of_indented},
    {"ibstatus", "Infiniband device '", begin_ibstatus},
    {"rdma link", " physical_state ", begin_rdma_link, start_of_rdma_link},
    {"show_gids", "INDEX", begin_gid_table, start_of_gid_table},
    {"show_gids", "0000:ffff:", begin_gid_table, start_of_gid_row},
    {"ulimit", "ax locked memory ", begin_memlock, start_of_limit_row},
    {"ulimit", "ulimit -l", begin_memlock, start_of_limit_command},
    {"df", " /dev/shm", begin_df, start_of_df_row},
    {"Ray", "/dev/shm because /dev/shm has only ", begin_ray, start_of_line},
    {"lsmod", "nvidia_peermem ", begin_lsmod},
    {"lsmod", "peermem", begin_lsmod, start_of_module_search},
    {"nvidia-smi", "No devices were found", begin_nvidia_smi},
    {"nvidia-smi", "NVIDIA-SMI has failed because it couldn't communicate", begin_nvidia_smi},
    {"ibdev2netdev", "==> ", begin_ibdev2netdev, start_of_ibdev2netdev},
    {"lspci", " bridge: ", begin_lspci, start_of_lspci},
    {"lspci", " controller: ", begin_lspci, start_of_lspci},
    {"torchrun", "Root Cause (first observed failure):", begin_torchrun_failure},
    // the first keys of json_formats(), for documents of several lines
    {"JSON", "\"apiVersion\":", begin_json_block, start_of_json_block},
    {"JSON", "\"nccl_version\":", begin_json_block, start_of_json_block},
    {"JSON", "\"version\":", begin_json_block, start_of_json_block},
    // commands in a shell's prompt, which names the host
    {"nvidia-smi topo", "nvidia-smi topo", begin_topo_matrix, start_of_prompt},
    {"ibv_devinfo", " ibv_devinfo", begin_ibv_devinfo, start_of_prompt},
    {"ibstatus", " ibstatus", begin_ibstatus, start_of_prompt},
    {"ibstat", " ibstat", begin_ibstat, start_of_prompt},
    {"rdma link", " rdma link", begin_rdma_link, start_of_prompt},
    {"show_gids", " show_gids", begin_gid_table, start_of_prompt},
    {"ibdev2netdev", " ibdev2netdev", begin_ibdev2netdev, start_of_prompt},
    {"lspci", " lspci", begin_lspci, start_of_prompt},
}};

}  // namespace

std::span<const Format> line_formats() { return formats_of_lines; }

std::span<const JsonFormat> json_formats() {
  static constexpr std::array<JsonFormat, 12> formats{{
      {"Kubernetes events", "apiVersion", "\"involvedObject\"", read_pod_manifest_json},
      {"Kubernetes events", "kind", "\"involvedObject\"", read_pod_manifest_json},
      {"nccl-tests", "version", "\"start_time\"", read_nccl_tests_json},
      {"pod manifest", "apiVersion", "\"containers\"", read_pod_manifest_json},
      {"pod manifest", "kind", "\"containers\"", read_pod_manifest_json},
      {"ncclras", "nccl_version", "\"communicators_count\"", read_ras_json},
      {"ncclras", "communicators", "\"collective_counts\"", read_ras_json},  // with sorted keys
      {"PyTorch's flight recorder", "version", "\"pg_config\"", read_flight_recorder},
      {"PyTorch's flight recorder", "pg_config", "\"pg_status\"", read_flight_recorder},
      {"PyTorch's flight recorder", "entries", "\"collective_seq_id\"",
       read_flight_recorder},  // PyTorch sorts the keys
      {"PyTorch's flight recorder", "comm_lib_version", "\"collective_seq_id\"", read_flight_recorder},
      {"PyTorch's flight recorder", "nccl_version", "\"collective_seq_id\"", read_flight_recorder},
  }};
  return formats;
}

}  // namespace nccl_analyze::evidence
