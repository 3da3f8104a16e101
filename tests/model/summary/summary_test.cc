// Tests that summaries are small, stay within the limits of a model, and are refused if they are damaged.

#include "nccl_analyze/summary.h"

#include <algorithm>
#include <filesystem>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "catch.h"
#include "nccl_analyze/analyzer.h"
#include "nccl_analyze/event.h"
#include "nccl_analyze/report.h"
#include "nccl_analyze/requirements.h"
#include "simulated_job.h"
#include "summarised.h"
#include "testdata.h"

namespace nccl_analyze::test {

TEST_CASE("summary: 10,000 equal calls add no more than the last 32") {
  std::string once, often;
  simulate({.hosts = 1, .channels = 2}, [&](const std::string& line) { once += line; });
  const std::string step =
      "worker-0:1000:1000 [0] NCCL INFO AllReduce: opCount 1 sendbuff 0x7f recvbuff 0x7f count 4 datatype 7 op 0 root "
      "0 "
      "comm 0x55 [nranks=8] stream 0x55\n";
  often = once;
  for (int i = 0; i < 10000; ++i) often += step;
  const auto size = [](const std::string& log) {
    Summary summary;
    Parser parser(SourceId{0}, [&](const Record& record) { summary.add(record); });
    parser.feed(log);
    parser.finish();
    summary.add_source(SourceId{0}, "log", parser.stats());
    std::ostringstream out;
    write_summary(out, summary);
    return out.str().size();
  };
  CHECK(size(often) < size(once) + (Calls::max_recent + 4) * (step.size() + 50));
}

TEST_CASE(
    "summary: processes beyond the model's limit are left out and counted, in the log's model and in its summary's") {
  const std::size_t limit = 10;
  ModelLimits limits;
  limits.max_processes = limit;
  ModelBuilder direct(limits);
  Summary summary(limit);
  Record record;
  record.event = Unrecognized{};
  record.message = record.text = "words";
  std::string host;
  for (std::uint64_t i = 0; i < limit + 3; ++i) {
    host = "h" + std::to_string(i);
    record.at = {SourceId{0}, i + 1};
    record.origin.host = host;
    record.origin.pid = 1;
    direct.add(record);
    summary.add(record);
  }
  direct.add_source(SourceId{0}, "log", {});
  summary.add_source(SourceId{0}, "log", {});
  const Model model = std::move(direct).build();
  CHECK(model.processes.size() == limit);
  CHECK(model.dropped == 3);

  std::stringstream written;
  write_summary(written, summary);
  Summary back;
  SummaryReader reader(back);
  reader.feed(written.str());
  REQUIRE(reader.finish() == "");
  ModelBuilder merged;
  back.replay(merged);
  const Model again = std::move(merged).build();
  CHECK(again.processes.size() == limit);
  CHECK(again.dropped == 3);
}

TEST_CASE("summary: a damaged or foreign document is refused with its line") {
  const auto refusal = [](const std::string& text) {
    Summary into;
    SummaryReader reader(into);
    reader.feed(text);
    return reader.finish();
  };
  const std::string head = R"({"schema":"nccl-analyze.summary","version":1})"
                           "\n";
  const std::string piece =
      R"({"piece":"a","lines_before":0,"bytes":1,"lines":1,"nccl_lines":1,"unrecognized":0,"malformed":0,"truncated":0,)"
      R"("damaged":[1,0,0,0,0]})"
      "\n";
  CHECK(refusal(head + piece + R"({"pieces":1})") == "");
  CHECK(refusal("") == "the summary ends before its last line; write it again");
  CHECK(refusal(head + piece) == "the summary ends before its last line; write it again");
  CHECK(refusal("h:1:1 [0] NCCL INFO x\n") == "line 1: this is no summary");
  CHECK(refusal(R"({"schema":"other","version":1})") == "line 1: it is another kind of document");
  CHECK(refusal(R"({"schema":"nccl-analyze.summary","version":4})") ==
        "line 1: its version is not known: use the nccl-analyze that wrote it");
  CHECK(refusal(head + piece + "[1,7,\"x\"]\n") == "line 3: a record names an origin that is not there");
  CHECK(refusal(head + piece + "[\"x\"]\n") == "line 3: this is not as `--format summary` writes it");
  CHECK(refusal(head + R"({"pieces":1})") == "line 2: pieces are missing");
  CHECK(refusal(head + R"({"piece":"a","writers":[0]})") == "line 2: a piece names a writer that is not there");
  CHECK(refusal(head + head) == "line 2: another summary begins before this one ends: it was cut");
}

TEST_CASE("summary: a summary of each version gives the report on its log") {
  for (const std::string job : {"efa-fallback", "rank-killed"}) {
    const std::filesystem::path folder = std::filesystem::path(NCCL_ANALYZE_TESTDATA);
    const std::string whole = report_of({NamedLog{"input.log", read_file(folder / "jobs" / job / "input.log")}});
    for (const std::string version : {"v1", "v2"}) {
      INFO(job << " " << version);
      check_same(report_of(merged({read_file(folder / "summaries" / (job + "." + version + ".sum"))})), whole);
    }
  }
}

namespace {

/// The findings on a job, without their evidence.
std::vector<std::string> findings_of(ModelBuilder&& builder) {
  const Model model = std::move(builder).build();
  std::vector<std::string> found;
  for (const Finding& finding : analyze(model).findings)
    found.push_back(std::string(finding.rule->name) + ": " + finding.message);
  return found;
}

}  // namespace

// Versions 1 and 2 held facts of other tools as sentences, which were quoted too.
TEST_CASE("summary: facts of other tools in a summary of version 2 give the findings on their documents, unquoted") {
  for (const std::string name :
       {"application-error/fires_pod_evicted", "far-nic/fires", "iommu-settings/fires_lspci", "nic-port-down/fires",
        "nic-port-down/fires_none", "pcie-link-degraded/fires_twin", "process-died/fires_ras_json",
        "shm-too-small/fires_manifest", "straggler/fires_flight_recorder", "straggler/fires_ras_json",
        "straggler/silent_inspector", "wrong-results/fires"}) {
    INFO(name);
    const auto test = std::ranges::find(cases("rules"), "rules/" + name, &Case::name);
    REQUIRE(test != cases("rules").end());
    std::string file = name + ".v2.sum";
    std::ranges::replace(file, '/', '.');
    ModelBuilder old, builder;
    merged({read_file(std::filesystem::path(NCCL_ANALYZE_TESTDATA) / "summaries" / file)}).replay(old);
    std::uint32_t source = 0;
    for (const auto& log : test->logs) {
      Parser parser(SourceId{source}, [&](const Record& record) { builder.add(record); });
      parser.feed(read_file(log));
      parser.finish();
      builder.add_source(SourceId{source++}, log.filename().string(), parser.stats());
    }
    CHECK(report_of(merged({read_file(std::filesystem::path(NCCL_ANALYZE_TESTDATA) / "summaries" / file)}))
              .find("machine: ") == std::string::npos);
    CHECK(findings_of(std::move(old)) == findings_of(std::move(builder)));
  }
}

namespace {

/// The summary of a log, written by a program on this node.
Summary signed_summary(const std::string& node, const std::string& name, const std::string& log,
                       const std::vector<std::string>& left_out = {}) {
  Summary summary;
  Parser parser(SourceId{0}, [&](const Record& record) { summary.add(record); });
  parser.feed(log);
  parser.finish();
  summary.add_source(SourceId{0}, name, parser.stats());
  sign_summary(summary, {.job = "7", .step = "", .node = node, .tool = "0.1.0"}, left_out);
  return summary;
}

std::string line_of(const std::string& host) { return host + ":1:1 [0] NCCL INFO Using network IB\n"; }

std::vector<std::string> sources_of(const Summary& summary) {
  ModelBuilder builder;
  summary.replay(builder);
  std::vector<std::string> names;
  for (const Source& source : std::move(builder).build().sources) names.push_back(source.name);
  return names;
}

}  // namespace

TEST_CASE("summary: its writers and what they could not read survive merges, and are no part of the report") {
  const std::string a = written(signed_summary("n1", "a.log", line_of("h1"), {"cannot read b.log"}));
  const std::string b = written(signed_summary("n2", "b.log", line_of("h2")));
  const Summary all = merged({b, a, a});
  const std::vector<SummarySignature> signatures = signatures_of(all);
  REQUIRE(signatures.size() == 2);
  CHECK(signatures[0].writer.node == "n1");
  CHECK(signatures[0].writer.job == "7");
  CHECK(signatures[0].left_out == std::vector<std::string>{"cannot read b.log"});
  CHECK(signatures[1].left_out.empty());
  CHECK(written(all) == written(merged({written(merged({a, b}))})));
  CHECK(report_of(all) == report_of({NamedLog{"a.log", line_of("h1")}, NamedLog{"b.log", line_of("h2")}}));
}

TEST_CASE("summary: a file that two nodes have read counts once and has two writers") {
  const Summary all = merged(
      {written(signed_summary("n1", "a.log", line_of("h1"))), written(signed_summary("n2", "a.log", line_of("h1")))});
  CHECK(sources_of(all) == std::vector<std::string>{"a.log"});
  CHECK(written(all).find(R"("writers": [0, 1])") != std::string::npos);
}

TEST_CASE("summary: different files of the same name are told apart by their nodes") {
  const Summary all = merged(
      {written(signed_summary("n2", "a.log", line_of("h2"))), written(signed_summary("n1", "a.log", line_of("h1")))});
  CHECK(sources_of(all) == std::vector<std::string>{"n1:a.log", "n2:a.log"});
}

}  // namespace nccl_analyze::test
