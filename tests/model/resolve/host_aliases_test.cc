// Tests host aliases: a damaged prefix may have only a part of a host name, and its line belongs to the host with the
// whole name.

#include <string>
#include <vector>

#include "catch.h"
#include "model/small_log.h"

namespace nccl_analyze::test {
namespace {

std::string line(const std::string& prefix, const std::string& message = "Connected all rings") {
  return prefix + " [0] NCCL INFO " + message + "\n";
}

std::string lines(const std::string& prefix, int count) {
  std::string log;
  for (int i = 0; i < count; ++i) log += line(prefix);
  return log;
}

using Hosts = std::vector<std::string>;

Hosts hosts_of(const std::string& log) {
  Hosts hosts;
  for (const Process& process : model_of(log).processes) hosts.push_back(process.host.str());
  return hosts;
}

const std::string often = lines("train-job-0:7:8", 4);

}  // namespace

TEST_CASE("host aliases: a host that lost its head, or that something stuck to, is the one that printed often") {
  for (const char* const alias : {"in-job-0:7:8", "trtrain-job-0:7:8"}) {
    INFO(alias);
    CHECK(hosts_of(often + line(alias)) == Hosts{"train-job-0"});
    CHECK(hosts_of(line(alias) + often) == Hosts{"train-job-0"});
  }
}

TEST_CASE("host aliases: another name, or the same end with another pid, is another host") {
  CHECK(hosts_of(often + line("other-0:7:8")) == Hosts{"train-job-0", "other-0"});
  CHECK(hosts_of(often + line("in-job-0:9:9")) == Hosts{"train-job-0", "in-job-0"});
}

TEST_CASE("host aliases: no host's name begins with a dash, whatever its pid") {
  CHECK(hosts_of(often + line("-job-0:9:9")) == Hosts{"train-job-0", "train-job-0"});
  CHECK(hosts_of(often + line("-job-1:9:9")) == Hosts{"train-job-0", "-job-1"});  // No host name ends with this.
}

TEST_CASE("host aliases: two hosts that both print often stay two, though one name ends the other") {
  std::string both;
  for (int i = 0; i < 10; ++i) both += line("10-w-0:7:8") + line("w-0:7:8");
  CHECK(hosts_of(both) == Hosts{"10-w-0", "w-0"});
  // If both names have similar numbers of lines, it is unknown which one is damaged.
  CHECK(hosts_of(lines("in-job-0:7:8", 3) + often) == Hosts{"in-job-0", "train-job-0"});
}

TEST_CASE("host aliases: hosts of different pods are never aliases") {
  const std::string pod = "[pod/a-0/pt] ", other = "[pod/a-1/pt] ";
  CHECK(hosts_of(lines(pod + "train-job-0:7:8", 8) + line(pod + "job-0:7:8")) == Hosts{"train-job-0"});
  CHECK(hosts_of(lines(pod + "train-job-0:7:8", 8) + line(other + "job-0:7:8")) == Hosts{"train-job-0", "job-0"});
}

TEST_CASE("host aliases: what an alias printed belongs to its owner") {
  const std::string start =
      "ncclCommInitRank comm 0xa rank 1 nranks 2 cudaDev 0 nvmlDev 0 busId 1000 commId 0x7 - Init ";
  const Model model = model_of(line("b:1:1") + line("in-job-0:7:8", "NCCL_IB_TIMEOUT set by environment to 22.") +
                               line("in-job-0:7:8", "NCCL version 2.27.3+cuda12.4") + lines("train-job-0:7:8", 20) +
                               line("train-job-0:7:8", start + "START") + line("train-job-0:7:8", start + "COMPLETE") +
                               "rain-job-0:7:8 [0] a.cc:1 NCCL WARN Cuda failure 2 'out of memory'\n");
  REQUIRE(model.processes.size() == 2);
  const Process& owner = model.processes[1];
  CHECK(owner.host == "train-job-0");
  CHECK(owner.version == "2.27.3");
  REQUIRE(owner.env.find("NCCL_IB_TIMEOUT") != nullptr);
  CHECK(owner.env.find("NCCL_IB_TIMEOUT")->value == "22");
  CHECK(owner.first.line == 2);
  CHECK(owner.last.line == 26);
  REQUIRE(model.incidents.size() == 1);
  CHECK(model.incidents[0].process == 1);
  REQUIRE(model.communicators.size() == 1);
  CHECK(model.communicators[0].ranks.at(0).process == 1);
}

TEST_CASE("host aliases: an owner keeps what it printed itself") {
  const Model model = model_of(line("job-0:7:8", "NCCL version 2.20.5+cuda12.4") +
                               line("train-job-0:7:8", "NCCL version 2.27.3+cuda12.4") + lines("train-job-0:7:8", 20));
  REQUIRE(model.processes.size() == 1);
  CHECK(model.processes[0].version == "2.27.3");
}

TEST_CASE("host aliases: a name made of two is no host where lines were torn, and is one elsewhere") {
  const std::string hosts = lines("train-job-0:7:8", 20) + lines("train-job-1:9:9", 20);
  const std::string torn =
      "train-job-1:9:9 [0] NCCL INFO 24 coll channels, 24 cotrain-job-0:7:8 [0] NCCL INFO Connected all rings\n";
  CHECK(hosts_of(hosts + torn + line("train-jtrain:7:8")) == Hosts{"train-job-0", "train-job-1"});
  CHECK(hosts_of(hosts + line("train-jtrain:7:8")) == Hosts{"train-job-0", "train-job-1", "train-jtrain"});
  // `train-job-2` fits the pattern of the other host names.
  CHECK(hosts_of(hosts + torn + line("train-job-2:7:8")) == Hosts{"train-job-0", "train-job-1", "train-job-2"});
}

TEST_CASE("host aliases: few lines without a prefix are no process; a log without prefixes is one") {
  const std::string bare = "NCCL INFO Connected all rings\n";
  CHECK(hosts_of(often + lines("b:1:1", 20) + bare) == Hosts{"train-job-0", "b"});
  CHECK(hosts_of(bare + bare + bare) == Hosts{""});
}

}  // namespace nccl_analyze::test
