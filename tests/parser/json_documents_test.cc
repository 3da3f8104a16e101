// Tests that log lines inside JSON documents become records, however the bytes are cut, and that no line is lost
// before, after or inside a document.

#include <string>
#include <vector>

#include "catch.h"
#include "reading.h"

namespace nccl_analyze::test {
namespace {

std::string node_record(int number) {
  return "node-" + std::to_string(number) + ":10" + std::to_string(number) +
         ":11 [0] NCCL INFO cudaDriverVersion 12040";
}

const std::string loki_document =
    R"({"status":"success","data":{"result":[{"stream":{"pod":"a-0"},"values":[["1769853600000000000",")" +
    node_record(1) + R"("],["1769853600010000000",")" + node_record(2) + "\"]]}]}}\n";
const std::string indented_document =
    "[\n  {\n    \"textPayload\": \"" + node_record(1) + "\",\n    \"labels\": {\"pod_name\": \"a-0\"}\n  },\n" +
    "  {\n    \"textPayload\": \"" + node_record(2) + R"(\n)" + node_record(3) + "\"\n  }\n]\n";

std::vector<std::string> host_names_of(const Reading& reading) {
  std::vector<std::string> names;
  for (const Seen& seen : reading.records) names.push_back(seen.host);
  return names;
}

using HostNames = std::vector<std::string>;

TEST_CASE("log lines in documents are records") {
  CHECK(host_names_of(read(loki_document)) == HostNames{"node-1", "node-2"});
  CHECK(host_names_of(read(indented_document)) == HostNames{"node-1", "node-2", "node-3"});
  CHECK(host_names_of(read(loki_document + node_record(4) + "\n" + loki_document)) ==
        HostNames{"node-1", "node-2", "node-4", "node-1", "node-2"});
  CHECK(host_names_of(read(indented_document + node_record(4) + "\n" + indented_document)).size() == 7);
  CHECK(host_names_of(read("a line\n" + loki_document)) == HostNames{"node-1", "node-2"});
}

TEST_CASE("records of a document have the places of its lines") {
  const Reading indented = read(indented_document + node_record(4) + "\n");
  REQUIRE(indented.records.size() == 4);
  const LinePlaces& places = indented.stats.places;
  CHECK(places(indented.records[0].at.line) == 3);
  CHECK(places(indented.records[1].at.line) == 7);
  CHECK(places(indented.records[2].at.line) == 7);
  CHECK(places(indented.records[3].at.line) == 10);
  CHECK(indented.records[1].at < indented.records[2].at);
  const Reading compact = read(loki_document + loki_document + node_record(4) + "\n");
  REQUIRE(compact.records.size() == 5);
  CHECK(compact.stats.places(compact.records[1].at.line) == 1);
  CHECK(compact.stats.places(compact.records[2].at.line) == 2);
  CHECK(compact.stats.places(compact.records[4].at.line) == 3);
}

TEST_CASE("documents do not depend on how they are cut into chunks") {
  const std::string half = indented_document.substr(0, indented_document.find("node-2"));
  // A document that misses its end after a whole one: each is a line.
  const std::string torn = loki_document + "{\"pod\": " + loki_document;
  for (const std::string& text :
       {torn, loki_document, indented_document, indented_document + loki_document + node_record(4),
        half + "\n" + node_record(5) + "\n", half, "\n\n" + indented_document,
        "[0] " + node_record(1) + "\n" + indented_document}) {
    const Reading whole = read(text);
    CHECK(!whole.records.empty());
    for (const std::size_t chunk : {1U, 2U, 7U, 64U}) {
      const Reading cut = read(text, chunk);
      CHECK(cut.records == whole.records);
      CHECK(cut.stats == whole.stats);
    }
  }
}

TEST_CASE("a document ends at the first byte that is not JSON") {
  const std::string half =
      indented_document.substr(0, indented_document.find("  {\n    \"textPayload\": \"" + node_record(2)));
  CHECK(host_names_of(read(half + node_record(5) + "\n" + node_record(6) + "\n")) ==
        HostNames{"node-1", "node-5", "node-6"});
  CHECK(host_names_of(read("[1,0]<stdout>: " + node_record(1) + "\n" + node_record(2) + "\n")) ==
        HostNames{"node-1", "node-2"});
  CHECK(host_names_of(read("{\n" + node_record(1) + "\n}\n" + node_record(2) + "\n")) == HostNames{"node-1", "node-2"});
}

TEST_CASE("a document that is newest first is read from its end") {
  std::string text = R"([)";
  for (int number = 6; number > 0; --number)
    text += R"({"message":")" + node_record(number) + R"(","timestamp":"2026-01-31T10:00:0)" + std::to_string(number) +
            R"(Z"})" + (number > 1 ? "," : "]\n");
  const Reading reading = read(text);
  CHECK(host_names_of(reading) == HostNames{"node-1", "node-2", "node-3", "node-4", "node-5", "node-6"});
  CHECK(reading.stats.reversed == 1);
  CHECK(reading.stats.newest_first == 0);
}

TEST_CASE("lines that are newest first are noticed") {
  std::string text;
  for (int number = 6; number > 0; --number)
    text += "2026-01-31T10:00:0" + std::to_string(number) + "Z " + node_record(number) + "\n";
  CHECK(read(text).stats.newest_first == 1);
  CHECK(read(text, 1).stats.newest_first == 1);
  const std::string eta = "step done, ETA 00:10:0";
  CHECK(read(eta + "9\n" + eta + "8\n" + eta + "7\n" + eta + "6\n" + eta + "5\n").stats.newest_first == 0);
}

TEST_CASE("a line that a store repeats counts once") {
  const std::string text =
      R"({"message":")" + node_record(1) + R"(","event":{"original":"<14>)" + node_record(1) + "\"}}\n";
  CHECK(host_names_of(read(text)) == HostNames{"node-1"});
}

}  // namespace
}  // namespace nccl_analyze::test
