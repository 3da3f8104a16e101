// Tests that the caches of senders and of their last messages change no record.

#include <map>
#include <string>
#include <vector>

#include "catch.h"
#include "nccl_analyze/analyzer.h"
#include "nccl_analyze/event.h"
#include "nccl_analyze/report.h"
#include "nccl_analyze/requirements.h"
#include "parser/reading.h"

namespace nccl_analyze::test {

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
    // The parser strips one note or location from these messages. The rest must not be confused with an equal message
    // from which nothing was stripped.
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
      log += "w" + std::to_string(i) + ':' + std::to_string(10000 + i) + wide_list;  // Makes the parser look ahead.
  parser.feed(log);
  CHECK(hosts.size() > 6000);
}

}  // namespace nccl_analyze::test
