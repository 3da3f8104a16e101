// Tests that the records of a log do not depend on the text around its lines.

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "catch.h"
#include "nccl_analyze/analyzer.h"
#include "nccl_analyze/event.h"
#include "nccl_analyze/report.h"
#include "nccl_analyze/requirements.h"
#include "parser/reading.h"
#include "testdata.h"

namespace nccl_analyze::test {
namespace {

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return lines;
}

std::string json_escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (c == '\t')
      out += "\\t";
    else
      out += c;
  }
  return out;
}

struct Wrapper {
  std::string_view name;
  std::function<std::string(const std::string& line, std::size_t number)> wrap;
};

std::string stamp(std::size_t i) {
  std::string fraction = std::to_string(i * 7919 % 1000000);
  return "2025-12-28T16:" + std::to_string(10 + i / 60 % 50) + ":" + std::to_string(10 + i % 50) + "." + fraction + "Z";
}

const std::vector<Wrapper>& wrappers() {
  static const std::vector<Wrapper> all = {
      {"kubectl --prefix", [](const auto& l, auto) { return "[pod/train-job-0/pytorch] " + l; }},
      {"kubectl --timestamps", [](const auto& l, auto i) { return stamp(i) + " " + l; }},
      {"kubectl --prefix --timestamps",
       [](const auto& l, auto i) { return "[pod/train-job-0/pytorch] " + stamp(i) + " " + l; }},
      {"CRI", [](const auto& l, auto i) { return stamp(i) + " stdout F " + l; }},
      {"docker JSON",
       [](const auto& l, auto i) {
         return R"({"log":")" + json_escaped(l) + R"(\n","stream":"stdout","time":")" + stamp(i) + "\"}";
       }},
      {"fluent-bit",
       [](const auto& l, auto i) {
         return R"({"@timestamp":")" + stamp(i) + R"(","message":")" + json_escaped(l) +
                R"(","kubernetes":{"pod_name":"train-job-0","container_name":"pytorch"}})";
       }},
      {"JSON msg", [](const auto& l, auto) { return R"({"level": "info", "msg": ")" + json_escaped(l) + "\"}"; }},
      {"JSON in JSON",
       [](const auto& l, auto) {
         return R"({"log":")" + json_escaped(R"({"message":")" + json_escaped(l) + "\"}") + "\"}";
       }},
      {"pretty JSON", [](const auto& l, auto) { return R"(    "message": ")" + json_escaped(l) + "\","; }},
      {"docker compose", [](const auto& l, auto) { return "worker-1  | " + l; }},
      {"stern", [](const auto& l, auto) { return "train-job-0-abc pytorch " + l; }},
      {"journald", [](const auto& l, auto) { return "Dec 28 16:04:25 node17 train[4242]: " + l; }},
      {"Loki", [](const auto& l, auto i) { return stamp(i) + " {pod=\"train-job-0\", job=\"ns/train\"} " + l; }},
      {"CloudWatch table", [](const auto& l, auto i) { return "| " + stamp(i) + " | " + l + " |"; }},
      {"CSV", [](const auto& l, auto i) { return "\"" + stamp(i) + "\",\"" + json_escaped(l) + "\""; }},
      {"mpirun --tag-output", [](const auto& l, auto) { return "[1,3]<stdout>:" + l; }},
      {"mpirun stacked time stamps",
       [](const auto& l, auto) {
         return "Sun Dec 28 16:04:25 2025[1,3]<stdout>:Sun Dec 28 16:04:25 2025<stderr>:" + l;
       }},
      {"srun --label", [](const auto& l, auto) { return "3: " + l; }},
      {"pdsh", [](const auto& l, auto) { return "node-17: " + l; }},
      {"pdsh twice", [](const auto& l, auto) { return "node-17: node-17: " + l; }},
      {"torchrun", [](const auto& l, auto) { return "[rank3]:" + l; }},
      {"torchrun --tee", [](const auto& l, auto) { return "[default3]:" + l; }},
      {"TorchX", [](const auto& l, auto) { return "trainer/3 " + l; }},
      {"Ray", [](const auto& l, auto) { return "(RayWorkerWrapper pid=581, ip=10.225.128.18) " + l; }},
      {"Ray, old", [](const auto& l, auto) { return "\x1b[2m\x1b[36m(pid=581)\x1b[0m " + l; }},
      {"Ray, repeated",
       [](const auto& l, auto) {
         return "\x1b[36m(Worker pid=581)\x1b[0m " + l + "\x1b[32m [repeated 3x across cluster]\x1b[0m";
       }},
      {"DeepSpeed", [](const auto& l, auto) { return "node-17: [2025-12-28 16:04:25,123] [INFO] " + l; }},
      {"Markdown quote", [](const auto& l, auto) { return "> " + l; }},
      {"colours", [](const auto& l, auto) { return "\x1b[36m(worker)\x1b[0m \x1b[32m" + l + "\x1b[0m"; }},
      {"CRLF", [](const auto& l, auto) { return l + "\r"; }},
      {"progress bar", [](const auto& l, auto) { return " 12%|#2   | 207/1722 [02:23<04:35,  1.52it/s]\r" + l; }},
      {"time glued to the host", [](const auto& l, auto i) { return stamp(i) + l; }},
      {"NUL bytes", [](const auto& l, auto) { return std::string(3, '\0') + l; }},
  };
  return all;
}

std::string utf16(std::string_view text) {
  std::string out = "\xff\xfe";
  for (const char c : text) {
    out += c;
    out += '\0';
  }
  return out;
}

}  // namespace

TEST_CASE("parser: the records of a log are the same in every wrapper") {
  for (const char* const name : {"efa-fallback", "split-2x4"}) {
    const std::string clean = read_file(std::filesystem::path(NCCL_ANALYZE_TESTDATA) / "jobs" / name / "input.log");
    const Reading expected = read(clean);
    REQUIRE(expected.records.size() > 50);
    const std::vector<std::string> lines = lines_of(clean);
    for (const Wrapper& wrapper : wrappers()) {
      std::string wrapped;
      for (std::size_t i = 0; i < lines.size(); ++i) wrapped += wrapper.wrap(lines[i], i) + "\n";
      INFO(name << " in " << wrapper.name);
      const Reading seen = read(wrapped);
      CHECK(seen.stats.unrecognized == expected.stats.unrecognized);
      REQUIRE(seen.records.size() == expected.records.size());
      for (std::size_t i = 0; i < seen.records.size(); ++i) {
        INFO(expected.records[i].message);
        REQUIRE(seen.records[i].message == expected.records[i].message);
        REQUIRE(seen.records[i] == expected.records[i]);
      }
    }
    CHECK(read(utf16(clean)).records == expected.records);
  }
}

TEST_CASE("parser: what a wrapper says is kept") {
  const auto origin_of = [](std::string_view line) {
    std::vector<std::string> kept;
    Parser parser(SourceId{0}, [&](const Record& record) {
      kept = {std::string(record.origin.pod), std::string(record.origin.container),
              std::string(collected_at(record.origin))};
    });
    parser.feed(line);
    parser.finish();
    return kept;
  };
  using Kept = std::vector<std::string>;
  CHECK(origin_of("[pod/train-job-0/pytorch] 2025-12-28T16:00:00Z w:1:2 [0] NCCL INFO Using network Socket") ==
        Kept{"train-job-0", "pytorch", "2025-12-28T16:00:00Z"});
  CHECK(origin_of(R"({"log":"w:1:2 [0] NCCL INFO Using network Socket\n","time":"2025-12-28T16:00:00Z",)"
                  R"("kubernetes":{"pod_name":"train-job-0","container_name":"pytorch"}})") ==
        Kept{"train-job-0", "pytorch", "2025-12-28T16:00:00Z"});
  CHECK(origin_of("\x1b[38;5;2mtrain-job-0\x1b[0m \x1b[32mpytorch\x1b[0m w:1:2 [0] NCCL INFO Using network Socket") ==
        Kept{"train-job-0", "pytorch", ""});
  CHECK(origin_of("\x1b[36mtrain-1  | \x1b[0mw:1:2 [0] NCCL INFO Using network Socket") == Kept{"train-1", "", ""});
  CHECK(origin_of(R"({"message":"w:1:2 [0] NCCL INFO Using network Socket","nodeName":"n","namespace":"ml",)"
                  R"("podName":"train-job-0","containerName":"pytorch"})") == Kept{"train-job-0", "pytorch", ""});
}

TEST_CASE("parser: pods in columns do not depend on chunks and caches") {
  const auto pods_of = [](std::string_view text, std::size_t chunk, bool caches) {
    std::vector<std::string> pods;
    Parser parser(SourceId{0},
                  [&](const Record& record) {
                    pods.push_back(std::string(record.origin.pod) + "/" + std::string(record.origin.container));
                  },
                  {.caches = caches});
    for (std::size_t at = 0; at < text.size(); at += chunk) parser.feed(text.substr(at, chunk));
    parser.finish();
    return pods;
  };
  std::string log;
  std::vector<std::string> expected;
  const auto add = [&](const std::string& before, const std::string& pod) {
    log += before + "w:1:2 [0] NCCL INFO Using network Socket\n";
    expected.push_back(pod);
  };
  for (int i = 0; i < 3; ++i) {
    add("train-1-x7k2p pytorch ", "train-1-x7k2p/pytorch");
    add("train-2-x3k1p pytorch ", "train-2-x3k1p/pytorch");
    add("train-1 pytorch 12-28 16:04:25 ", "train-1/pytorch");
    add("train-1  | ", "train-1/");
    add("train-" + std::to_string(i) + "  | ", "train-" + std::to_string(i) + "/");
    add("", "/");
    add("the gpt-2 model says ", "/");
    add("\x1b[32mns train-1\x1b[0m pytorch ", "train-1/pytorch");
  }
  for (const bool caches : {true, false})
    for (const std::size_t chunk : {std::size_t{1}, std::size_t{7}, std::size_t{4096}})
      CHECK(pods_of(log, chunk, caches) == expected);
}

TEST_CASE("parser: numbers that grep puts before hosts are none of theirs") {
  const auto hosts_of = [](std::string_view text) {
    std::vector<std::string> hosts;
    for (const Seen& seen : read(text).records) hosts.push_back(seen.host);
    return hosts;
  };
  using Hosts = std::vector<std::string>;
  CHECK(hosts_of("10-w-0:1:2 [0] NCCL INFO Connected all rings\n11-w-0:1:2 [0] NCCL INFO Connected all trees\n"
                 "12-w-0:1:2 [0] NCCL INFO Connected all rings\n") == Hosts{"10-w-0", "w-0", "w-0"});
  CHECK(hosts_of("10-0-0-7:1:2 [0] NCCL INFO Connected all rings\n10-0-0-7:1:2 [0] NCCL INFO Connected all trees\n") ==
        Hosts{"10-0-0-7", "10-0-0-7"});
}

TEST_CASE("parser: a long line without a newline costs its head") {
  std::string text(std::size_t{8} << 20, 'x');
  text += " w:1:2 [0] NCCL INFO Connected all rings\nw:1:2 [0] NCCL INFO Connected all trees\n";
  const Reading reading = read(text, 4096);
  REQUIRE(reading.records.size() == 1);
  CHECK(reading.records[0].message == "Connected all trees");
  CHECK(reading.stats.truncated == 1);
  CHECK(reading.stats.lines == 2);
}

TEST_CASE("parser: the hole before a log that was emptied costs nothing") {
  const std::string line = "w:1:2 [0] NCCL INFO Connected all rings\n";
  for (const std::string& log : {line, R"({"log": ")" + line.substr(0, line.size() - 1) + "\"}\n"})
    for (const std::size_t hole : {std::size_t{4096}, std::size_t{3} << 20})
      for (const std::size_t chunk : {std::size_t{7}, std::size_t{4096}, std::size_t{8} << 20}) {
        const Reading reading = read(std::string(hole, '\0') + log, chunk);
        REQUIRE(reading.records.size() == 1);
        CHECK(reading.records[0].at.line == 1);
        CHECK(reading.records[0].message == "Connected all rings");
        CHECK(reading.stats.truncated == 0);
        CHECK(reading.stats.bytes == hole + log.size());
      }
}

}  // namespace nccl_analyze::test
