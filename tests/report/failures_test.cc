// Tests of the list of failures: which incidents are listed, and when their order is known.

#include "report/sentences/failures.h"

#include <string>

#include "catch.h"
#include "nccl_analyze/analyzer.h"
#include "testdata.h"

namespace nccl_analyze {
namespace {

std::string line(const std::string& host, const std::string& message, const std::string& time = {}) {
  return (time.empty() ? "" : "[2026-03-04 " + time + "] ") + host + ":10:20 [0] " + message + "\n";
}
std::string started(const std::string& host) { return line(host, "NCCL INFO Using network Socket"); }
std::string failed(const std::string& host, const std::string& time = {}) {
  return line(host, "misc/socket.cc:50 NCCL WARN socketProgress: Connection closed by remote peer node-9<40001>",
              time) +
         line(host, "NCCL INFO misc/socket.cc:58 -> 6") + line(host, "NCCL INFO proxy.cc:700 -> 6 [Proxy Thread]");
}

struct Listed {
  Analysis analysis;
  FailureList list;
};
Listed failures_of(const std::string& log) {
  Analyzer analyzer;
  analyzer.feed("log", log);
  Listed listed{std::move(analyzer).finish(), {}};
  listed.list = list_failures(listed.analysis.model, listed.analysis.report);
  return listed;
}

TEST_CASE("failures: the first of several in one stream is marked") {
  const Listed listed = failures_of(started("node-1") + started("node-2") + failed("node-2") + failed("node-1"));
  CHECK(listed.list.order == FailureOrder::line);
  REQUIRE(listed.list.failures.size() == 2);
  CHECK(listed.list.failures[0].is_first);
  CHECK(!listed.list.failures[1].is_first);
  CHECK(failure_rows(listed.analysis.model, listed.list)[0][2].find("node-2") != std::string::npos);
}

TEST_CASE("failures: logs one behind the other tell no order") {
  const Listed listed = failures_of(started("node-1") + failed("node-1") + started("node-2") + failed("node-2"));
  CHECK(listed.list.order == FailureOrder::none);
  REQUIRE(listed.list.failures.size() == 2);
  CHECK(!listed.list.failures[0].is_first);
}

TEST_CASE("failures: times order them, wherever they stand") {
  const Listed listed =
      failures_of(started("node-1") + failed("node-1", "10:00:05") + started("node-2") + failed("node-2", "10:00:04"));
  CHECK(listed.list.order == FailureOrder::time);
  const auto rows = failure_rows(listed.analysis.model, listed.list);
  REQUIRE(rows.size() == 2);
  CHECK(rows[0][1] == "10:00:04");
  CHECK(rows[0][2].find("node-2") != std::string::npos);
}

TEST_CASE("failures: a process that died without a message is listed by its last line") {
  const Listed listed = failures_of(read_file(source_folder() / "testdata/jobs/rank-killed/input.log"));
  const auto rows = failure_rows(listed.analysis.model, listed.list);
  REQUIRE(rows.size() == 1);
  CHECK(rows[0][0] == "first");
  CHECK(rows[0][2] == "rank 5 (train-job-worker-1, GPU 1, pid 102)");
  CHECK(rows[0][3] == "its last line; it died without a message");
}

TEST_CASE("failures: warnings of a job that did not fail are none") {
  const std::string warnings = line("node-1", "misc/socket.cc:50 NCCL WARN Words that nobody knows") +
                               line("node-2", "misc/socket.cc:50 NCCL WARN Words that nobody knows");
  CHECK(failures_of(started("node-1") + started("node-2") + warnings).list.failures.empty());
}

}  // namespace
}  // namespace nccl_analyze
