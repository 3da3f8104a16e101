// The parser against what surrounds and damages lines: the records must be those of the clean log, or none.

#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "catch.h"
#include "nccl_analyze/analyzer.h"
#include "nccl_analyze/event.h"
#include "nccl_analyze/report.h"
#include "nccl_analyze/requirements.h"
#include "testdata.h"

namespace nccl_analyze {
namespace {

struct Seen {
  std::string host, message, event;
  std::int64_t pid = -1, tid = -1;
  Damage damage = Damage::none;
  LineRef at;
  friend bool operator==(const Seen&, const Seen&) = default;
};

struct Reading {
  std::vector<Seen> records;
  ParseStats stats;
};

Reading read(std::string_view text, std::size_t chunk = std::string_view::npos) {
  Reading reading;
  Parser parser(SourceId{0}, [&](const Record& record) {
    reading.records.push_back({std::string(record.origin.host), std::string(record.message),
                               std::string(event_name(record.event)), record.origin.pid, record.origin.tid,
                               record.damage, record.at});
  });
  for (std::size_t at = 0; at < text.size(); at += std::min(chunk, text.size() - at))
    parser.feed(text.substr(at, chunk));
  parser.finish();
  reading.stats = parser.stats();
  return reading;
}

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

TEST_CASE("parser: a record that a terminal wrapped within its level is one") {
  const Reading reading = read(
      "2026-05-16T16:39:55.215-07:00 node-1:37:6739 [0] platform_config_endpoint:626 NCCL WA\n"
      "RN NET/OFI GDR disabled on GDR-supported instance type p4d.24xlarge\n");
  REQUIRE(reading.records.size() == 1);
  CHECK(reading.records[0].message == "NET/OFI GDR disabled on GDR-supported instance type p4d.24xlarge");
  CHECK(reading.records[0].host == "node-1");
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
}

namespace {

struct DamagedText {
  std::string_view name;
  std::string text;
  std::vector<std::string> messages;  ///< `event: message`, in order.
  std::vector<Damage> damage;
};

}  // namespace

TEST_CASE("parser: damaged lines give the records that they hold, or none") {
  const std::string trees = "w:1:2 [0] NCCL INFO Trees [0] 1/-1/-1->0->-1 [1] 1/-1/-1->0->-1 [2] 1/-1/-1->0->-1 ";
  const DamagedText cases[] = {
      {"two records on one line",
       "w:1:2 [0] NCCL INFO Using network Socket w:1:3 [0] NCCL INFO Connected all rings\n",
       {"network_chosen: Using network Socket", "rings_connected: Connected all rings"},
       {Damage::none, Damage::glued}},
      {"the newlines of two records come after both",
       "node1:1:2 [0] NCCL INFO Channel 00/0 : 0[0] -> 1[1] via P2P/CUMEMnode1:1:3 [0] NCCL INFO Connected all "
       "rings\n\n",
       {"rings_connected: Connected all rings", "channel_connected: Channel 00/0 : 0[0] -> 1[1] via P2P/CUMEM"},
       {Damage::glued, Damage::glued}},
      {"torn by another process, the rest on the next line",
       "node1:1:2 [0] NCCL INFO Channel 00/0 : 0[0] -> 1[1node1:5:6 [0] NCCL INFO Connected all rings\n] via "
       "P2P/CUMEM\n",
       {"rings_connected: Connected all rings", "channel_connected: Channel 00/0 : 0[0] -> 1[1] via P2P/CUMEM"},
       {Damage::glued, Damage::joined}},
      {"torn, the rest stands before a third record",
       "node1:1:2 [0] NCCL INFO Channel 00/0 : 0[0] -> 1[node1:5:6 [0] NCCL INFO Connected all rings\n"
       "1] via P2P/IPCnode1:5:6 [0] NCCL INFO Connected all trees\n",
       {"rings_connected: Connected all rings", "channel_connected: Channel 00/0 : 0[0] -> 1[1] via P2P/IPC",
        "algorithm_connected: Connected all trees"},
       {Damage::glued, Damage::joined, Damage::none}},
      {"torn, the rest never comes",
       "node1:1:2 [0] NCCL INFO 24 coll channels, 24 conode1:5:6 [0] NCCL INFO Connected all rings\n"
       "node1:5:6 [0] NCCL INFO Connected all trees\n",
       {"rings_connected: Connected all rings", "algorithm_connected: Connected all trees",
        "damaged: 24 coll channels, 24 co"},
       {Damage::glued, Damage::none, Damage::torn}},
      {"torn where a shorter number would read as well",
       "node1:1:2 [0] NCCL INFO Channel 00/0 : 0[0] -> 1[0] [send] via NET/Socket/1node1:5:6 [0] NCCL INFO Connected "
       "all "
       "rings\nsomething else\n",
       {"rings_connected: Connected all rings", "damaged: Channel 00/0 : 0[0] -> 1[0] [send] via NET/Socket/1"},
       {Damage::glued, Damage::torn}},
      {"two torn records, one rest that fits both: neither",
       "node1:1:2 [0] NCCL INFO Ring 00 : 3 -> 0 node1:5:6 [0] NCCL INFO Ring 01 : 2 -> 0 node1:7:8 [0] NCCL INFO "
       "Connected "
       "all rings\n-> 1\n",
       {"rings_connected: Connected all rings", "damaged: Ring 00 : 3 -> 0", "damaged: Ring 01 : 2 -> 0"},
       {Damage::glued, Damage::torn, Damage::torn}},
      {"wrapped by a terminal",
       "node1:1:2 [0] NCCL INFO Channel 00/0 : 0[0] -> 1[0] [send] via NE\nT/Socket/0\nEpoch 1\n",
       {"channel_connected: Channel 00/0 : 0[0] -> 1[0] [send] via NET/Socket/0"},
       {Damage::joined}},
      {"wrapped between words",
       "node1:1:2 [0] NCCL INFO 24 coll channels, 24 collnet channels, 16 nvls\nchannels, 32 p2p channels,\n32 p2p "
       "channels per peer\n",
       {"channels_counted: 24 coll channels, 24 collnet channels, 16 nvls channels, 32 p2p channels, 32 p2p channels "
        "per peer"},
       {Damage::joined}},
      {"a wrapped list",
       trees + "\n[3] 1/-1/-1->0->-1\n",
       {"trees_built: Trees [0] 1/-1/-1->0->-1 [1] 1/-1/-1->0->-1 [2] 1/-1/-1->0->-1 [3] 1/-1/-1->0->-1"},
       {Damage::joined}},
      {"a newline lost behind a wrapper",
       "[pod/a-0/pt] node1:1:2 [0] NCCL INFO Using network Socket[pod/a-1/pt] node2:1:2 [0] NCCL INFO Connected all "
       "rings\n\n",
       {"rings_connected: Connected all rings", "network_chosen: Using network Socket"},
       {Damage::glued, Damage::glued}},
      {"a number before the next record, and nothing that could be its rest",
       "node1:1:2 [0] NCCL INFO Channel 00/0 : 0[0] -> 1[0] [send] via NET/Socket/0node1:1:2 [0] NCCL INFO Connected "
       "all "
       "rings\nnode1:1:2 [0] NCCL INFO Connected all trees\nnode1:1:2 [0] NCCL INFO Connected NVLS tree\n",
       {"rings_connected: Connected all rings", "algorithm_connected: Connected all trees",
        "channel_connected: Channel 00/0 : 0[0] -> 1[0] [send] via NET/Socket/0",
        "algorithm_connected: Connected NVLS tree"},
       {Damage::glued, Damage::none, Damage::glued, Damage::none}},
      {"wrapped right before a blank",
       "node1:1:2 [0] NCCL INFO comm 0x55 rank 0 nranks 8 cudaDev 0 nvmlDev\n 0 busId 38000 commId 0x7f - Init START\n",
       {"comm_init_started: comm 0x55 rank 0 nranks 8 cudaDev 0 nvmlDev 0 busId 38000 commId 0x7f - Init START"},
       {Damage::joined}},
      {"CRI parts of two streams",
       "2025Z stdout P w:1:2 [0] NCCL INFO Using network AWS \n2025Z stderr F Traceback\n2025Z stdout F Libfabric\n",
       {"network_chosen: Using network AWS Libfabric"},
       {Damage::joined}},
      {"the beginning of a plugin's words is no failure of it",
       "w:1:2 [0] NCCL INFO NET/Plugin: Plugin name set by env to\n\n",
       {"damaged: NET/Plugin: Plugin name set by env to"},
       {Damage::cut}},
      {"HTML",
       "w:1:2 [0] NCCL INFO Channel 00/0 : 0[0] -&gt; 1[1] via P2P/CUMEM<br>\n",
       {"channel_connected: Channel 00/0 : 0[0] -> 1[1] via P2P/CUMEM"},
       {Damage::none}},
      {"Markdown",
       "w:1:2 \\[0\\] NCCL INFO Channel 00/0 : 0\\[0\\] -> 1\\[1\\] via P2P/CUMEM\n",
       {"channel_connected: Channel 00/0 : 0[0] -> 1[1] via P2P/CUMEM"},
       {Damage::none}},
      {"markup that hid a second record",
       "node1:1:2 [0] NCCL INFO Bananas node1:1:2 [0] NC</span>CL INFO Connected all rings\n",
       {"damaged: Bananas", "rings_connected: Connected all rings"},
       {Damage::torn, Damage::glued}},
      {"colours without their escape",
       "^[[36mw:1:2 [0] NCCL INFO Using network Socket^[[0m\n",
       {"network_chosen: Using network Socket"},
       {Damage::none}},
      {"NCCL up to 2.3",
       "w:1:2 [0] INFO Using internal Network Socket\n[0] misc/ibvwrap.cu:26 WARN Call to ibv_create_qp failed\n",
       {"network_chosen: Using internal Network Socket", "call_failed: Call to ibv_create_qp failed"},
       {Damage::none, Damage::none}},
      {"a line of a connection without its prefix",
       "Channel 00/0 : 0[0] -> 1[1] via P2P/CUMEM\nChannel 4 is on now\n",
       {"channel_connected: Channel 00/0 : 0[0] -> 1[1] via P2P/CUMEM"},
       {Damage::none}},
      {"a tag, a comment and a border behind records",
       "w:1:2 [0] NCCL INFO init.cc:15 -> 5   [1,1]<stdout>:\nw:1:2 [0] NCCL INFO NCCL_IB_DISABLE set by environment "
       "to "
       "1. # off\nw:1:2 [0] NCCL INFO Using network IB  \xe2\x94\x82\n",
       {"error_propagated: init.cc:15 -> 5", "env_set: NCCL_IB_DISABLE set by environment to 1.",
        "network_chosen: Using network IB"},
       {Damage::none, Damage::none, Damage::none}},
      {"a mark where a terminal cut",
       "w:1:2 [0] NCCL INFO 24 coll channels, 24 collnet chan$\n",
       {"damaged: 24 coll channels, 24 collnet chan$"},
       {Damage::cut}},
      {"a link",
       "w:1:2 [0] NCCL WARN socketProgress: Connection closed by remote peer [10.0.0.7](http://10.0.0.7/)<41>\n",
       {"connection_closed: socketProgress: Connection closed by remote peer 10.0.0.7<41>"},
       {Damage::none}},
      {"another worker's head in a torn line",
       "w:1:2 [0] NCCL INFO 24 coll channels, 24 coll (Worker_TP0 pid=12\n",
       {"damaged: 24 coll channels, 24 coll"},
       {Damage::torn}},
      {"nothing where an address should be",
       "w:1:2 [0] misc/socket.cc:5 NCCL WARN ncclSocketInit: connecting to address with family 5 is neither AF_INET(2) "
       "nor AF_INET6(10)\n",
       {"warned: ncclSocketInit: connecting to address with family 5 is neither AF_INET(2) nor AF_INET6(10)"},
       {Damage::none}},
      {"words wrapped at any byte, then free text",
       "node1:1:2 [0] NCCL INFO socketPollConnect: connect to 10.0.1.11<46385> returned Con\nnection timed out, "
       "retrying "
       "(1/34) after sleep for 100 msec\nnode1:1:2 [0] NET/OFI.cc:12 NCCL WARN NET/OFI GDR disabled on GDR-support "
       "\nby "
       "nobody\n",
       {"connect_retried: socketPollConnect: connect to 10.0.1.11<46385> returned Connection timed out, retrying "
        "(1/34) "
        "after sleep for 100 msec",
        "ofi_noted: NET/OFI GDR disabled on GDR-support"},
       {Damage::joined, Damage::none}},
      {"a hidden pointer",
       "w:1:2 [0] NCCL INFO comm 0x7f... rank 0 nranks 8 cudaDev 0 nvmlDev 0 busId 38000 commId "
       "0xXXXX - Init START\n",
       {"comm_init_started: comm 0x7f... rank 0 nranks 8 cudaDev 0 nvmlDev 0 busId 38000 commId 0xXXXX - Init START"},
       {Damage::none}},
      {"CRI parts",
       "2025Z stdout P w:1:2 [0] NCCL INFO Using network AWS \n2025Z stdout F Libfabric\n",
       {"network_chosen: Using network AWS Libfabric"},
       {Damage::joined}},
      {"the file ends in a record",
       "w:1:2 [0] NCCL INFO 24 coll channels, 24 collnet chan",
       {"damaged: 24 coll channels, 24 collnet chan"},
       {Damage::cut}},
      {"a record of nothing",
       "w:1:2 [0] NCCL INFO\nw:1:2 [0] NCCL INFO Connected all rings\n",
       {"damaged: ", "rings_connected: Connected all rings"},
       {Damage::cut, Damage::none}},
      {"an unknown wording is no damage",
       "w:1:2 [0] NCCL INFO Bananas are ripe\nChannel\n",
       {"unrecognized: Bananas are ripe"},
       {Damage::none}},
      {"a longer host is another host",
       "node1:1:2 [0] NCCL INFO Connected all rings\ngpu-node1:1:2 [0] NCCL INFO Connected all rings\n",
       {"rings_connected: Connected all rings", "rings_connected: Connected all rings"},
       {Damage::none, Damage::none}},
  };
  for (const DamagedText& one : cases) {
    INFO(one.name);
    const Reading whole = read(one.text);
    std::vector<std::string> messages;
    std::vector<Damage> damage;
    for (const Seen& seen : whole.records) {
      messages.push_back(seen.event + ": " + seen.message);
      damage.push_back(seen.damage);
    }
    CHECK(messages == one.messages);
    CHECK(damage == one.damage);
    for (const std::size_t chunk : {std::size_t{1}, std::size_t{2}, std::size_t{7}, std::size_t{33}})
      CHECK(read(one.text, chunk).records == whole.records);
  }
}

TEST_CASE("parser: a line cut in NCCL's buffer tells its whole items") {
  std::string line = "w:1:2 [0] NCCL INFO Trees";
  int channel = 0;
  while (line.size() < 1100) line += " [" + std::to_string(channel++) + "] 12/-1/-1->0->-1";
  for (const std::string_view noise : {"", "\x7f\x01z garbage 12"}) {
    std::vector<int> channels;
    Damage damage = Damage::none;
    Parser parser(SourceId{0}, [&](const Record& record) {
      damage = record.damage;
      if (const auto* built = std::get_if<TreesBuilt>(&record.event)) {
        TreeList trees = built->trees;
        for (TreeLink link; trees.next(link);) channels.push_back(link.up);
      }
    });
    parser.feed(line.substr(0, 1023) + std::string(noise) + "\n");
    parser.finish();
    CHECK(damage == Damage::cut);
    REQUIRE(channels.size() > 30);
    CHECK(std::all_of(channels.begin(), channels.end(), [](int up) { return up == -1; }));
  }
}

TEST_CASE("parser: a line that is nearly what its sender printed before is read as it is") {
  const std::vector<std::string> said = {
      "Bootstrap: Using eth0:10.0.0.1<0>",
      "NET/Plugin: Plugin name set by env to libnccl-net.so",
      "CPU/0-0 (1/1/2)",
      "+ PCI[24.0] - GPU/0-1000 (0)",
      "Trees [0] 1/-1/-1->0->-1 [1] 1/-1/-1->0->-1",
      "NCCL_IB_HCA set by environment to mlx5 [repeated 3x across cluster]",
      "init.cc:345 (ncclCommInitRankFunc) -> 5",
      "words that no row knows",
      "Using network IB",
  };
  const std::vector<std::string> endings = {"",
                                            " ",
                                            "\r",
                                            "\t",
                                            " NCCL INFO Using network IB",
                                            "\x1b[0m",
                                            "[0m",
                                            "\"",
                                            ".",
                                            " (ClientActor pid=1)",
                                            " [repeated 2x across cluster]"};
  for (const std::string before : {"", "[pod/a-0/trainer] 2025-12-28T16:04:25.123Z ", "(Worker pid=7) ", "> "}) {
    std::string log;
    const auto say = [&](int speaker, const std::string& message, const char* level = "INFO ") {
      log += before + "host-" + std::to_string(speaker) + ":4" + std::to_string(speaker) + ":5 [0] NCCL " + level +
             message + '\n';
    };
    for (int speaker = 0; speaker < 3; ++speaker)
      for (int round = 0; round < 2; ++round)
        for (const std::string& message : said) say(speaker, message);
    for (std::size_t i = 0; i + 1 < said.size(); ++i) {
      for (const std::string& ending : endings) {
        say(1, said[i]);
        say(1, said[i + 1] + ending);
        say(2, said[i]);
        say(2, said[i + 1], "WARN ");
        say(0, said[i]);
        say(0, "init.cc:9 (f) " + said[i + 1]);
        log += "another line\n";
      }
    }
    // what is left of a message when something was taken off is not what the same words mean alone
    const std::string note = " [repeated 3x across cluster]", place = "init.cc:345 (ncclCommInitRankFunc) ";
    for (const int speaker : {0, 1, 0, 1}) {
      say(speaker, said[0]);
      say(speaker, speaker == 0 ? said[8] + note + note : said[8] + note);
      say(speaker, said[1]);
      say(speaker, speaker == 0 ? place + place + "-> 5" : place + "-> 5");
    }
    INFO(before);
    const Reading whole = read(log), bytewise = read(log, 1);
    CHECK(whole.stats.nccl_lines > 6 * (said.size() - 1) * endings.size());
    REQUIRE(whole.records.size() == bytewise.records.size());
    for (std::size_t i = 0; i < whole.records.size(); ++i) {
      INFO(whole.records[i].message << " / " << bytewise.records[i].message);
      CHECK(whole.records[i] == bytewise.records[i]);
    }
  }
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

TEST_CASE("parser: the number of a sender means one host, also when there are more than the cache holds") {
  std::map<std::uint64_t, std::string> hosts;
  Parser parser(SourceId{0}, [&](const Record& record) {
    if (record.sender == 0) return;
    const auto [known, made] = hosts.try_emplace(record.sender, record.origin.host);
    CHECK(known->second == record.origin.host);
  });
  std::string wide_list = ":1 [0] NCCL INFO Channel 00/02 :";
  for (int rank = 0; rank < 40; ++rank) wide_list += ' ' + std::to_string(rank);
  wide_list += '\n';
  std::string log;
  for (int round = 0; round < 2; ++round)
    for (int i = 0; i < 6000; ++i)
      log += "w" + std::to_string(i) + ':' + std::to_string(10000 + i) + wide_list;  // the line behind it is looked at
  parser.feed(log);
  CHECK(hosts.size() > 6000);
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

}  // namespace nccl_analyze
