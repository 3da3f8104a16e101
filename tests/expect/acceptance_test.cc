// The acceptance of a cluster: the matrix of nodes and checks, and the expectations that name hosts, times, bandwidth.

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include "catch.h"
#include "expect/judged_job.h"
#include "nccl_analyze/report.h"

namespace nccl_analyze::test {
namespace {

Report judged(const Model& model, std::string_view words) {
  const ParsedExpectations parsed = parse_expectations(words);
  REQUIRE(parsed.error == "");
  Report report;
  check_expectations(model, parsed.expectations, all_rules(), report);
  REQUIRE(report.acceptance);
  return report;
}

std::string text_of(const Model& model, const Report& report, std::size_t columns = 100) {
  std::ostringstream out;
  write_text(out, model, report, {.columns = columns});
  const std::string text = out.str();
  const std::size_t from = text.find("Acceptance"), to = text.find("\n\n", from);
  return from == std::string::npos ? "" : text.substr(from, to - from);
}

/// `hosts` hosts with 8 GPUs and 8 NICs, `name` before their numbers of three digits.
Model cluster(int hosts) {
  Model model = job(hosts, 8);
  for (int i = 0; i < hosts; ++i) {
    std::string number = std::to_string(i + 1);
    number.insert(0, 3 - number.size(), '0');
    Host& host = model.hosts[static_cast<Index>(i)];
    host.name = "dgx" + number;
    host.network_ends = host.gdr_ends = 16;
    for (int nic = 0; nic < 8; ++nic) {
      HostNic& one = host.nics.emplace_back();
      one.network = "IB";
      one.index = nic;
    }
  }
  for (Process& process : model.processes) {
    process.host = model.hosts[process.host_index].name;
    process.ib_devices = "[0]mlx5_0:1/IB";
  }
  for (Rank& rank : model.communicators[0].ranks)
    rank.init_seconds = InitSeconds{.total = 10.0 + rank.rank, .at = line(static_cast<std::uint64_t>(rank.rank) + 1)};
  return model;
}

}  // namespace

TEST_CASE("acceptance: equal nodes are one row, and the odd one is named with what it has") {
  Model model = cluster(80);
  model.hosts[4].nics.pop_back();
  model.hosts[4].gdr_ends = 0;
  const Report report = judged(model, "gpus=8,network=IB,gdr,nics=8,ranks=640");
  const Acceptance& acceptance = *report.acceptance;
  REQUIRE(acceptance.nodes.size() == 80);
  CHECK(acceptance.columns.size() == 4);
  CHECK(acceptance.job.size() == 1);
  CHECK(std::ranges::count(acceptance.nodes, pass, &AcceptanceNode::status) == 79);
  const AcceptanceNode& odd = acceptance.nodes[4];
  CHECK(odd.name == "dgx005");
  CHECK(odd.cells[2].status == fail);
  CHECK(odd.cells[3].seen == "7 NICs");
  CHECK(odd.cells[3].amount == 7);
  CHECK(text_of(model, report) ==
        "Acceptance: 79 of 80 nodes pass\n"
        "  node                  gpus  network  gdr   nics\n"
        "  dgx005                ok    ok       FAIL  7/8\n"
        "  dgx[001-004,006-080]  ok    ok       ok    ok\n"
        "  dgx005: gdr FAIL: no GPUDirect RDMA; nics 7/8: 7 NICs");
}

TEST_CASE("acceptance: a cell names the first three values of its processes, also one that begins another") {
  Model model = cluster(1);
  const std::vector<std::string> networks{"Socket10", "Socket1", "Socket10", "A", "B", "C"};
  for (std::size_t i = 0; i < networks.size(); ++i) model.processes[static_cast<Index>(i)].network = networks[i];
  CHECK(judged(model, "network=IB").acceptance->nodes[0].cells[0].seen == "Socket10, Socket1, A, ...");
}

TEST_CASE("acceptance: what no line shows is unknown, and a node that shows nothing is no pass") {
  const Model model = job(2, 8);
  const Report report = judged(model, "gdr,gpus=8");
  CHECK(std::ranges::count(report.acceptance->nodes, unknown, &AcceptanceNode::status) == 2);
  CHECK(says(text_of(model, report), "0 of 2 nodes pass"));
  CHECK(!analyze(model).acceptance);
}

TEST_CASE("acceptance: nodes of the job without a log are counted, and named if they are expected") {
  Model model = cluster(3);
  Communicator& comm = model.communicators[0];
  comm.nranks = 40;
  comm.nnodes = 5;
  const Report unnamed = judged(model, "gpus=8");
  CHECK(unnamed.acceptance->unlogged_nodes == 2);
  CHECK(says(text_of(model, unnamed), "3 of 5 nodes pass"));
  const Report named = judged(model, "gpus=8,hosts=dgx[001-005]");
  CHECK(named.acceptance->unlogged_nodes == 0);
  REQUIRE(named.acceptance->nodes.size() == 5);
  CHECK(!named.acceptance->nodes[3].has_log);
  CHECK(named.acceptance->nodes[3].status == fail);
  CHECK(says(text_of(model, named), "dgx[004-005]: no log in this input"));
}

TEST_CASE("acceptance: a wide matrix names the columns that every node passes, and splits the others") {
  Model model = cluster(2);
  for (Host& host : model.hosts) host.gdr_ends = 0;
  const Report report =
      judged(model, "gpus=8,network=IB,one-network,one-version,version>=2.20,nics=8,gdr,nics-used=8,nic-speed>=400");
  const std::string text = text_of(model, report, 60);
  CHECK(says(text, "ok on every node: gpus, network, one-network, one-version,\n    version, nics"));
  CHECK(says(text, "gdr"));
  std::istringstream lines(text);
  for (std::string one; std::getline(lines, one);) CHECK(one.size() <= 60);
}

TEST_CASE("acceptance: a column is not called ok where a row that is left out fails") {
  Model model = cluster(14);
  for (Index i = 0; i < 14; ++i) {
    Host& host = model.hosts[i];
    host.gdr_ends = i < 7 ? 0 : 16;
    while (host.nics.size() > static_cast<std::size_t>(i % 7)) host.nics.pop_back();
  }
  for (Process& process : model.processes)
    if (process.host_index == 13) process.network = "Socket";
  const Report report = judged(model, "gpus=8,network=IB,one-version,nics=8,gdr,nics-used=8,nic-speed>=400,ranks=4");
  const std::string text = text_of(model, report, 60);
  CHECK(says(text, "and 2 other nodes (-v shows them)"));
  CHECK(says(text, "ok on every node: gpus, one-version"));
  CHECK(says(text, "  job: ranks=4 FAIL: 112 ranks"));
}

TEST_CASE("acceptance: two nodes of one name are told apart by pod") {
  Model model = cluster(2);
  model.hosts[0].name = model.hosts[1].name = "dgx001";
  model.hosts[0].pod = "w-0";
  model.hosts[1].pod = "w-1";
  const Report report = judged(model, "gpus=8");
  REQUIRE(report.acceptance->nodes.size() == 2);
  CHECK(says(text_of(model, report), "dgx001/w-[0-1]"));
}

TEST_CASE("expectations: hosts are those of the list, no fewer and no others") {
  Model model = cluster(3);
  CHECK(check_of(model, "hosts=dgx[001-003]").detail == "the logs of all 3 hosts");
  CHECK(status_of(model, "hosts=DGX[001-003].cluster.example") == pass);
  const Check missing = check_of(model, "hosts=dgx[001-006]");
  CHECK(missing.status == fail);
  CHECK(missing.detail == "no log of 3 of 6 hosts (dgx[004-006])");
  CHECK(check_of(model, "hosts=dgx[001-002],login1").detail ==
        "no log of 1 of 3 hosts (login1); 1 host not expected (dgx003)");
  model.processes[20].host_index = -1;  // its lines name no host: it may be the missing one
  CHECK(status_of(model, "hosts=dgx[001-004]") == unknown);
  CHECK(status_of(Model{}, "hosts=a") == unknown);
}

TEST_CASE("expectations: the time of the initialisation is the longest of a process") {
  Model model = cluster(2);
  CHECK(check_of(model, "init<=60s").detail == "10.0 s to 25.0 s on 16 processes");
  CHECK(status_of(model, "init<=25") == pass);
  CHECK(status_of(model, "init<0.5m") == pass);
  const Check slow = check_of(model, "init<=20s");
  CHECK(slow.status == fail);
  CHECK(slow.detail == "21.0 s to 25.0 s on 5 of 16 processes (dgx002); 10.0 s to 20.0 s on 11 of 16 processes");
  model.communicators[0].ranks[3].init_seconds = {};
  CHECK(status_of(model, "init<=60s") == unknown);
  model.communicators[0].ranks[3].state = RankState::failed;
  CHECK(status_of(model, "init<=60s") == fail);
}

TEST_CASE("expectations: bandwidth is the best of nccl-tests, and unknown without a table") {
  const Check check = check_of(cluster(1), "busbw>=380.5");
  CHECK(check.status == unknown);
  CHECK(check.detail == "no nccl-tests table in the input");
  Model model = cluster(1);
  Benchmark& benchmark = model.benchmarks.emplace_back();
  for (const double busbw : {12.5, 390.25, 388.0}) {
    Measurement& measured = benchmark.measurements.emplace_back();
    measured.at = line(7);
    measured.busbw = busbw;
  }
  CHECK(status_of(model, "busbw>=380.5") == pass);
  CHECK(check_of(model, "busbw>=400").detail == "at most 390.25 GB/s");
  CHECK(status_of(model, "busbw>=400") == fail);
}

}  // namespace nccl_analyze::test
