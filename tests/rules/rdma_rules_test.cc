// Tests which failures of an RDMA network are causes, which ones are symptoms, and when a job on such a network is
// healthy.

#include <algorithm>
#include <string>

#include "catch.h"
#include "model/resolve/errors.h"
#include "model/resolve/passes.h"
#include "nccl_analyze/analyzer.h"
#include "nccl_analyze/event.h"
#include "nccl_analyze/report.h"
#include "nccl_analyze/requirements.h"
#include "rules/support/rdma_fault.h"

namespace nccl_analyze {

namespace {

LineRef line(std::uint64_t number) { return {static_cast<SourceId>(0), number}; }

/// Returns a job of two hosts with one rank each over `network`. Process i has the lines 100i+1 to 100i+99.
Model job_over(std::string_view network) {
  Model model;
  Source source;
  source.name = "job.log";
  source.stats.nccl_lines = 200;
  model.sources.push_back(source);
  Communicator comm;
  comm.comm_id = 0x1234;
  comm.nranks = comm.nnodes = 2;
  comm.first = line(1);
  for (int i = 0; i < 2; ++i) {
    const auto first = static_cast<std::uint64_t>(i) * 100 + 1;
    Host host;
    host.name = "gpu" + std::to_string(i);
    model.hosts.push_back(host);
    Process process;
    process.host = host.name;
    process.host_index = i;
    process.communicator = 0;
    process.pid = 100 + i;
    process.bootstrap_address = "10.0.0." + std::to_string(i + 1) + "<0>";
    process.network = network;
    process.info_seen = true;
    process.first = process.network_at = line(first);
    process.last = line(first + 98);
    model.processes.push_back(process);
    Rank rank;
    rank.rank = rank.process = i;
    rank.state = RankState::complete;
    rank.phase = InitPhase::complete;
    rank.start_seen = true;
    rank.started_at = line(first + 10);
    rank.ended_at = line(first + 20);
    comm.ranks.push_back(rank);
  }
  model.communicators.push_back(comm);
  return model;
}

template <class E>
Incident& add(Model& model, IncidentKind kind, Index process, std::uint64_t at, const E& event,
              std::string_view error = {}) {
  Incident incident;
  incident.kind = kind;
  incident.process = process;
  incident.event = KeptEvent(event);
  incident.error = error;
  incident.error_number = builder::errno_of(incident);
  incident.evidence.add(line(at));
  model.incidents.push_back(std::move(incident));
  return model.incidents.back();
}

Incident& add_completion(Model& model, Index process, std::uint64_t at, std::string_view peer, int status) {
  IbCompletionFailed event;
  event.peer = peer;
  event.status = status;
  event.hca = "mlx5_0";
  Incident& made = add(model, IncidentKind::ib_completion_failed, process, at, event);
  made.peer = peer;
  return made;
}

void add_event(Model& model, Index process, std::uint64_t at, std::string_view device, std::string_view what) {
  IbAsyncEvent event;
  event.device = device;
  event.port = 1;
  event.what = what;
  add(model, IncidentKind::ib_async_event, process, at, event, what);
}

void add_call(Model& model, Index process, std::uint64_t at, std::string_view call, std::string_view reason, int code) {
  CallFailed event;
  event.call = call;
  event.reason = reason;
  event.code = code;
  add(model, IncidentKind::call_failed, process, at, event, reason);
}

/// Whether the report has the finding; consequences of other findings do not count.
bool has(const Report& report, std::string_view name) {
  return std::any_of(report.findings.begin(), report.findings.end(),
                     [&](const Finding& finding) { return finding.rule->name == name; });
}

const Finding& first(const Report& report) {
  REQUIRE(!report.findings.empty());
  return report.findings.front();
}

}  // namespace

TEST_CASE("RDMA: the status of a completion decides its fault", "[rules]") {
  const auto status = [](int code) {
    Model model;
    return rdma_fault(add_completion(model, 0, 1, "10.0.0.1<1>", code));
  };
  CHECK(status(4) == RdmaFault::memory);
  CHECK(status(5) == RdmaFault::flush);
  CHECK(status(10) == RdmaFault::memory);
  CHECK(status(12) == RdmaFault::timeout);
  CHECK(status(13) == RdmaFault::timeout);
  CHECK(status(1) == RdmaFault::none);
  CHECK(status(-1) == RdmaFault::none);
  CHECK(status(99) == RdmaFault::none);
}

TEST_CASE("RDMA: the call and its errno decide the fault of a failed call", "[rules]") {
  const auto call = [](std::string_view name, std::string_view error, int code = -1) {
    Model model;
    add_call(model, 0, 1, name, error, code);
    return rdma_fault(model.incidents[0]);
  };
  CHECK(call("ibv_modify_qp", "Connection timed out", 110) == RdmaFault::connect);
  CHECK(call("ibv_create_cq", "Cannot allocate memory") == RdmaFault::no_memory);
  CHECK(call("ibv_create_qp", "") == RdmaFault::no_memory);
  CHECK(call("ibv_create_qp", "Resource temporarily unavailable", 11) == RdmaFault::exhausted);
  CHECK(call("ibv_create_qp", "Invalid argument", 22) == RdmaFault::connect);
  CHECK(call("ibv_reg_mr", "Cannot allocate memory", 12) == RdmaFault::no_memory);
  CHECK(call("ibv_reg_dmabuf_mr", "Bad address", 14) == RdmaFault::memory);
  CHECK(call("ibv_get_async_event", "") == RdmaFault::none);
  CHECK(call("poll", "Invalid argument", 22) == RdmaFault::none);
}

TEST_CASE("RDMA: an active port, an SM change and a new GID table are at most info", "[rules]") {
  Model model = job_over("IB");
  add_event(model, 0, 30, "mlx5_0", "port active");
  add_event(model, 0, 31, "mlx5_0", "SM change");
  add_event(model, 0, 32, "mlx5_0", "GID table changed");
  const Report report = analyze(model);
  CHECK(has(report, "gid-table-change"));
  CHECK(std::all_of(report.findings.begin(), report.findings.end(),
                    [](const Finding& finding) { return finding.severity() == Severity::info; }));
}

TEST_CASE("NCA305: names the peer's rank, and accounts for the flush without quoting it", "[rules]") {
  Model model = job_over("IB");
  add_completion(model, 0, 30, "10.0.0.2<4242>", 12);
  add_completion(model, 0, 31, "10.0.0.2<4242>", 5);
  const Report report = analyze(model);
  CHECK(first(report).rule->name == "ib-timeout");
  CHECK(first(report).evidence.count == 1);
  CHECK(first(report).incidents.size() == 2);
  CHECK(report.unexplained_warnings.empty());
  CHECK(first(report).message ==
        "Rank 0 got no answer from another NIC (completion status 12, retries exceeded), once; peer 10.0.0.2, rank 1 "
        "(gpu1:101); NIC mlx5_0");
  CHECK_FALSE(has(report, "internal-error"));
}

TEST_CASE("NCA305: does not account for a flush before the failure, or in another process", "[rules]") {
  Model model = job_over("IB");
  add_completion(model, 0, 29, "10.0.0.2<4242>", 5);
  add_completion(model, 0, 30, "10.0.0.2<4242>", 12);
  add_completion(model, 1, 130, "10.0.0.1<4242>", 5);
  const Report report = analyze(model);
  CHECK(first(report).rule->name == "ib-timeout");
  CHECK(report.unexplained_warnings == std::vector<Index>{0, 2});
}

TEST_CASE("NCA607: a flush alone has no rule of its own", "[rules]") {
  Model model = job_over("IB");
  Incident& flush = add_completion(model, 0, 30, "10.0.0.2<4242>", 5);
  flush.message = "NET/IB: Got completion with status=5";
  ErrorPropagated trail;
  trail.file = "transport/net.cc";
  trail.result = 6;
  add(model, IncidentKind::error_propagated, 0, 31, trail);
  const Report report = analyze(model);
  CHECK(first(report).rule->name == "internal-error");
  CHECK(first(report).message.find("status=5") != std::string::npos);
}

TEST_CASE("NCA306: memory explains timeouts, not the other way round", "[rules]") {
  Model model = job_over("IB");
  add_completion(model, 0, 30, "10.0.0.2<4242>", 12);
  CHECK(first(analyze(model)).rule->name == "ib-timeout");
  add_completion(model, 1, 130, "10.0.0.1<4242>", 4);
  const Report report = analyze(model);
  CHECK(first(report).rule->name == "ib-memory-error");
  REQUIRE(first(report).consequences.size() == 1);
  CHECK(first(report).consequences[0].rule->name == "ib-timeout");
}

TEST_CASE("NCA307: what a lost link is depends on what came of it", "[rules]") {
  Model model = job_over("IB");
  add_event(model, 1, 130, "mlx5_0", "port error");
  SECTION("it stayed down") { CHECK(first(analyze(model)).severity() == Severity::error); }
  SECTION("another port came up") {
    add_event(model, 1, 131, "mlx5_1", "port active");
    CHECK(first(analyze(model)).severity() == Severity::error);
  }
  SECTION("it came back") {
    add_event(model, 1, 131, "mlx5_0", "port active");
    CHECK(first(analyze(model)).severity() == Severity::warning);
    CHECK(first(analyze(model)).survived);
  }
  SECTION("it came back too late") {
    add_event(model, 1, 131, "mlx5_0", "port active");
    add_completion(model, 0, 30, "10.0.0.2<4242>", 12);
    CHECK(first(analyze(model)).rule->name == "ib-link-flap");
    CHECK(first(analyze(model)).severity() == Severity::error);
  }
  SECTION("the job ended in order") {
    for (Process& process : model.processes) process.ended_in_order = true;
    CHECK(first(analyze(model)).severity() == Severity::warning);
  }
}

TEST_CASE("NCA309: memory for a queue fails first at the limit, later at the NIC", "[rules]") {
  Model model = job_over("IB");
  add_call(model, 0, 30, "ibv_create_cq", "Cannot allocate memory", 12);
  CHECK(first(analyze(model)).rule->name == "memlock-limit");
  Communicator& comm = model.communicators[0];
  comm.ranks[0].nics = 1;
  comm.ranks[0].connected = bit_of(Algorithm::rings);
  CHECK(first(analyze(model)).rule->name == "nic-resources-exhausted");
  comm.transports = {"NET/Socket"};
  CHECK(first(analyze(model)).rule->name == "memlock-limit");
}

TEST_CASE("NCA304: only where the network could reach the GPU's memory", "[rules]") {
  const auto without_gdr = [](std::string_view network) {
    Model model = job_over(network);
    Communicator& comm = model.communicators[0];
    comm.transports = {"NET/" + std::string(network)};
    comm.transport_evidence.emplace_back().add(line(40));
    Connection link;
    link.from = 0;
    link.to = 1;
    link.channel = link.device = 0;
    link.seen_send = link.seen_receive = true;
    comm.connections = ConnectionList{link};
    return model;
  };
  CHECK(has(analyze(without_gdr("IB")), "gdr-disabled"));
  CHECK_FALSE(has(analyze(without_gdr("Socket")), "gdr-disabled"));
  CHECK_FALSE(has(analyze(without_gdr("FasTrak")), "gdr-disabled"));
  CHECK_FALSE(has(analyze(without_gdr("GPUDirectTCPX_v7")), "gdr-disabled"));
  Model efa = without_gdr("Libfabric");
  CHECK(has(analyze(efa), "gdr-disabled"));
  CHECK(first(analyze(efa)).severity() == Severity::info);  // the instance may be one that cannot
  for (Process& process : efa.processes) process.platform = "g5.48xlarge";
  CHECK_FALSE(has(analyze(efa), "gdr-disabled"));
  for (Process& process : efa.processes) process.platform = "p5.48xlarge";
  CHECK(has(analyze(efa), "gdr-disabled"));
  Model one_node = without_gdr("IB");
  one_node.communicators[0].nnodes = 1;
  CHECK_FALSE(has(analyze(one_node), "gdr-disabled"));
}

TEST_CASE("NCA304: without lines about it the question stays open", "[rules]") {
  const Report report = analyze(job_over("IB"));
  CHECK_FALSE(has(report, "gdr-disabled"));
  CHECK(std::any_of(report.not_evaluated.begin(), report.not_evaluated.end(),
                    [](const NotEvaluated& open) { return open.rule == "NCA304"; }));
}

TEST_CASE("NCA311: a smaller host has fewer NICs, a host with a fault too few", "[rules]") {
  Model model = job_over("IB");
  model.processes[0].ib_devices = "[0]mlx5_0:1/IB [1]mlx5_1:1/IB";
  model.processes[1].ib_devices = "[0]mlx5_0:1/IB";
  const Report report = analyze(model);
  CHECK(first(report).rule->name == "nic-count-differs");
  CHECK(first(report).message ==
        "Hosts of one job show different numbers of NICs for the network IB: 1 NIC on gpu1 and 2 NICs on gpu0");
  // Adds a third rank, on the host with two NICs.
  Process process = model.processes[0];
  process.pid = 110;
  model.processes.push_back(process);
  Rank rank = model.communicators[0].ranks[0];
  rank.rank = rank.process = 2;
  model.communicators[0].ranks.push_back(rank);
  model.communicators[0].nranks = 3;
  CHECK_FALSE(has(analyze(model), "nic-count-differs"));
}

TEST_CASE("NCA318: only words of waiting count", "[rules]") {
  Model model = job_over("FasTrak");
  add(model, IncidentKind::vendor_network_warned, 0, 30,
      VendorNetworkNoted{.network = "FasTrak", .detail = ": Number of GPUs (16) is larger than maximum number: 8"});
  builder::resolve_incidents(model);
  CHECK_FALSE(has(analyze(model), "tcpx-timeout"));
  add(model, IncidentKind::vendor_network_warned, 0, 31,
      VendorNetworkNoted{.network = "FasTrak", .detail = ": request timed out"});
  builder::resolve_incidents(model);
  CHECK(first(analyze(model)).rule->name == "tcpx-timeout");
}

}  // namespace nccl_analyze
