// Tests that the report on merged summaries is the report on the logs: for generated logs of each kind, divided into
// files by host, rank, lines and time, the files cut into ranges of lines, and the summaries merged in random trees.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <initializer_list>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "benchmark/generator.h"
#include "catch.h"
#include "fleet/fleet_log.h"
#include "simulated_job.h"
#include "summarised.h"
#include "testdata.h"

namespace nccl_analyze::test {
namespace {

std::string generated(const std::string& kind) {
  std::string log;
  const benchmark::Arguments arguments{
      .kind = kind, .size = std::uint64_t{96} << 10U, .seed = 7, .shape = {.ranks = 32}};
  REQUIRE(benchmark::generate(arguments, [&log](std::string_view text) { log += text; }));
  return log;
}

std::string simulated(const FleetFaults& faults) {
  const JobShape shape{.hosts = 6, .channels = 4};
  std::string log;
  for (int host = 0; host < shape.hosts; ++host) log += FleetLog(shape, faults).of(host);
  return log;
}

/// Chooses the file of a line. `number` is the number of the line.
using FileOf = std::string (*)(std::string_view line, std::size_t number);

/// The text before `HOST:PID:TID [`, up to HOST or up to PID. A line without it belongs to no rank.
std::string sender_of(std::string_view line, bool with_pid) {
  const std::size_t end = line.find("] NCCL ");
  const std::size_t start = end == std::string_view::npos ? end : line.rfind(" [", end);
  if (start == std::string_view::npos) return "others";
  const std::string_view sender = line.substr(0, start);
  const std::size_t tid = sender.rfind(':');
  const std::size_t pid = tid == std::string_view::npos ? tid : sender.rfind(':', tid - 1);
  const std::size_t host = pid == std::string_view::npos ? pid : sender.rfind(' ', pid) + 1;
  return pid == std::string_view::npos ? "others" : std::string(sender.substr(host, (with_pid ? tid : pid) - host));
}

constexpr FileOf divisions[] = {
    [](std::string_view, std::size_t) { return std::string("whole"); },
    [](std::string_view line, std::size_t) { return sender_of(line, false); },
    [](std::string_view line, std::size_t) { return sender_of(line, true); },
    [](std::string_view, std::size_t number) { return "lines-" + std::to_string(number / 97); }};

/// Of lines with a time: a file for each second, of all hosts and of each rank.
std::string second_of(std::string_view line) { return std::string(line.substr(0, line.find('.'))); }
constexpr FileOf divisions_by_time[] = {
    [](std::string_view line, std::size_t) { return second_of(line); },
    [](std::string_view line, std::size_t) { return sender_of(line, true) + "-" + second_of(line); }};

std::vector<NamedLog> divided(const std::string& log, FileOf file_of) {
  std::map<std::string, std::string> files;
  std::string_view left = log;
  for (std::size_t number = 0; !left.empty(); ++number) {
    const std::string_view line = left.substr(0, left.find('\n') + 1);
    files[file_of(line, number)] += line;
    left.remove_prefix(line.size());
  }
  std::vector<NamedLog> logs;
  for (auto& [name, text] : files) logs.push_back({name, std::move(text)});
  return logs;
}

/// The log with a time before each line, as kubectl's --timestamps puts it, in the order of the times: each host writes
/// a line every 40 ms, and all write at once.
std::string with_times(const std::string& log) {
  std::multimap<std::string, std::string_view> lines;
  std::map<std::string, int> written_by;
  std::string_view left = log;
  while (!left.empty()) {
    const std::string_view line = left.substr(0, left.find('\n') + 1);
    left.remove_prefix(line.size());
    const int time = written_by[sender_of(line, false)]++ * 40;
    std::array<char, 40> stamp{};
    std::snprintf(stamp.data(), stamp.size(), "2026-01-31T10:%02d:%02d.%03d000000Z ", time / 60'000, time / 1000 % 60,
                  time % 1000);
    lines.emplace(stamp.data(), line);
  }
  std::string all;
  for (const auto& [stamp, line] : lines) all.append(stamp).append(line);
  return all;
}

/// Compares the report on logs with that on their summaries, merged in two random trees.
void check_exact(const std::vector<NamedLog>& logs, Random& random) {
  std::vector<std::string> summaries;
  for (const NamedLog& log : logs) {
    const std::vector<std::string> parts = summaries_of_parts(log, 1 + random() % 4, random);
    summaries.insert(summaries.end(), parts.begin(), parts.end());
  }
  summaries.push_back(summaries.front());  // the same one twice counts once
  const Summary tree = merged_as_tree(summaries, random), other = merged_as_tree(summaries, random);
  CHECK(written(tree) == written(other));
  check_same(report_of(tree), report_of(logs));
}

void check_exact(const std::string& log, std::span<const FileOf> among = divisions) {
  Random random(1);
  for (const FileOf division : among) check_exact(divided(log, division), random);
}

/// A line of a thread of rank 1: a connection on a random channel, seldom anything else.
std::string random_connection(Random& random) {
  const auto one_of = [&random](std::initializer_list<const char*> words) {
    return std::string(words.begin()[random() % words.size()]);
  };
  const std::string prefix =
      "node-0:7:" + one_of({"8", "8", "8", "8", "8", "8", "8", "8", "8", "9"}) + " [1] NCCL INFO ";
  if (random() % 16 == 0)
    return prefix + one_of({"Connected all rings", "Connected all trees", "NCCL_DEBUG set by environment to INFO",
                            "comm 0x5502 rank 1 nranks 4 cudaDev 1 busId 2000 - Destroy COMPLETE",
                            "Channel 00 : 0[0] -> 2[2] via P2P/CUMEM", "Channel 300/0 : 1[1] -> 2[2] via P2P/CUMEM",
                            "CollNet 00/1 : 1 [send] via COLLNET/SHARP/0"});
  std::string channel = std::to_string(random() % 4 == 0 ? random() % 140 : random() % 8);
  if (channel.size() == 1) channel.insert(0, "0");
  return prefix + "Channel " + channel + "/0 : " +
         one_of({"1[1] -> 2[2] via P2P/CUMEM", "1[1] -> 2[2] via P2P/CUMEM", "1[1] -> 3[3] [send] via NET/IB/0/GDRDMA",
                 "1[1] -> 3[3] [send] via NET/IB/1/GDRDMA", "0[0] -> 1[1] [receive] via NET/IB/0",
                 "1[1] -> 3[3] [send] via NET/Socket/0"});
}

}  // namespace

TEST_CASE("exact: connections of a rank on many channels, in any order and between any other lines") {
  Random random(4);
  for (int i = 0; i < 30; ++i) {
    std::string log;
    for (const char* const event : {"Init START", "Init COMPLETE"})
      log += std::string(
                 "node-0:7:7 [1] NCCL INFO ncclCommInitRank comm 0x5501 rank 1 nranks 4 cudaDev 1 nvmlDev 1 busId "
                 "2000 commId 0x77 - ") +
             event + "\n";
    for (int line = 0; line < 300; ++line) log += random_connection(random) + "\n";
    check_exact({{"a.log", log}}, random);
  }
}

TEST_CASE("exact: summaries of generated logs, divided and merged in any way, give the report on the logs") {
  for (const char* const kind : {"init", "coll", "training", "kubectl"}) DYNAMIC_SECTION(kind) {
      check_exact(generated(kind));
    }
}

TEST_CASE("exact: the same of simulated jobs, healthy and with faults") {
  SECTION("healthy") { check_exact(simulated({})); }
  SECTION("a dead host") { check_exact(simulated({.dead = 3})); }
  SECTION("all other faults") { check_exact(simulated({.nic = 1, .late = 2, .version = 4})); }
  SECTION("by time") {
    const std::string log = with_times(simulated({.nic = 1, .late = 2, .version = 4}));
    REQUIRE(divided(log, divisions_by_time[0]).size() > 3);
    check_exact(log, divisions_by_time);
  }
}

TEST_CASE("exact: summaries of parts of logs of real jobs, merged in any grouping, give the report on the logs") {
  Random random(3);
  for (const char* const kind : {"jobs", "rules"}) {
    for (const Case& test : cases(kind)) {
      DYNAMIC_SECTION(test.name) {
        std::vector<NamedLog> logs;
        for (const auto& log : test.logs) logs.push_back({log.filename().string(), read_file(log)});
        check_exact(logs, random);
      }
    }
  }
}

}  // namespace nccl_analyze::test
