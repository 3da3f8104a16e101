#pragma once
/// Reports of tools that watch or record the collectives of a job beside its log: NCCL's RAS client, PyTorch's flight
/// recorder and the NCCL Inspector.

#include <cstdint>
#include <string>
#include <vector>

#include "nccl_analyze/containers.h"
#include "nccl_analyze/model/incident.h"
#include "nccl_analyze/model/line.h"

namespace nccl_analyze {

/// A rank whose process does not answer the RAS threads.
struct RasLostRank {
  LineRef at;
  int rank = -1, device = -1;
  std::int64_t pid = -1;
  Text host;
  bool dead = false;   ///< Whether the RAS threads gave up on the process; false if they still wait for its answer.
  Index process = -1;  ///< -1 if the input has no log of the process.
};

/// A communicator in a report of the RAS client.
struct RasCommunicator {
  LineRef at;
  std::uint64_t comm_id = 0;
  Index communicator = -1;  ///< -1 when the log does not show it.
  int nranks = -1;
  /// Number of ranks that answered, and of ranks that did not answer or no longer have the communicator.
  int reported = -1, missing = -1;
  std::vector<RasOpCounts> counts;  ///< One for each operation that a rank has launched.
  std::vector<RasLostRank> lost;
};

/// The size of the job according to the text report of the RAS client: from the summary of the report or, if the log
/// lacks the summary, from the largest communicator in the report.
struct RasJob {
  LineRef at;
  int nodes = -1, processes = -1, gpus = -1;  ///< `processes` is -1 if the size is that of a communicator.
};

/// Ranks that PyTorch's desync report (TORCH_NCCL_DESYNC_DEBUG) calls the cause of a timeout.
struct DesyncedRanks {
  LineRef at;
  std::vector<int> ranks;  ///< Numbered in the process group, which the report does not name.
  /// The last collective that the ranks joined, and the last one that they finished, counted from 1; -1: not printed. A
  /// report names ranks that joined a collective and did not finish it, ranks that finished one and did not join the
  /// next one, or ranks that joined none.
  std::int64_t joined = -1, finished = -1;
};

/// A process of the job that announced itself before it waited for the others.
struct AnnouncedMember {
  LineRef at;
  int rank = -1, size = -1;  ///< `size`: the number of processes of the job.
};

/// A report of the RAS client as JSON.
struct RasReport {
  LineRef at;
  std::string version;  ///< NCCL's version, `2.28.9+cuda13.0`.
  std::string time;     ///< By the clock of the process that was asked: `2026-01-31 10:00:00`.
  std::vector<RasCommunicator> communicators;
};

/// The state of a rank in a process group, from a dump of PyTorch's flight recorder. The members of WatchdogTimeout
/// describe the first collective that was not complete, whether or not a watchdog timed out on it.
struct FlightRecord : WatchdogTimeout {
  LineRef at;
  std::string name;             ///< Unique name of the process group, without its description: `0`.
  std::string members;          ///< The ranks of the group, numbered as in the job: `0-7`. See FlightRecorded::members.
  int nranks = -1;              ///< The number of ranks of the group; -1: not known.
  bool started = false;         ///< Whether the collective had started on the GPU.
  std::int64_t transfers = -1;  ///< Number of the last send or receive, or group of them; -1: none.
  /// The ranks at the other ends of the receives and sends that were not complete, numbered as in the job; -1: not
  /// known.
  std::vector<int> receives, sends;
};

/// The collectives of one operation that one rank of a communicator completed, as the NCCL Inspector reports them.
struct InspectedRank {
  LineRef at;
  std::uint64_t comm_id = 0;
  Index communicator = -1;  ///< -1 when the log does not show it.
  std::string comm_name;
  int rank = -1, nranks = -1;
  std::int64_t pid = -1;
  Text host;
  Index process = -1;
  Text operation;
  /// `completed`: the number of collectives; `last`: the highest sequence number, counted from 0.
  std::int64_t completed = -1, last = -1;
  double busbw = 0;  ///< The highest bus bandwidth, GB/s.
};

/// The shortest duration of the largest message of an operation on one rank of a communicator. See DurationRecorded.
struct RecordedDuration {
  LineRef at;
  bool is_inspected = false;  ///< Whether the NCCL Inspector recorded it; false: PyTorch's flight recorder.
  std::uint64_t comm_id = 0;
  Index communicator = -1;  ///< -1 when the log does not show it.
  std::string group;        ///< `default_pg:0`, as PyTorch names communicators; empty: not known.
  Text operation;
  int rank = -1, nranks = -1;
  std::int64_t size = -1;
  double microseconds = 0;
};

}  // namespace nccl_analyze
