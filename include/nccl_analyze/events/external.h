#pragma once
/// Events of frameworks, launchers and the kernel, whose lines may show causes that NCCL cannot detect.

#include <cstdint>
#include <string_view>

#include "nccl_analyze/events/field.h"

namespace nccl_analyze {

/// PyTorch's watchdog timed out on a collective.
struct CollectiveTimedOut {
  static constexpr std::string_view name = "collective_timed_out";
  /// Number of the collective in its process group, as counted by the rank that prints the line.
  std::int64_t sequence = -1;
  std::string_view operation;  ///< `ALLREDUCE`, …
  std::string_view shape;      ///< Shape of the tensor (up to PyTorch 2.0).
  std::int64_t elements_in = -1, elements_out = -1;
  std::int64_t timeout = -1, ran = -1;  ///< Milliseconds: the limit, and the time until the watchdog acted.
  NCCL_ANALYZE_FIELDS(CollectiveTimedOut, sequence, operation, shape, elements_in, elements_out, timeout, ran)
};

/// The progress of a rank in a process group of PyTorch, which numbers its collectives from 1.
struct WatchdogReported {
  static constexpr std::string_view name = "watchdog_reported";
  std::int64_t work = -1;                      ///< Number of the collective that failed.
  std::int64_t enqueued = -1, completed = -1;  ///< Numbers of the last enqueued and the last completed collective.
  NCCL_ANALYZE_FIELDS(WatchdogReported, work, enqueued, completed)
};

/// A process group of PyTorch is the first one of its process whose watchdog gave up, so that the flight recorder is
/// dumped (ProcessGroupNCCL.cpp, PyTorch 2.5 and later).
struct FirstToSignal {
  static constexpr std::string_view name = "first_to_signal";
  NCCL_ANALYZE_FIELDS(FirstToSignal)
};

/// Ranks that PyTorch's desync report calls the cause of a timeout (retrieveDesyncReport() in TraceUtils.h).
struct RanksDesynced {
  static constexpr std::string_view name = "ranks_desynced";
  std::string_view ranks;  ///< `0, 5`: ranks of the process group.
  /// Numbers of collectives, from 1. `joined`: the ranks joined this collective, but did not finish it. `finished`: the
  /// ranks finished this collective, but did not join the next. Both -1: they joined none.
  std::int64_t joined = -1, finished = -1;
  NCCL_ANALYZE_FIELDS(RanksDesynced, ranks, joined, finished)
};

/// A process says which of the processes of its job it is, as PyTorch Lightning does before it waits for the others.
struct MemberAnnounced {
  static constexpr std::string_view name = "member_announced";
  int rank = -1;
  int size = -1;  ///< The number of processes of the job.
  NCCL_ANALYZE_FIELDS(MemberAnnounced, rank, size)
};

/// Rank 0 says that all processes of the job have come (PyTorch Lightning).
struct MembersRegistered {
  static constexpr std::string_view name = "members_registered";
  int size = -1;
  NCCL_ANALYZE_FIELDS(MembersRegistered, size)
};

/// An exception that ended a program: the last line of a Python traceback.
struct ProgramRaised {
  static constexpr std::string_view name = "program_raised";
  std::string_view exception;  ///< `torch.OutOfMemoryError`, …
  std::string_view words;      ///< The message of the exception.
  NCCL_ANALYZE_FIELDS(ProgramRaised, exception, words)
};

/// The kernel or a launcher reports the end of a process.
struct ProcessEnded {
  static constexpr std::string_view name = "process_ended";
  std::string_view why;  ///< As printed: `Killed process`, `Segmentation fault`, …
  std::string_view program, host;
  std::int64_t pid = -1;
  int rank = -1;        ///< The launcher's number for the process: a Slurm task id or an MPI rank.
  int local_rank = -1;  ///< The local rank that torchrun prints.
  int code = 0;         ///< Exit code, or the negated number of the signal that killed the process; 0 when not printed.
  int signal = 0;       ///< The signal that killed the process; 0 when not printed.
  /// `pod` for the end of a pod or of a container, `unstarted-pod` for a pod that has not started; `host` is then the
  /// name of the pod. Empty for other ends of processes.
  std::string_view about;
  std::string_view detail;  ///< Kubernetes' own words, or the time at which the container ended; else empty.
  /// Whether the line reports that some process ended, but not which one.
  bool is_bare() const {
    return program.empty() && host.empty() && pid < 0 && rank < 0 && code == 0 && signal == 0 && about.empty();
  }
  NCCL_ANALYZE_FIELDS(ProcessEnded, why, program, host, pid, rank, local_rank, code, signal, about, detail)
};

/// The scheduler ended the job: Slurm, which names it, or PBS and LSF at the limit of its time.
struct JobCancelled {
  static constexpr std::string_view name = "job_cancelled";
  std::string_view job, host;
  std::string_view why;  ///< `DUE TO TIME LIMIT`, `walltime`, …; empty when not printed.
  NCCL_ANALYZE_FIELDS(JobCancelled, job, host, why)
};

/// An Xid error, which the GPU driver writes to the kernel's log.
struct GpuFaulted {
  static constexpr std::string_view name = "gpu_faulted";
  std::string_view bus_id;  ///< `0000:4b:00`
  int xid = -1;             ///< NVIDIA's number for the kind of error.
  std::string_view words;   ///< The rest of the message.
  NCCL_ANALYZE_FIELDS(GpuFaulted, bus_id, xid, words)
};

/// A launcher lost a node of the job, or Slurm reports that it failed.
struct NodeLost {
  static constexpr std::string_view name = "node_lost";
  std::string_view who;   ///< `srun`, `ORTE`, …; empty when not printed.
  std::string_view host;  ///< The node, or Slurm's list of nodes; empty when not printed.
  NCCL_ANALYZE_FIELDS(NodeLost, who, host)
};

/// The kernel reports a fault of a device that has no Xid: an NVSwitch, a NIC, a PCIe port, an AMD GPU.
struct DeviceFaulted {
  static constexpr std::string_view name = "device_faulted";
  std::string_view driver;  ///< `nvidia-nvswitch`, `mlx5_core`, `amdgpu`; empty for PCIe.
  std::string_view device;  ///< Its PCI address, or the name of its interface.
  std::string_view what;    ///< `SXid`, `firmware internal error`, …
  int code = -1;            ///< NVIDIA's number of an SXid.
  std::string_view words;   ///< The rest of the message.
  NCCL_ANALYZE_FIELDS(DeviceFaulted, driver, device, what, code, words)
};

/// A phrase that is typical of a failure, in a line that no row of the message table matches. It proves little by
/// itself.
struct PhraseSeen {
  static constexpr std::string_view name = "phrase_seen";
  std::string_view phrase;  ///< As spelled in the line.
  std::string_view topic;   ///< Name of the rule that reports the phrase; a static string.
  NCCL_ANALYZE_FIELDS(PhraseSeen, phrase, topic)
};

}  // namespace nccl_analyze
