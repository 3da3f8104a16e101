#pragma once
/// A job for tests of expectations, and helpers that check one expectation of a model.

#include <string>
#include <vector>

#include "catch.h"
#include "nccl_analyze/requirements.h"

namespace nccl_analyze::test {

inline LineRef line(std::uint64_t number) { return {SourceId{0}, number}; }

/// Returns a job with `gpus` ranks on each host and one process per rank.
inline Model job(int hosts, int gpus) {
  Model model;
  Communicator comm;
  comm.comm_id = 1;
  comm.nranks = hosts * gpus;
  comm.nnodes = hosts;
  comm.first = line(1);
  for (int i = 0; i < comm.nranks; ++i) {
    Process& process = model.processes.emplace_back();
    process.host = "node-" + std::to_string(i / gpus);
    process.host_index = i / gpus;
    process.pid = 100 + i;
    process.library = "NCCL";
    process.version = "2.27.3";
    process.driver = 12080;
    process.network = "IB";
    process.first = process.version_at = process.network_at = line(static_cast<std::uint64_t>(i) + 1);
    Rank& rank = comm.ranks.emplace_back();
    rank.rank = i;
    rank.process = i;
    rank.cuda_dev = rank.nvml_dev = i % gpus;
    rank.local_ranks = gpus;
    rank.connected = bit_of(Algorithm::rings);
  }
  for (int i = 0; i < hosts; ++i) model.hosts.emplace_back().name = "node-" + std::to_string(i);
  model.communicators = {comm};
  return model;
}

inline std::vector<Check> checks_of(const Model& model, std::string_view words, Report report = {}) {
  const ParsedExpectations parsed = parse_expectations(words);
  REQUIRE(parsed.error == "");
  check_expectations(model, parsed.expectations, all_rules(), report);
  return report.checks;
}

inline Check check_of(const Model& model, std::string_view word) {
  const std::vector<Check> checks = checks_of(model, word);
  REQUIRE(checks.size() == 1);
  return checks[0];
}

inline CheckStatus status_of(const Model& model, std::string_view word) {
  INFO(word);
  return check_of(model, word).status;
}

inline bool says(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

inline constexpr auto pass = CheckStatus::pass;
inline constexpr auto fail = CheckStatus::fail;
inline constexpr auto unknown = CheckStatus::unknown;

}  // namespace nccl_analyze::test
