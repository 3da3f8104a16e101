// Tests the limits on what a report quotes: texts of lines, incidents and unknown wordings.

#include "model/build/quotes.h"

#include <string>
#include <vector>

#include "catch.h"

namespace nccl_analyze {
namespace {

using builder::Quotes;

Record record_at(std::uint64_t line, std::string_view text) {
  Record record;
  record.at = {SourceId{0}, line};
  record.text = record.message = text;
  return record;
}

Incident incident(IncidentKind kind, std::string message, Index process = 0) {
  Incident made;
  made.kind = kind;
  made.message = std::move(message);
  made.process = process;
  return made;
}

Model finished(Quotes& quotes) {
  Model model;
  quotes.finish(model);
  return model;
}

}  // namespace

TEST_CASE("quotes: so many texts of each kind of event are kept, but every place is known") {
  Quotes quotes({.max_quotes_per_event = 2});
  Record env = record_at(0, "env"), network = record_at(0, "network");
  env.event = EnvSet{};
  network.event = NetworkChosen{};
  for (std::uint64_t line = 1; line <= 9; line += 2) {
    env.at = {SourceId{0}, line};
    network.at = {SourceId{0}, line + 1};
    CHECK(quotes.quote(env) == env.at);
    CHECK(quotes.quote(network) == network.at);
  }
  const Model model = finished(quotes);
  REQUIRE(model.quotes.size() == 4);
  for (std::uint64_t line = 1; line <= 4; ++line)
    CHECK(model.quote({SourceId{0}, line}) == (line % 2 == 1 ? "env" : "network"));
  CHECK(model.quote({SourceId{0}, 5}).empty());
}

TEST_CASE("quotes: a long line is cut, and two records of one line are one text") {
  Quotes quotes({});
  const std::string endless(100'000, 'x');
  quotes.quote(record_at(3, endless));
  quotes.quote(record_at(2, ""));  // a fact of which nothing can be quoted
  quotes.quote(record_at(2, "first half"));
  quotes.quote(record_at(2, "second half"));
  quotes.quote(record_at(2, "half"));  // The kept text already contains this one.
  const Model model = finished(quotes);
  CHECK(model.quote({SourceId{0}, 3}).size() == 600);
  CHECK(model.quote({SourceId{0}, 2}) == "first half ... second half");
  CHECK(model.quotes[0].at.line == 2);  // Quotes are sorted by line.
}

TEST_CASE("quotes: incidents with the same words in one process are one, with the evidence of all") {
  Quotes quotes({});
  for (std::uint64_t line = 1; line <= 20; ++line) {
    Record record = record_at(line, "Cuda failure 2");
    record.times = line == 20 ? 5 : 1;
    quotes.add_incident(incident(IncidentKind::cuda_failed, "Cuda failure 2"), record);
  }
  quotes.add_incident(incident(IncidentKind::cuda_failed, "Cuda failure 2", 1), record_at(21, "of another process"));
  quotes.add_incident(incident(IncidentKind::cuda_failed, "Cuda failure 3"), record_at(22, "of other words"));
  const Model model = finished(quotes);
  REQUIRE(model.incidents.size() == 3);
  CHECK(model.incidents[0].evidence.count == 24);
  CHECK(model.incidents[0].evidence.lines.size() == Evidence::max_lines);
  CHECK(model.incidents[1].process == 1);
  CHECK(model.incidents[2].message == "Cuda failure 3");
  // Only the first few lines of an incident are quoted, because they are sufficient evidence.
  CHECK(model.quotes.size() == 5);
}

TEST_CASE("quotes: retries that differ in peers and ports are one incident, failures are not") {
  for (const auto& [kind, incidents] :
       {std::pair{IncidentKind::connect_retried, 1U}, {IncidentKind::connection_closed, 2U}}) {
    Quotes quotes({});
    quotes.add_incident(incident(kind, "peer 10.0.0.1<4000> refused"), record_at(1, "a"));
    quotes.add_incident(incident(kind, "peer 10.0.0.2<4001> refused"), record_at(2, "b"));
    CHECK(finished(quotes).incidents.size() == incidents);
  }
}

TEST_CASE("quotes: incidents beyond the limit are counted, repeats of known ones are not lost") {
  Quotes quotes({.max_incidents = 2});
  Record record = record_at(1, "x");
  for (const char* const words : {"a", "b", "c", "a", "c"})
    quotes.add_incident(incident(IncidentKind::cuda_failed, words), record);
  record.times = 10;
  quotes.add_incident(incident(IncidentKind::cuda_failed, "d"), record);
  const Model model = finished(quotes);
  REQUIRE(model.incidents.size() == 2);
  CHECK(model.incidents[0].evidence.count == 2);
  CHECK(model.dropped == 12);
}

TEST_CASE("quotes: unknown wordings are counted with their digits folded, the most frequent first") {
  Quotes quotes({.max_samples = 2});
  Record twice = record_at(3, "");
  quotes.add_unrecognized(record_at(1, "seldom"));
  for (const char* const text : {"step 1", "step 22", "step 333"}) {
    twice.message = text;
    twice.times = 2;
    quotes.add_unrecognized(twice);
  }
  quotes.add_unrecognized(record_at(4, "one too many"));
  const Model model = finished(quotes);
  REQUIRE(model.unrecognized.size() == 2);
  CHECK(model.unrecognized[0].text == "step 1");
  CHECK(model.unrecognized[0].count == 6);
  CHECK(model.unrecognized[0].at.line == 3);
  CHECK(model.unrecognized[1].text == "seldom");
}

}  // namespace nccl_analyze
