// Tests suspects in reports: their address in every format, and commands that are safe to copy.

#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "catch.h"
#include "nccl_analyze/report.h"
#include "queries/address.h"
#include "report/sentences/verdict.h"
#include "report_models.h"
#include "text/host_list.h"

namespace nccl_analyze {
namespace {

using namespace test;

constexpr RuleWords hang_words{
    .title = "A collective timed out", .explanation = "Explained.", .fix = "1. Look at the rank."};
const RuleInfo hang{.id = "NCA604",
                    .name = "watchdog-timeout",
                    .severity = Severity::error,
                    .stage = Stage::hang,
                    .words = &hang_words};

Model model_with_pod() {
  Model model = small_model("gpu-a1");
  model.processes[0].pod = "worker-6";
  model.processes[0].container = "trainer";
  model.communicators[0].ranks[0].nvml_dev = 4;
  return model;
}

Report report_with(const Suspect& suspect) {
  Report report = small_report();
  report.findings[0].rule = &hang;
  report.findings[0].suspects = {suspect};
  return report;
}

Suspect rank_zero() {
  Suspect suspect;
  suspect.rank = 0;
  suspect.why = "called AllReduce 173 last";
  return suspect;
}

std::string text(const Model& model, const Report& report) {
  std::ostringstream out;
  write_text(out, model, report, {});
  return out.str();
}

}  // namespace

TEST_CASE("suspects: the text has their address and what to do") {
  const std::string written = text(model_with_pod(), report_with(rank_zero()));
  const std::string address = "rank 0 (pod worker-6, gpu-a1, GPU 4, pid 152)";
  CHECK(written.starts_with("ERROR  A collective timed out: " + address + "\n"));
  CHECK(contains(written, "ERROR  NCA604 watchdog-timeout  " + address + "\n"));
  CHECK(contains(written, "\n  Next: kubectl exec worker-6 -c trainer -- py-spy dump --pid 152\n"));
}

TEST_CASE("suspects: JSON gives process, pod, GPU and reason of each") {
  std::ostringstream out;
  write_json(out, model_with_pod(), report_with(rank_zero()));
  const auto json = nlohmann::json::parse(out.str());
  const auto& suspect = json["findings"][0]["suspects"][0];
  CHECK(suspect["process"] == 0);
  CHECK(suspect["pod"] == "worker-6");
  CHECK(suspect["gpu"] == 4);
  CHECK(suspect["why"] == "called AllReduce 173 last");
  CHECK(json["findings"][0]["stage"] == "hang");
  CHECK(json["findings"][0]["rank_list"] == nlohmann::json::parse("[0]"));
  CHECK(json["verdict"]["status"] == "error");
  CHECK(contains(json["verdict"]["headline"].get<std::string>(), "gpu-a1"));
}

TEST_CASE("suspects: who is only inferred, or has no line, is told so") {
  Suspect inferred = rank_zero();
  inferred.inferred = true;
  CHECK(contains(text(model_with_pod(), report_with(inferred)), "probably rank 0 (pod"));
  Suspect unlogged;
  unlogged.rank = 3;
  const std::string written = text(model_with_pod(), report_with(unlogged));
  CHECK(contains(written, "A collective timed out: rank 3\n"));
  CHECK(!contains(written, "Next:"));
}

TEST_CASE("suspects: a command holds only names that mean themselves in a shell") {
  Address address{.rank = 0, .process = 0, .host = "gpu-a1", .pod = {}, .container = {}, .pid = 152, .gpu = 0};
  CHECK(stack_command(address, true) == "ssh gpu-a1 py-spy dump --pid 152");
  CHECK(stack_command(address, false) == "ssh gpu-a1 gstack 152");
  address.container = "trainer";  // The pid is valid only inside the container.
  CHECK(stack_command(address, true).empty());
  for (const char* pod : {"$(reboot)", "a;b", "-n", "a b", "a`b`", "a/b"}) {
    address.pod = pod;
    CHECK(stack_command(address, true).empty());
  }
}

TEST_CASE("suspects: names that differ in a number are one item") {
  CHECK(fold_host_list({"w-0", "w-1", "w-3"}, 4) == "w-[0-1,3]");
  CHECK(fold_host_list({"w-7", "x", "w"}, 4) == "w, w-7, x");
  CHECK(fold_host_list({"a", "b", "c"}, 2) == "a, b and 1 more");
  CHECK(fold_host_list({"n007", "n008"}, 4) == "n[007-008]");
}

TEST_CASE("suspects: unknown ranks are in no list") {
  CHECK(rank_set({-1, 3, 2, -1}) == "2-3");
  CHECK(rank_set({-1}).empty());
}

}  // namespace nccl_analyze
