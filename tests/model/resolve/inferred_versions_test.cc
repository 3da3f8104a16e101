// The release of a process that prints no version, by the places in the source that its messages name.

#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "catch.h"
#include "model_of.h"

namespace nccl_analyze {
namespace {

std::string trace(const std::string& place, const std::string& host = "h:1:1") {
  return host + " [0] NCCL INFO " + place + " -> 3\n";
}

/// The error trace of a process of NCCL 2.21.5.
std::string trail(const std::string& host = "h:1:1") {
  return host + " [0] graph/xml.h:101 NCCL WARN Attribute arch of node cpu not found\n" +
         trace("graph/topo.cc:493", host) + trace("graph/topo.cc:773", host) + trace("init.cc:1548", host) +
         trace("init.cc:1799", host);
}

std::vector<std::string> versions_of(const Process& process) {
  std::vector<std::string> versions;
  if (process.inferred_version)
    for (const Text& version : process.inferred_version->versions) versions.push_back(version.str());
  return versions;
}

std::vector<std::string> versions_in(const std::string& log) {
  const Model model = model_of(log);
  return model.processes.empty() ? std::vector<std::string>{} : versions_of(model.processes.front());
}

using Versions = std::vector<std::string>;

}  // namespace

TEST_CASE("inferred versions: the places of a trail name the release") {
  const Model model = model_of(trail());
  REQUIRE(model.processes.size() == 1);
  const Process& process = model.processes.front();
  CHECK(process.version.empty());
  REQUIRE(process.inferred_version);
  CHECK(process.inferred_version->library == "NCCL");
  CHECK(versions_of(process) == Versions{"2.21.5"});
  CHECK(process.inferred_version->places == 5);
  CHECK(process.inferred_version->matched.count == 5);
  CHECK(process.inferred_version->matched.lines.size() == 5);
}

TEST_CASE("inferred versions: each process has its own") {
  const Model model = model_of(trail("a:1:1") + trail("b:2:2"));
  REQUIRE(model.processes.size() == 2);
  CHECK(versions_of(model.processes[0]) == Versions{"2.21.5"});
  CHECK(versions_of(model.processes[1]) == Versions{"2.21.5"});
}

TEST_CASE("inferred versions: processes of one log name one release together") {
  const std::string half =
      trace("graph/topo.cc:493", "a:1:1") + trace("graph/topo.cc:773", "a:1:1") + trace("init.cc:1548", "b:2:2");
  const Model model = model_of(half + trace("init.cc:1799", "b:2:2") + trace("init.cc:7", "c:3:3") +
                               "d:4:4 [0] NCCL INFO cudaDriverVersion 12040\n");
  REQUIRE(model.processes.size() == 4);
  CHECK(versions_of(model.processes[0]).empty());  // init.cc:7 is one of five places, and of no release
  const Model agreeing = model_of(half + trace("init.cc:1799", "b:2:2") + "d:4:4 [0] NCCL INFO Using network IB\n");
  REQUIRE(agreeing.processes.size() == 3);
  CHECK(versions_of(agreeing.processes[0]) == Versions{"2.21.5"});
  CHECK(versions_of(agreeing.processes[1]) == Versions{"2.21.5"});
  CHECK(versions_of(agreeing.processes[2]).empty());  // it names no place
  CHECK(agreeing.processes[0].inferred_version->places == 4);
}

TEST_CASE("inferred versions: a process whose places contradict its log's has none") {
  const Model model = model_of(trail("a:1:1") + trace("init.cc:1548", "b:2:2") + trace("init.cc:7", "c:3:3"));
  REQUIRE(model.processes.size() == 3);
  CHECK(versions_of(model.processes[0]) == Versions{"2.21.5"});
  CHECK(versions_of(model.processes[1]).empty());  // five of six places are less than nine in ten
  CHECK(versions_of(model.processes[2]).empty());
  CHECK(versions_of(model_of(trail("a:1:1") + trace("init.cc:1548", "b:2:2")).processes[1]) == Versions{"2.21.5"});
  const std::string printed = "a:1:1 [0] NCCL INFO NCCL version 2.21.5+cuda12.4\n";
  CHECK(versions_of(model_of(printed + trail("b:2:2") + trace("init.cc:1548", "c:3:3")).processes[2]).empty());
}

TEST_CASE("inferred versions: a printed version needs no guess") {
  CHECK(versions_in("h:1:1 [0] NCCL INFO NCCL version 2.20.5+cuda12.4\n" + trail()).empty());
}

TEST_CASE("inferred versions: few places, or places that differ, are no release") {
  CHECK(versions_in(trace("graph/topo.cc:493") + trace("init.cc:1548")).empty());
  // A repeated place counts once.
  CHECK(versions_in(trace("init.cc:1548") + trace("init.cc:1799") + trace("init.cc:1799")).empty());
  CHECK(versions_in(trail() + trace("init.cc:5")).empty());
  // Warnings are in other lines than the error trace.
  CHECK(versions_in(trace("graph/xml.h:101") + trace("graph/topo.cc:493") + trace("graph/topo.cc:773") +
                    trace("init.cc:1548"))
            .empty());
}

TEST_CASE("inferred versions: places of plugins and numbers of no line do not count") {
  const std::string others = "h:1:1 [0] ib_plugin.c:77 NCCL WARN Zebra\nh:1:1 [0] zebra() NCCL WARN Striped\n" +
                             trace("init.cc:99999999999999999999") + trace("init.cc:-1") + trace("init.cc:") +
                             trace(":12") + trace("/:12") + trace("..:12");
  CHECK(versions_in(others).empty());
  CHECK(versions_in(others + trail()) == Versions{"2.21.5"});
}

TEST_CASE("inferred versions: the paths of RCCL are not those of NCCL") {
  std::string log = trail();
  for (std::size_t at = log.find("init.cc"); at != std::string::npos; at = log.find("init.cc", at + 30))
    log.insert(at, "/build/hipify/src/");
  CHECK(versions_in(log).empty());
}

TEST_CASE("inferred versions: wordings of another release contradict the places") {
  const std::string old = "h:1:1 [0] NCCL INFO comm 0x7f rank 0 nranks 8 cudaDev 0 busId 1000 - Init COMPLETE\n";
  const Model model = model_of(old + trail());
  REQUIRE(model.processes.size() == 1);
  CHECK(model.processes.front().releases.until == 215);
  CHECK(versions_of(model.processes.front()).empty());
}

TEST_CASE("inferred versions: reports say that no line shows the version") {
  Analyzer analyzer;
  analyzer.feed("log", trail());
  const Analysis analysis = std::move(analyzer).finish();
  std::ostringstream json, text;
  write_json(json, analysis.model, analysis.report);
  CHECK(json.str().find(R"("version": null,
      "version_inferred": {"library": "NCCL", "versions": ["2.21.5"], "places": 5, "matched": 5, "lines": [{)") !=
        std::string::npos);
  write_text(text, analysis.model, analysis.report, {});
  CHECK(text.str().find("NCCL 2.21.5 (not shown: inferred") != std::string::npos);
}

TEST_CASE("inferred versions: a hundred thousand places are read up to a limit") {
  std::string log;
  for (int i = 0; i < 100'000; ++i) log += trace("init.cc:" + std::to_string(i + 1));
  CHECK(versions_in(log).empty());
  CHECK(versions_in(trail() + trail("h:1:2") + trail("h:1:3")) == Versions{"2.21.5"});
}

}  // namespace nccl_analyze
