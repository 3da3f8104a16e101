// Tests that a job with very many logs is kept whole, while one log is bounded.

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "catch.h"
#include "nccl_analyze/model.h"
#include "nccl_analyze/parser.h"
#include "queries/ranks.h"

namespace nccl_analyze::test {
namespace {

Model model_of_logs(const std::vector<std::string>& logs, ModelLimits limits = {}) {
  ModelBuilder builder(limits);
  for (std::uint32_t i = 0; i < logs.size(); ++i) {
    Parser parser(SourceId{i}, [&](const Record& record) { builder.add(record); });
    parser.feed(logs[i]);
    parser.finish();
    builder.add_source(SourceId{i}, "log" + std::to_string(i), parser.stats());
  }
  return std::move(builder).build();
}

std::string version_of(std::size_t process) {
  return "h" + std::to_string(process) + ":1:1 [0] NCCL INFO NCCL version 2.27.3+cuda12.4\n";
}

}  // namespace

TEST_CASE("limits: processes and communicators grow with the number of logs") {
  constexpr std::size_t logs = 4000;
  ModelLimits limits;
  limits.max_processes = limits.max_communicators = 3125;
  std::vector<std::string> many;
  std::string one;
  for (std::size_t i = 0; i < logs; ++i) {
    const std::string begin = "h" + std::to_string(i) + ":1:1 [0] NCCL INFO ";
    many.push_back(begin + "ncclCommInitRank comm 0x1 rank 0 nranks 1 cudaDev 0 nvmlDev 0 busId 1000 commId 0x" +
                   std::to_string(i + 10) + " - Init START\n");
    one += version_of(i);
  }
  const Model whole = model_of_logs(many, limits), bounded = model_of_logs({one}, limits);
  CHECK(whole.processes.size() == logs);
  CHECK(whole.communicators.size() == logs);
  CHECK(whole.dropped == 0);
  CHECK(bounded.processes.size() == 3125);
  CHECK(bounded.dropped == logs - 3125);
}

TEST_CASE("limits: nothing is said to be missing that may be beyond a limit") {
  std::string log =
      "h0:1:1 [0] NCCL INFO ncclCommInitRank comm 0x1 rank 0 nranks 8 cudaDev 0 nvmlDev 0 busId 1000 "
      "commId 0x5 - Init START\n";
  for (std::size_t i = 1; i <= ModelLimits{}.max_processes; ++i) log += version_of(i);
  const Model model = model_of_logs({log});
  CHECK(model.processes.size() == ModelLimits{}.max_processes);
  CHECK(lacks_processes(model));
  CHECK(has_unplaced_lines(model));
}

}  // namespace nccl_analyze::test
