#pragma once
/// What went wrong, as the log has it.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "nccl_analyze/containers.h"
#include "nccl_analyze/events/kept_event.h"
#include "nccl_analyze/model/line.h"

namespace nccl_analyze {

/// `Incident::event` of each is the event of the same name, or the one in brackets.
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
  program_raised,      ///< Python's, not about NCCL
  nccl_error_raised,   ///< [ProgramRaised] by PyTorch, of a result of NCCL's, whose words are `error`.
  process_ended,       ///< Seen from outside. `error` says which, as far as it is told: program or host, and pid.
  memory_killed,  ///< [ProcessEnded] The same, because the memory of the host or the limit of its container was used
                  ///< up.
  job_cancelled,
  gpu_faulted,            ///< The GPU's driver says so.
  vendor_network_warned,  ///< [VendorNetworkNoted]
  gpu_unsupported,        ///< [KernelMemoryExceeded]
  acs_suspected,          ///< [Hinted] NCCL's own guess.
  other_warning,          ///< [Warned; none where nothing reads it]
  phrase_seen,  ///< In a line that no row reads, or in an exception, whose name is `error`. `topic` is its rule.
};
std::string_view to_string(IncidentKind kind);

/// Something that went wrong, as one process said it; repeats are folded. Every warning of NCCL is one, in known words
/// or not.
struct Incident {
  IncidentKind kind{};
  Index process = -1;
  Index communicator = -1;  ///< When the log says which; else -1.
  int rank = -1;            ///< In `communicator`.
  Level level = Level::warn;
  std::string message;  ///< NCCL's words.
  std::string place;    ///< Where NCCL's code printed it: `transport/nvls.cc:254`, or a function; empty: not said.
  std::string topic;    ///< Name of the rule that its wording speaks for, by the table of wordings; else empty.
  /// Which of the rule's cases it is: by the same table, or one that only its words show
  /// (lib/model/resolve/incidents.cc), as `closed`, `nic`, `fatal`, `wrong-type`, `port-counts`; mostly empty.
  std::string aspect;
  KeptEvent event;       ///< What the line says; its type follows from the kind.
  std::string peer;      ///< Address of the other end of a connection, `ip<port>`; often empty.
  std::string error;     ///< The words of the system, of CUDA or of another program on what happened.
  int error_number = 0;  ///< Linux's errno, printed as a number, negative (`RC: -12`) or in words; 0: none of them.
  int cuda_error = 0;    ///< cudaError_t of a CUDA call, printed as a number or in words; 0: not known.
  Evidence evidence;
  Moment first;  ///< When it was said first: of warnings and of what others say; of INFO lines it is not kept.
  // what became of it
  bool echo = false;       ///< An exception that tells of another process's end, or repeats what was raised before.
  bool failed = false;     ///< NCCL passed it up right behind it: what was tried failed.
  bool survived = false;   ///< Its process is seen at work behind it (Process::progress).
  Index error_trace = -1;  ///< The first error_propagated of its process behind it; an index into Model::incidents.
};

/// What PyTorch's watchdog said of a rank that waited too long, or of one that was told to stop.
struct WatchdogTimeout {
  std::string group;      ///< The process group as PyTorch names it; empty before PyTorch 2.3.
  int rank = -1;          ///< In the group.
  int global_rank = -1;   ///< In the job.
  Index process = -1;     ///< When the log says which.
  std::string operation;  ///< ALLREDUCE; empty when it did not say.
  std::int64_t sequence = -1, elements_in = -1, elements_out = -1;
  double timeout_seconds = -1;
  std::int64_t enqueued = -1, completed = -1;  ///< The last of its collectives, numbered from 1.
  Evidence evidence;
};

/// What NCCL's RAS client reports: ranks of a communicator have launched different numbers of an operation.
struct RasOpCounts {
  struct Group {
    std::int64_t launched = 0, ranks = 0;
  };
  struct Listed {
    int rank = -1;
    std::int64_t launched = 0;
  };
  std::string operation;
  std::vector<Group> groups;   ///< As listed.
  std::vector<Listed> listed;  ///< The ranks that it names: those of the small groups.
  Evidence evidence;
};

}  // namespace nccl_analyze
