#pragma once
/// Logs of jobs whose ranks run on given hosts and nodes, and the models of these logs.

#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "nccl_analyze/analyzer.h"
#include "nccl_analyze/event.h"
#include "nccl_analyze/report.h"
#include "nccl_analyze/requirements.h"

namespace nccl_analyze::test {

inline Model placed_model(const std::string& log) {
  ModelBuilder builder;
  Parser parser(SourceId{0}, [&](const Record& record) { builder.add(record); });
  parser.feed(log);
  parser.finish();
  builder.add_source(SourceId{0}, "log", parser.stats());
  return std::move(builder).build();
}

inline std::string job_text(const Model& model) {
  std::ostringstream out;
  write_text(out, model, {});
  return out.str();
}

inline bool has(const std::string& whole, std::string_view part) { return whole.find(part) != std::string::npos; }

/// Returns a line of a rank's process on a host.
inline std::string rank_line(const std::string& host, int rank, const std::string& message) {
  const std::string pid = std::to_string(100 + rank);
  return host + ":" + pid + ":" + pid + " [0] NCCL INFO " + message + "\n";
}

struct Placed {
  std::string host;
  int rank, nranks, nnodes, local_ranks, local_rank;
  int mnnvl = 0;
};

inline std::string in_hex(int number) {
  std::ostringstream out;
  out << std::hex << number;
  return out.str();
}

/// Returns the text that identifies a rank in Init START and COMPLETE. The bus id is 1000, 2000, … by local rank.
inline std::string placed_identity(const Placed& one) {
  return "ncclCommInitRank comm 0xa" + in_hex(one.rank) + " rank " + std::to_string(one.rank) + " nranks " +
         std::to_string(one.nranks) + " cudaDev 0 nvmlDev " + std::to_string(one.local_rank) + " busId " +
         in_hex(0x1000 * (one.local_rank + 1)) + " commId 0x7 - Init ";
}

inline std::string placed_start(const Placed& one) {
  return rank_line(one.host, one.rank, placed_identity(one) + "START") +
         rank_line(one.host, one.rank,
                   "comm 0xa" + in_hex(one.rank) + " rank " + std::to_string(one.rank) + " nRanks " +
                       std::to_string(one.nranks) + " nNodes " + std::to_string(one.nnodes) + " localRanks " +
                       std::to_string(one.local_ranks) + " localRank " + std::to_string(one.local_rank) + " MNNVL " +
                       std::to_string(one.mnnvl));
}

inline std::string placed_job(const std::vector<Placed>& ranks, const std::string& last = "") {
  std::string log;
  for (const Placed& one : ranks)
    log += rank_line(one.host, one.rank, "NCCL version 2.27.3+cuda12.4") + placed_start(one);
  log += last;
  for (const Placed& one : ranks) log += rank_line(one.host, one.rank, placed_identity(one) + "COMPLETE");
  return log;
}

inline std::string rank_via(const std::string& host, int from, int to, const std::string& words) {
  return rank_line(host, from,
                   "Channel 00/0 : " + std::to_string(from) + "[0] -> " + std::to_string(to) + "[0] " + words);
}

}  // namespace nccl_analyze::test
