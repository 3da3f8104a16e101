// Tests that summaries are small, stay within the limits of a model, and are refused if they are damaged.

#include <sstream>
#include <string>
#include <utility>

#include "catch.h"
#include "nccl_analyze/analyzer.h"
#include "nccl_analyze/event.h"
#include "nccl_analyze/report.h"
#include "nccl_analyze/requirements.h"
#include "simulated_job.h"

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
  CHECK(refusal(R"({"schema":"nccl-analyze.summary","version":3})") ==
        "line 1: its version is not known: use the nccl-analyze that wrote it");
  CHECK(refusal(head + piece + "[1,7,\"x\"]\n") == "line 3: a record names an origin that is not there");
  CHECK(refusal(head + piece + "[\"x\"]\n") == "line 3: this is not as `--format summary` writes it");
  CHECK(refusal(head + R"({"pieces":1})") == "line 2: pieces are missing");
  CHECK(refusal(head + head) == "line 2: another summary begins before this one ends: it was cut");
}

}  // namespace nccl_analyze::test
