#pragma once
/// Lines of a few processes on one host, and the models of such logs.

#include <string>
#include <utility>

#include "model_of.h"
#include "nccl_analyze/analyzer.h"
#include "nccl_analyze/event.h"
#include "nccl_analyze/report.h"
#include "nccl_analyze/requirements.h"

namespace nccl_analyze::test {

/// Returns a line of process `pid` on host h.
inline std::string line(int pid, int tid, const std::string& message) {
  return "h:" + std::to_string(pid) + ":" + std::to_string(tid) + " [0] NCCL INFO " + message + "\n";
}

inline std::string init(const std::string& comm, int rank, int nranks, const std::string& identity, const char* phase) {
  const std::string gap = identity.starts_with("parent") && std::string(phase) == "START" ? "-" : " -";
  return "ncclCommInitRankConfig comm " + comm + " rank " + std::to_string(rank) + " nranks " + std::to_string(nranks) +
         " cudaDev 0 nvmlDev " + std::to_string(rank) + " busId 1000 " + identity + gap + " Init " + phase;
}

inline std::string start(int pid, int tid, const std::string& comm, int rank, int nranks, const std::string& identity,
                         const std::string& between = "") {
  return line(pid, tid, init(comm, rank, nranks, identity, "START")) + between +
         line(pid, tid, init(comm, rank, nranks, identity, "COMPLETE"));
}

inline std::string via(int from, int to, int channel = 0) {
  return "Channel 0" + std::to_string(channel) + "/0 : " + std::to_string(from) + "[" + std::to_string(from) + "] -> " +
         std::to_string(to) + "[" + std::to_string(to) + "] via P2P/CUMEM";
}

inline const std::string versions =
    line(1, 1, "NCCL version 2.27.3+cuda12.4") + line(2, 2, "NCCL version 2.27.3+cuda12.4");

/// Returns the initialisation of a rank as NCCL before 2.16.2 prints it, without Init START and commId.
inline std::string built(const std::string& host, int pid, int tid, int rank, int nranks, const std::string& bus,
                         const std::string& graph) {
  const std::string head = host + ":" + std::to_string(pid) + ":" + std::to_string(tid) + " [0] NCCL INFO ";
  std::string log = head + "Using network Socket\n";
  std::size_t from = 0;
  for (std::size_t end = graph.find('\n'); end != std::string::npos; from = end + 1, end = graph.find('\n', from))
    log += head + graph.substr(from, end - from) + "\n";
  return log + head + "comm 0x" + std::to_string(pid) + std::to_string(tid) + " rank " + std::to_string(rank) +
         " nranks " + std::to_string(nranks) + " cudaDev 0 busId " + bus + " - Init COMPLETE\n";
}

inline const std::string old_version = "a:1:1 [0] NCCL INFO NCCL version 2.14.3+cuda11.8\n";

}  // namespace nccl_analyze::test
