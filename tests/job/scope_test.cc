// Tests that restricting a model to hosts and communicators renumbers every index and keeps the facts of the whole job.

#include <sstream>
#include <string>
#include <vector>

#include "catch.h"
#include "nccl_analyze/analyzer.h"
#include "nccl_analyze/report.h"

namespace nccl_analyze {
namespace {

/// Returns a model with two processes, on hosts a and b, and two communicators: comm 0 has both processes, and its
/// child comm 1 has the process on b only.
Model two_hosts() {
  Model model;
  model.processes.resize(2);
  model.processes[0].host = "a";
  model.processes[1].host = "b";
  Communicator world;
  world.comm_id = 0x10;
  world.nranks = 2;
  world.ranks.resize(2);
  for (int i = 0; i < 2; ++i) {
    world.ranks[static_cast<std::size_t>(i)].rank = i;
    world.ranks[static_cast<std::size_t>(i)].process = i;
    world.ranks[static_cast<std::size_t>(i)].comm = 0x100U + static_cast<unsigned>(i);
  }
  Communicator child;
  child.comm_id = 0x20;
  child.parent = 0;
  child.nranks = 1;
  child.ranks.resize(1);
  child.ranks[0].rank = 0;
  child.ranks[0].process = 1;
  child.ranks[0].comm = 0x200;
  model.communicators = {world, child};
  model.processes[0].communicator = model.processes[1].communicator = 0;
  model.incidents.resize(2);
  model.incidents[0].process = 0;
  model.incidents[1].process = 1;
  model.incidents[1].communicator = 1;
  return model;
}

Report findings_on(std::vector<std::vector<Index>> processes) {
  Report report;
  for (auto& touched : processes) {
    Finding finding;
    finding.processes = std::move(touched);
    report.findings.push_back(std::move(finding));
  }
  return report;
}

/// Adds what each kind of document shows of both hosts, of the host and the communicator that the filter drops alone,
/// and of nothing that the log names.
void add_documents(Model& model) {
  model.hosts.resize(2);
  model.processes[1].host_index = 1;
  model.processes[0].host_index = 0;
  for (const Index process : {0, 1, -1}) {
    model.stuck.emplace_back().process = process;
    model.flight_records.emplace_back().process = process;
    model.inspected.emplace_back().process = process;
    model.durations.emplace_back().communicator = process;
    model.machines.emplace_back().host = process;
    model.pods.emplace_back();
    if (process >= 0) model.pods.back().hosts = {process};
    Benchmark& benchmark = model.benchmarks.emplace_back();
    benchmark.communicator = process;
    benchmark.ranks.emplace_back().process = process;
    RasCommunicator& comm = model.ras_reports.emplace_back().communicators.emplace_back();
    comm.communicator = process;
    comm.lost.emplace_back().process = process;
    comm.counts.emplace_back().listed.emplace_back().process = process;
    model.launch_counts.emplace_back().listed.emplace_back().process = process;
  }
}

TEST_CASE("filter: documents of other tools are narrowed with the log that they are about") {
  Model model = two_hosts();
  add_documents(model);
  Report report;
  restrict_to({.host = [](std::string_view host) { return host == "b"; }, .comm = "0x20"}, model, report);
  REQUIRE(model.processes.size() == 1);
  REQUIRE(model.communicators.size() == 1);
  REQUIRE(model.hosts.size() == 1);
  const auto indices = [](const auto& items, auto index_of) {
    std::vector<Index> found;
    for (const auto& item : items) found.push_back(index_of(item));
    return found;
  };
  const std::vector<Index> kept{0, -1};
  const auto process_of = [](const auto& one) { return one.process; };
  CHECK(indices(model.stuck, process_of) == kept);
  CHECK(indices(model.flight_records, process_of) == kept);
  CHECK(indices(model.inspected, process_of) == kept);
  CHECK(indices(model.durations, [](const RecordedDuration& one) { return one.communicator; }) == kept);
  CHECK(indices(model.machines, [](const Machine& one) { return one.host; }) == kept);
  CHECK(indices(model.pods, [](const Pod& one) { return one.hosts.empty() ? -1 : one.hosts[0]; }) == kept);
  CHECK(indices(model.benchmarks, [](const Benchmark& one) { return one.communicator; }) == kept);
  CHECK(indices(model.benchmarks, [](const Benchmark& one) { return one.ranks[0].process; }) == kept);
  const auto first = [](const RasReport& one) { return one.communicators[0]; };
  CHECK(indices(model.ras_reports, [&](const RasReport& one) { return first(one).communicator; }) == kept);
  CHECK(indices(model.ras_reports, [&](const RasReport& one) { return first(one).lost[0].process; }) == kept);
  CHECK(indices(model.ras_reports, [&](const RasReport& one) { return first(one).counts[0].listed[0].process; }) ==
        kept);
  CHECK(indices(model.launch_counts, [](const RasOpCounts& one) { return one.listed[0].process; }) ==
        std::vector<Index>{-1, 0, -1});
}

TEST_CASE("filter: a scope without host and communicator changes nothing") {
  Model model = two_hosts();
  Report report = findings_on({{0}, {1}});
  const auto written = [&model] {
    std::ostringstream out;
    write_json(out, model, {});
    return out.str();
  };
  const std::string before = written();
  restrict_to({}, model, report);
  CHECK(written() == before);
  REQUIRE(report.findings.size() == 2);
  CHECK(report.findings[1].processes == std::vector<Index>{1});
}

TEST_CASE("filter: a process stands in the first communicator that is left") {
  Model model = two_hosts();
  Report report;
  restrict_to({.host = {}, .comm = "0x20"}, model, report);
  REQUIRE(model.communicators.size() == 1);
  REQUIRE(model.processes.size() == 1);
  CHECK(model.processes[0].communicator == 0);
  CHECK(model.communicators[0].number == 1);
  model = two_hosts();
  model.communicators.pop_back();
  model.incidents.pop_back();
  model.communicators[0].ranks.pop_back();
  restrict_to({.host = [](std::string_view host) { return host == "b"; }, .comm = {}}, model, report);
  REQUIRE(model.processes.size() == 1);
  CHECK(model.processes[0].communicator == -1);
}

TEST_CASE("filter: a host keeps its process and its communicators, and the other ranks without a process") {
  Model model = two_hosts();
  Report report = findings_on({{0}, {1}, {0, 1}, {}});
  restrict_to({.host = [](std::string_view host) { return host == "b"; }, .comm = {}}, model, report);
  REQUIRE(model.processes.size() == 1);
  CHECK(model.processes[0].host == "b");
  REQUIRE(model.communicators.size() == 2);
  CHECK(model.communicators[0].ranks[0].process == -1);
  CHECK(model.communicators[0].ranks[1].process == 0);
  CHECK(model.communicators[1].parent == 0);
  REQUIRE(model.incidents.size() == 1);
  CHECK(model.incidents[0].communicator == 1);
  REQUIRE(report.findings.size() == 3);
  CHECK(report.findings[0].processes == std::vector<Index>{0});
  CHECK(report.findings[2].processes.empty());
}

TEST_CASE("filter: a communicator is found by its id or by any rank's pointer") {
  const std::string id = GENERATE("0x20", "0x200");
  Model model = two_hosts();
  Report report;
  restrict_to({.host = {}, .comm = id}, model, report);
  REQUIRE(model.communicators.size() == 1);
  CHECK(model.communicators[0].comm_id == 0x20);
  CHECK(model.communicators[0].parent == -1);
  CHECK(model.communicators[0].ranks[0].process == 0);
  CHECK(model.processes.size() == 1);
}

TEST_CASE("filter: a scope that nothing matches leaves an empty model") {
  Model model = two_hosts();
  Report report = findings_on({{0}});
  restrict_to({.host = [](std::string_view) { return false; }, .comm = {}}, model, report);
  CHECK(model.processes.empty());
  CHECK(model.communicators.empty());
  CHECK(report.findings.empty());
}

}  // namespace
}  // namespace nccl_analyze
