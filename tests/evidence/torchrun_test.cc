// Tests that the first failure in torchrun's summary becomes the end of a process.

#include <algorithm>
#include <string>

#include "evidence/evidence_models.h"
#include "nccl_analyze/event.h"

namespace nccl_analyze {
namespace {

std::string failure(int index, std::string_view host, int rank, int code) {
  return "[" + std::to_string(index) + "]:\n  time      : 2024-03-05_07:01:51\n  host      : " + std::string(host) +
         "\n  rank      : " + std::to_string(rank) + " (local_rank: 3)\n  exitcode  : " + std::to_string(code) +
         " (pid: 69811)\n  error_file: <N/A>\n  traceback : To enable traceback see: "
         "https://pytorch.org/docs/stable/elastic/errors.html\n";
}

std::string summary_of(std::string_view root) {
  return "============================================================\ntrain.py FAILED\n"
         "------------------------------------------------------------\nFailures:\n" +
         failure(1, "node1", 2, 1) + "------------------------------------------------------------\n" +
         "Root Cause (first observed failure):\n" + std::string(root) +
         "============================================================\n";
}

const Incident* end_in(const Model& model) {
  const auto ended = std::ranges::find(model.incidents, IncidentKind::process_ended, &Incident::kind);
  return ended == model.incidents.end() ? nullptr : &*ended;
}

}  // namespace

TEST_CASE("evidence: torchrun names the worker that failed first") {
  const std::string log = summary_of(failure(0, "node7.example.com", 11, -9));
  const Model model = model_of_text(log);
  const Incident* const ended = end_in(model);
  REQUIRE(ended != nullptr);
  CHECK(ended->rank == 11);
  const auto& event = ended->event.as<ProcessEnded>();
  CHECK(event.host == "node7.example.com");
  CHECK(event.code == -9);
  CHECK(event.pid == 69811);
  CHECK(event.local_rank == 3);
  CHECK(std::ranges::count(model.incidents, IncidentKind::process_ended, &Incident::kind) == 1);
  check_same_report(log);
}

TEST_CASE("evidence: a summary of torchrun that is cut, damaged or a sentence names nobody") {
  const std::string whole = summary_of(failure(0, "node7", 11, 1));
  for (const std::string& log :
       {whole.substr(0, whole.rfind("  exitcode")), summary_of("[0]:\n  rank      : x (local_rank: 3)\n"),
        summary_of(""),
        summary_of("[0]:\n  host      : a\n  host      : b\n  rank      : 1 (local_rank: 1)\n"
                   "  exitcode  : 1 (pid: 4)\n"),
        summary_of("Root Cause (first observed failure):\n" + failure(0, "node7", 11, 1)),
        std::string("We saw Root Cause (first observed failure): [0]:\n  exitcode  : 1 (pid: 4)\n")}) {
    INFO(log);
    CHECK(end_in(model_of_text(log)) == nullptr);
    check_same_report(log);
  }
}

TEST_CASE("evidence: torchrun's lines about one end are one finding, and a NCCL line may stand between them") {
  std::string root = failure(0, "localhost", 11, -9);
  root.insert(root.find("  exitcode"),
              "node1:4:4 [0] NCCL INFO comm 0x1 rank 2 nranks 16 cudaDev 2 busId 1 - Abort COMPLETE\n");
  const std::string line = "failed (exitcode: -9) local_rank: 3 (pid: 69811) of binary: /usr/bin/python3\n";
  const Model model = model_of_text(line + summary_of(root));
  CHECK(std::ranges::count(model.incidents, IncidentKind::process_ended, &Incident::kind) == 2);
  for (const Incident& incident : model.incidents)
    if (incident.kind == IncidentKind::process_ended) CHECK(incident.rank == 11);
  const Model two = model_of_text(line + summary_of(root) + summary_of(failure(0, "node8", 3, -9)));
  REQUIRE(end_in(two) != nullptr);
  CHECK(end_in(two)->rank == -1);
}

}  // namespace nccl_analyze
