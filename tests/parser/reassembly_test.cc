// Tests that torn, wrapped and cut lines give the records that they contain, or none.

#include <algorithm>
#include <string>
#include <vector>

#include "catch.h"
#include "nccl_analyze/analyzer.h"
#include "nccl_analyze/event.h"
#include "nccl_analyze/report.h"
#include "nccl_analyze/requirements.h"
#include "parser/reading.h"

namespace nccl_analyze::test {
namespace {

struct DamagedText {
  std::string_view name;
  std::string text;
  std::vector<std::string> messages;  ///< The expected records in order: `event: message`.
  std::vector<Damage> damage;
};

}  // namespace

TEST_CASE("parser: a record that a terminal wrapped within its level is one") {
  const Reading reading = read(
      "2026-05-16T16:39:55.215-07:00 node-1:37:6739 [0] platform_config_endpoint:626 NCCL WA\n"
      "RN NET/OFI GDR disabled on GDR-supported instance type p4d.24xlarge\n");
  REQUIRE(reading.records.size() == 1);
  CHECK(reading.records[0].message == "NET/OFI GDR disabled on GDR-supported instance type p4d.24xlarge");
  CHECK(reading.records[0].host == "node-1");
}

TEST_CASE("parser: a warning that someone wrapped with an indent is one") {
  const Reading reading = read(
      "node-1:37:6739 [0] transport/nvls.cc:287 NCCL WARN Failed to bind NVLink SHARP (NVLS) Multicast memory\n"
      "  of size 2097152 : CUDA error 401 'the operation cannot be performed in the present state'.\n");
  REQUIRE(reading.records.size() == 1);
  CHECK(reading.records[0].message.starts_with(
      "Failed to bind NVLink SHARP (NVLS) Multicast memory of size 2097152 : CUDA error 401"));
}

TEST_CASE("parser: a host that runs into a number begins where a host can begin") {
  const auto host_behind_number = [](const std::string& host) {
    const Reading reading =
        read("w:1:2 [0] NCCL INFO cudaDriverVersion 12080" + host + ":1:3 [0] NCCL INFO Connected all rings\n");
    REQUIRE(reading.records.size() == 2);
    return reading.records[0].host;
  };
  CHECK(host_behind_number("alpha-1") == "alpha-1");
  CHECK(host_behind_number("10.0.7.32") == "0.0.7.32");  // not `.0.7.32`, which redaction would take for no name
}

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
      {"a list that somebody shortened",
       "w:1:2 [0] NCCL INFO NET/IB : Using [0]mlx5_0:1/IB ...\nw:1:2 [0] NCCL INFO Using network IB\n",
       {"noted: NET/IB : Using [0]mlx5_0:1/IB ...", "network_chosen: Using network IB"},
       {Damage::none, Damage::none}},
      {"a list that somebody shortened with an ellipsis",
       "w:1:2 [0] NCCL INFO NET/IB : Using [0]mlx5_0:1/IB \u2026\nw:1:2 [0] NCCL INFO Using network IB\n",
       {"noted: NET/IB : Using [0]mlx5_0:1/IB \u2026", "network_chosen: Using network IB"},
       {Damage::none, Damage::none}},
      {"a list that somebody shortened without a blank",
       "w:1:2 [0] NCCL INFO NET/IB : Using [0]mlx5_0:1/IB...\nw:1:2 [0] NCCL INFO Using network IB\n",
       {"noted: NET/IB : Using [0]mlx5_0:1/IB...", "network_chosen: Using network IB"},
       {Damage::none, Damage::none}},
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

}  // namespace nccl_analyze::test
