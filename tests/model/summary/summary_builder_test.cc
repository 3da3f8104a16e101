// Tests that a summary keeps those records of a source that a model uses, and counts the others.

#include <sstream>
#include <string>
#include <vector>

#include "catch.h"
#include "model/summary/summary_parts.h"
#include "nccl_analyze/analyzer.h"
#include "nccl_analyze/event.h"
#include "nccl_analyze/report.h"
#include "nccl_analyze/requirements.h"

namespace nccl_analyze {
namespace {

struct Summarised {
  SummaryPiece piece;
  std::uint64_t records = 0;  ///< Number of records that the parser returned.
};

Summarised summarised(const std::string& log, std::size_t max_processes = 1000) {
  Summary summary(max_processes);
  Summarised result;
  Parser parser(SourceId{0}, [&](const Record& record) {
    summary.add(record);
    ++result.records;
  });
  parser.feed(log);
  parser.finish();
  summary.add_source(SourceId{0}, "log", parser.stats());
  REQUIRE(SummaryParts::of(summary).size() == 1);
  result.piece = unpack(SummaryParts::of(summary).begin()->first);
  return result;
}

/// Returns the number of records that the piece represents.
std::uint64_t count_text(const SummaryPiece& piece) {
  std::uint64_t count = piece.left_out;
  for (const SummaryRecord& record : piece.records)
    count += record.times + (record.rest ? record.rest->channels.size() : 0);
  return count;
}

std::size_t kept(const SummaryPiece& piece, std::string_view beginning) {
  std::size_t count = 0;
  for (const SummaryRecord& record : piece.records) count += record.message.view().starts_with(beginning) ? 1U : 0U;
  return count;
}

std::string line(int pid, const std::string& message, const std::string& level = "INFO") {
  const std::string number = std::to_string(pid);
  return "h:" + number + ":" + number + " [0] NCCL " + level + " " + message + "\n";
}

std::string repeated(int count, const std::string& text) {
  std::string log;
  for (int i = 0; i < count; ++i) log += text;
  return log;
}

/// Returns the first lines of a process, all of which a summary keeps. Only after them do limits apply to a test's own
/// lines.
std::string head(int pid) { return repeated(4, line(pid, "Using network Socket")); }

std::string call(std::uint64_t number) {
  std::ostringstream out;
  out << "AllReduce: opCount " << std::hex << number
      << " sendbuff 0x1 recvbuff 0x2 count 4 datatype 7 op 0 root 0 comm 0xa [nranks=2] stream 0x3";
  return line(1, out.str());
}

}  // namespace

TEST_CASE("summary builder: of a warning that repeats the first and the last are kept, with their number") {
  const Summarised summary = summarised(head(1) + repeated(5000, line(1, "something broke", "WARN")));
  CHECK(kept(summary.piece, "something broke") == Evidence::max_lines + 1);
  CHECK(summary.piece.records.back().line == 5004);
  CHECK(summary.piece.records.back().times == 5000 - Evidence::max_lines);
  CHECK(count_text(summary.piece) == summary.records);
}

TEST_CASE("summary builder: of lines that no model uses the first and the last of a process are kept") {
  std::string log;
  for (const int pid : {1, 2}) log += head(pid);
  for (int i = 0; i < 1000; ++i)
    for (const int pid : {1, 2}) log += line(pid, "Channel_" + std::to_string(i) + " is a wording of no release");
  for (int i = 0; i < 1000; ++i) log += line(1, "Trees_ " + std::to_string(i));
  const Summarised summary = summarised(log);
  CHECK(summary.piece.records.size() < 60);
  CHECK(count_text(summary.piece) == summary.records);
}

TEST_CASE("summary builder: connections that differ in nothing but their channel are one record") {
  std::string log = head(1);
  for (int channel = 0; channel < 32; ++channel) {
    const std::string number = (channel < 10 ? "0" : "") + std::to_string(channel);
    log += line(1, "Channel " + number + "/0 : 0[0] -> 1[1] via P2P/CUMEM");
  }
  log += line(1, "Channel 00/0 : 1[1] -> 0[0] via P2P/CUMEM");
  const Summarised summary = summarised(log);
  REQUIRE(kept(summary.piece, "Channel") == 2);
  const SummaryRecord& first = summary.piece.records[4];
  REQUIRE(first.rest);
  REQUIRE(first.rest->channels.size() == 31);
  CHECK(first.rest->channels.front() == std::pair<std::uint64_t, int>{6, 1});
  CHECK(first.rest->channels.back() == std::pair<std::uint64_t, int>{36, 31});
  CHECK(count_text(summary.piece) == summary.records);
}

TEST_CASE("summary builder: the last collectives of a communicator are kept, and how many there were before") {
  std::string log = head(1);
  for (std::uint64_t i = 0; i < 1000; ++i) log += call(i);
  const Summarised summary = summarised(log);
  CHECK(kept(summary.piece, "AllReduce") <= Calls::max_recent + 1);
  CHECK(kept(summary.piece, "AllReduce: opCount 3e7 ") == 1);  // The last call.
  CHECK(kept(summary.piece, "AllReduce: opCount 3c8 ") == 1);  // The first of the last 32 calls.
  CHECK(count_text(summary.piece) == summary.records);
}

TEST_CASE("summary builder: retries are alike whatever their addresses, lines of the graph never are") {
  std::string retries = head(1), rings = head(1);
  for (int i = 0; i < 100; ++i) {
    const std::string number = std::to_string(i);
    retries += line(1, "socketPollConnect: connect to 10.0.1." + number + "<4" + number +
                           "> returned Connection timed out, retrying (1/34) after sleep for 100 msec");
    rings += line(1, "Channel " + number + "/100 : 0 1 2 3");
  }
  const Summarised alike = summarised(retries), apart = summarised(rings);
  CHECK(kept(alike.piece, "socketPollConnect") == Evidence::max_lines + 1);
  CHECK(count_text(alike.piece) == alike.records);
  CHECK(kept(apart.piece, "Channel") == 100);
}

TEST_CASE("summary builder: a process and its threads are stored once, and only an unusual prefix is") {
  const Summarised summary =
      summarised(line(1, "Using network Socket") + line(1, "Using network IB") +
                 "> h:1:1 [0] NCCL INFO Connected all rings\nh:1:2 [0] NCCL INFO Connected all trees\n" +
                 "  h:1:1 [0]  NCCL INFO Connected all trees\n");
  CHECK(summary.piece.origins.size() == 3);
  std::size_t unusual = 0;
  for (const SummaryOrigin& origin : summary.piece.origins) unusual += origin.before ? 1U : 0U;
  CHECK(unusual == 1);
  for (const SummaryRecord& record : summary.piece.records) CHECK_FALSE(record.rest);
}

TEST_CASE("summary builder: records of processes beyond the limit are counted") {
  const Summarised summary = summarised(head(1) + head(2) + head(3) + line(1, "Connected all rings"), 2);
  CHECK(summary.piece.left_out == 4);
  CHECK(summary.piece.records.size() == 9);
  CHECK(count_text(summary.piece) == summary.records);
}

TEST_CASE("summary builder: a record whose rest was waited for stands behind those that were read meanwhile") {
  const Summarised summary = summarised(
      "node1:1:2 [0] NCCL INFO 24 coll channels, 24 conode1:5:6 [0] NCCL INFO Connected all rings\n"
      "node1:5:6 [0] NCCL INFO Connected all trees\n");
  REQUIRE(summary.piece.records.size() == 3);
  const SummaryRecord& torn = summary.piece.records[2];
  CHECK(torn.message == "24 coll channels, 24 co");
  CHECK(torn.damage == Damage::torn);
  CHECK(torn.line == 1);
  CHECK(torn.read_at() == 2);
}

}  // namespace nccl_analyze
