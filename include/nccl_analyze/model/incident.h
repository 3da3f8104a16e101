#pragma once
/// Incidents: failures and warnings in the log.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "nccl_analyze/containers.h"
#include "nccl_analyze/events/kept_event.h"
#include "nccl_analyze/model/line.h"

namespace nccl_analyze {

/// The kind of an incident. Incident::event holds the event with the same name as the kind, or the event in brackets.
enum class IncidentKind : std::uint8_t {
  interface_not_found,
  connect_retried,
  connect_failed,
  connection_closed,
  socket_failed,
  handshake_refused,
  world_mismatched,
  version_mismatched,
  network_missing,
  cuda_failed,
  out_of_memory,  ///< [CudaFailed, AllocationFailed]
  duplicate_gpu,  ///< [DuplicateGpuDetected]
  shared_memory_failed,
  p2p_disabled_nvlink,  ///< [P2pUnusable]
  p2p_disabled_pcie,    ///< [P2pUnusable]
  p2p_failed,
  nvls_failed,
  topology_file_failed,
  error_propagated,
  service_closed,
  proxy_failed,
  env_rejected,
  ib_completion_failed,
  ib_async_event,
  call_failed,
  call_retried,  ///< [CallFailed]
  ib_device_unusable,
  ib_devices_incompatible,
  ib_rails_mismatched,
  ib_router_lid_missing,
  ib_device_failed,
  nic_counts_mismatched,
  collective_mismatched,
  gdr_disabled,  ///< [OfiGdrDisabled]
  mnnvl_failed,
  ofi_request_failed,
  ras_peer_dead,
  ras_timed_out,
  ras_version_mismatched,
  host_setting_missing,
  graph_broken,
  cpu_affinity_empty,  ///< [AffinityChosen]
  program_raised,      ///< A Python exception that is not about NCCL.
  /// [ProgramRaised] PyTorch's exception for an NCCL error; Incident::error is the text of the ncclResult_t.
  nccl_error_raised,
  process_ended,  ///< Reported by a launcher or the kernel; Incident::error has program or host, and pid.
  memory_killed,  ///< [ProcessEnded] Ended because the memory of the host or of the container was exhausted.
  job_cancelled,
  gpu_faulted,  ///< Reported by the GPU's driver.
  node_lost,
  device_faulted,         ///< Reported by the kernel.
  vendor_network_warned,  ///< [VendorNetworkNoted]
  gpu_unsupported,        ///< [KernelMemoryExceeded]
  acs_suspected,          ///< [Hinted] NCCL guesses that PCI ACS is the cause.
  wqe_delayed,
  diagnostic_reported,
  other_warning,  ///< [Warned; no event if no row of the message table matches]
  /// A known phrase in an unrecognised line or an exception; Incident::topic is the rule that reports the phrase.
  phrase_seen,
};
std::string_view to_string(IncidentKind kind);

/// A failure or warning that one process printed; repetitions are counted in `evidence`. Every NCCL warning is an
/// incident, recognised or not.
struct Incident {
  IncidentKind kind{};
  Index process = -1;
  Index communicator = -1;  ///< -1 when the log does not show it.
  /// Rank in `communicator`. If that is -1, the rank in the job, from a launcher's tag or message.
  int rank = -1;
  int device = -1;  ///< The CUDA device in the prefix of its first line; -1: not printed.
  Level level = Level::warn;
  std::string message;  ///< The message as printed.
  std::string place;    ///< Location in NCCL's code: `transport/nvls.cc:254`, or a function; empty: not printed.
  std::string topic;    ///< The rule that the message table assigns to this message; else empty.
  /// A keyword for the form of the fault, such as `closed`, `nic` or `wrong-type`, which lets rules distinguish cases;
  /// usually empty. It comes from the message table, or from the text of the message (lib/model/resolve/incidents.cc).
  std::string aspect;
  KeptEvent event;       ///< The facts of the line; the type of the event follows from `kind`.
  std::string peer;      ///< Address of the other end of a connection, `ip<port>`; often empty.
  std::string error;     ///< Error text of the operating system, of CUDA or of another program.
  int error_number = 0;  ///< Linux errno, also if printed as a negative number (`RC: -12`) or as text; 0: none.
  int cuda_error = 0;    ///< cudaError_t of a CUDA call, also if printed as text; 0: unknown.
  Evidence evidence;
  Moment first;  ///< Time of the first line; not kept for INFO lines.
  /// The same in microseconds since 1970 in UTC; -1 if no timestamp of the line has both a date and a time zone.
  std::int64_t first_utc = -1;
  /// Whether PyTorch's hook for uncaught exceptions (2.2+) printed the line, which then has `[rank3]: ` before the
  /// exception.
  bool uncaught = false;
  // The next members are set after the whole log has been read.
  /// Whether this is only a symptom: an exception about the end of another process, an exception raised again, or a
  /// warning that repeats the failure before it.
  bool echo = false;
  /// Whether the operation failed: the next lines show that NCCL passed the error up its call stack, or NCCL does so
  /// after every such warning.
  bool failed = false;
  bool survived = false;   ///< Whether the process made progress after the last line (Process::progress).
  Index error_trace = -1;  ///< Index into Model::incidents of the next error_propagated incident of the process.
};

/// A report of PyTorch's watchdog: a collective of this rank timed out, or the rank stops because a collective of
/// another rank timed out.
struct WatchdogTimeout {
  std::string group;      ///< The process group as PyTorch names it; empty before PyTorch 2.3.
  int rank = -1;          ///< Rank in the process group.
  int global_rank = -1;   ///< Rank in the job.
  Index process = -1;     ///< -1 when the log does not show it.
  std::string operation;  ///< ALLREDUCE; empty when not printed.
  std::int64_t sequence = -1, elements_in = -1, elements_out = -1;
  double timeout_seconds = -1;
  /// Numbers of the last enqueued and the last completed collective, counted from 1.
  std::int64_t enqueued = -1, completed = -1;
  bool first_to_signal = false;  ///< Whether the group was the first one of its process to give up.
  Evidence evidence;
};

/// A report of NCCL's RAS client: the ranks of a communicator have launched an operation different numbers of times.
struct RasOpCounts {
  struct Group {
    std::int64_t launched = 0, ranks = 0;
  };
  struct Listed {
    int rank = -1;
    std::int64_t launched = 0;
    std::int64_t pid = -1;
    int device = -1;     ///< -1: unknown, or the process has several devices.
    Text host = {};      ///< Host name, or address of the RAS thread.
    Index process = -1;  ///< -1 if the input has no log of the process.
  };
  std::string operation;
  std::uint64_t comm_id = 0;   ///< 0 when not known.
  Index communicator = -1;     ///< -1 when the log does not show it.
  std::vector<Group> groups;   ///< Groups of ranks with equal counts, in the order of the report.
  std::vector<Listed> listed;  ///< The ranks that the report lists one by one: those of small groups.
  Evidence evidence;
};

}  // namespace nccl_analyze
