// The facts of a run: by rank, without the names of hosts, and nothing for what was not seen.

#include <algorithm>
#include <string>
#include <vector>

#include "catch.h"
#include "compare/runs.h"

namespace nccl_analyze::test {
namespace {

/// The values of a fact; none if it was not seen.
std::vector<FactValue> values_of(const RunFacts& facts, Topic topic, const std::string& name) {
  const auto found =
      std::ranges::find_if(facts.facts, [&](const Fact& fact) { return fact.topic == topic && fact.name == name; });
  return found == facts.facts.end() ? std::vector<FactValue>{} : found->values;
}

std::string value_of(const RunFacts& facts, Topic topic, const std::string& name) {
  const std::vector<FactValue> values = values_of(facts, topic, name);
  return values.size() == 1 ? values.front().text : std::to_string(values.size()) + " values";
}

}  // namespace

TEST_CASE("compare: facts of a healthy job") {
  const RunFacts facts = facts_of(log_of(two_hosts));
  CHECK(facts.nranks == 8);
  CHECK(facts.ranks.size() == 8);
  CHECK(facts.hosts.size() == 2);
  CHECK(value_of(facts, Topic::job, "ranks") == "8");
  CHECK(value_of(facts, Topic::job, "hosts") == "2");
  CHECK(value_of(facts, Topic::job, "ranks on a host") == "4");
  CHECK(value_of(facts, Topic::job, "placement") == "consecutive ranks on each host");
  CHECK(value_of(facts, Topic::network, "network") == "IB");
  CHECK(value_of(facts, Topic::gpudirect, "GPUDirect RDMA") == "used");
  CHECK(value_of(facts, Topic::transports, "inside a host") == "P2P/CUMEM");
  CHECK(value_of(facts, Topic::transports, "between hosts") == "NET/IB");
  CHECK(value_of(facts, Topic::versions, "NCCL") == "2.27.3");
  CHECK(value_of(facts, Topic::versions, "CUDA driver") == "12.9");
  CHECK(value_of(facts, Topic::settings, "NCCL_IB_HCA") == "mlx5");
  CHECK(value_of(facts, Topic::nics, "number of NICs, IB") == "4");
  CHECK(value_of(facts, Topic::channels, "channels") == "2");
  CHECK(value_of(facts, Topic::start, "initialisation") == "complete");
  CHECK(values_of(facts, Topic::network, "network").front().ranks == std::vector{0, 1, 2, 3, 4, 5, 6, 7});
  CHECK(values_of(facts, Topic::network, "network").front().at.line > 0);
  CHECK(facts.measures.front().name == "initialisation");
  CHECK(facts.measures.front().value == Approx(9.98));
}

TEST_CASE("compare: a value that no line shows is no fact") {
  const RunFacts facts = facts_of(without(log_of(two_hosts), "Using network"));
  CHECK(values_of(facts, Topic::network, "network").empty());
  CHECK(values_of(facts, Topic::network, "tuner plugin").empty());
  CHECK(values_of(facts, Topic::machines, "NVLink of the GPU").empty());
  CHECK(facts_of("no line of NCCL\n").facts.empty());
}

TEST_CASE("compare: values that differ between ranks are kept by rank") {
  const std::string log = replaced(log_of(two_hosts), "Using network IB", "Using network Socket", "worker-1:");
  const std::vector<FactValue> values = values_of(facts_of(log), Topic::network, "network");
  REQUIRE(values.size() == 2);
  CHECK(values[0].text == "IB");
  CHECK(values[0].ranks == std::vector{0, 1, 2, 3});
  CHECK(values[1].ranks == std::vector{4, 5, 6, 7});
}

TEST_CASE("compare: addresses and names of one run are no facts") {
  const std::string log =
      replaced(log_of(two_hosts), "NCCL_IB_HCA set to mlx5", "NCCL_COMM_ID set by environment to 10.0.0.2:4000");
  CHECK(value_of(facts_of(log), Topic::settings, "NCCL_COMM_ID") == "set");
}

}  // namespace nccl_analyze::test
