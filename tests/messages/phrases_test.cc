// Tests the fallback for unknown messages: a line with a well-known phrase is never ignored, and healthy logs have
// none.

#include "messages/phrases.h"

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <variant>

#include "catch.h"
#include "nccl_analyze/analyzer.h"
#include "nccl_analyze/event.h"
#include "nccl_analyze/report.h"
#include "nccl_analyze/requirements.h"
#include "testdata.h"
#include "text/line_scan.h"

namespace nccl_analyze {
namespace {

struct Read {
  Model model;
  bool read = false;  ///< Whether a row of the table reads the line.
};

Read read(std::string_view text) {
  Read result;
  ModelBuilder builder;
  Parser parser{SourceId{0}, [&](const Record& record) {
                  const Event& event = record.event;
                  const Warned* const warned = std::get_if<Warned>(&event);
                  if (warned != nullptr)
                    result.read |= !warned->topic.empty() && warned->topic != "internal-error";
                  else if (!std::holds_alternative<Unrecognized>(event) && !std::holds_alternative<Damaged>(event) &&
                           !std::holds_alternative<PhraseSeen>(event))
                    result.read = true;
                  builder.add(record);
                }};
  parser.feed(text);
  parser.finish();
  builder.add_source(SourceId{0}, "log", parser.stats());
  result.model = std::move(builder).build();
  return result;
}

std::set<std::string> topics(const Model& model) {
  std::set<std::string> found;
  for (const Incident& incident : model.incidents)
    if (incident.kind == IncidentKind::phrase_seen || incident.kind == IncidentKind::other_warning)
      found.insert(incident.topic);
  return found;
}

bool has(const Model& model, IncidentKind kind) {
  return std::any_of(model.incidents.begin(), model.incidents.end(),
                     [&](const Incident& incident) { return incident.kind == kind; });
}

/// Returns the shortest beginning of the example in which the phrase is found, with the words that the phrase requires
/// beside it.
std::string cut_behind_phrase(const Phrase& phrase) {
  for (std::size_t size = phrase.words.size(); size < phrase.example.size(); ++size)
    if (const FoundPhrase found = find_phrase(phrase.example.substr(0, size)); found.phrase == &phrase)
      return std::string(phrase.example.substr(0, size));
  return std::string(phrase.example);
}

/// Whether there is a finding above info, or of a rule that reports the phrase at info: no failure follows from it, or,
/// if it is told once, none may.
bool has_finding(const Phrase& phrase, const Model& model) {
  const Report report = analyze(model);
  return std::ranges::any_of(report.findings, [&phrase](const Finding& finding) {
    return finding.severity() != Severity::info || finding.rule->name == "gid-table-change" ||
           finding.rule->name == "shm-instead-of-p2p" || finding.rule->name == "nvshmem-failed" ||
           (phrase.words == unanswered_workers && finding.rule->name == "watchdog-timeout") ||
           (phrase.words == unresolved_master && finding.rule->name == "connect-failed");
  });
}

/// Whether the line leads to a finding: a row reads the line, or there is an incident for the rule of the phrase, or of
/// a more specific phrase in the line.
bool speaks(const Phrase& phrase, const std::string& line) {
  const Read result = read(line + "\n");
  const FoundPhrase found = find_phrase(line);
  const bool specific = found && found.phrase <= &phrase;
  if (!specific || !has_finding(phrase, result.model)) return false;
  return result.read || topics(result.model).contains(std::string(found.phrase->rule));
}

}  // namespace

TEST_CASE("phrases: each is found in its example, belongs to a rule and has a keyword") {
  for (const Phrase& phrase : phrases()) {
    INFO(phrase.words << " in " << phrase.example);
    CHECK(find_rule(phrase.rule) != nullptr);
    CHECK(find_phrase(phrase.example).phrase == &phrase);
    CHECK_FALSE(find_phrase(phrase.example).softened);
    CHECK(has_keyword(cut_behind_phrase(phrase)));
  }
  CHECK(phrases().size() >= 70);
}

TEST_CASE("phrases: each gives a finding behind any prefix, also where the line is cut behind it") {
  constexpr std::string_view heads[] = {
      "",
      "> ",
      "[rank3]: ",
      "[pod/worker-0/main] 2026-01-31T10:00:00.123456789Z ",
      "(RayWorkerWrapper pid=4711, ip=10.0.4.7) ",
      "node-1:101:103 [0] NCCL WARN ",
      "node-1:101:103 [0] transport/new.cc:17 NCCL WARN ",
  };
  for (const Phrase& phrase : phrases())
    for (const std::string_view head : heads)
      for (const std::string& words : {std::string(phrase.example), cut_behind_phrase(phrase)}) {
        INFO(head << words);
        CHECK(speaks(phrase, std::string(head) + words));
      }
}

TEST_CASE("phrases: an exception that holds NCCL's words is not the program's own") {
  for (const Phrase& phrase : phrases()) {
    INFO(phrase.words);
    const Model model = read("RuntimeError: " + std::string(phrase.example) + "\n").model;
    const bool told = topics(model).contains(std::string(phrase.rule));
    if (phrase.printed_by == PrintedBy::nccl) {
      CHECK((told || phrase.words == "Test NCCL failure"));  // a row reads its line, with the error of NCCL
      CHECK_FALSE(has(model, IncidentKind::program_raised));
      CHECK(has(model, IncidentKind::nccl_error_raised));
    } else {
      CHECK((told || has(model, IncidentKind::program_raised)));
    }
  }
  for (const std::string_view words :
       {"NCCL error: unhandled cuda error (run with NCCL_DEBUG=INFO for details)", "unhandled system error",
        "Worker-3 raised the following async exception: NCCL operation failed",
        "remote process exited or there was a network error, NCCL version 2.27.3"}) {
    INFO(words);
    const Model model = read("RuntimeError: " + std::string(words) + "\n").model;
    CHECK(has(model, IncidentKind::nccl_error_raised));
    CHECK_FALSE(has(model, IncidentKind::program_raised));
  }
}

TEST_CASE("phrases: what NCCL takes for information counts only in words of its own") {
  const auto of = [](std::string_view message) {
    return topics(read("node-1:101:103 [0] NCCL INFO " + std::string(message) + "\n").model);
  };
  CHECK(of("Nobody knows: Duplicate GPU detected").contains("duplicate-gpu"));
  CHECK(of("Call to connect to 10.0.4.12<41234> gave Connection refused").empty());
  CHECK(of("NET/IB : No device found.").empty());
  CHECK(of("Call to connect returned Connection refused, retrying").empty());
  CHECK(of("Nobody knows: Could not enable P2P, falling back to SHM").empty());
}

TEST_CASE("phrases: many lines of one phrase are one incident") {
  std::string text;
  for (std::size_t i = 0; i < 1000; ++i)
    text += "worker " + std::to_string(i) + ": NCCL error: internal error of " + std::string(1 + i % 50, 'x') + "\n";
  const Model model = read(text).model;
  REQUIRE(model.incidents.size() == 1);
  CHECK(model.incidents[0].evidence.count == 1000);
  CHECK(model.incidents[0].process == -1);
  const Report report = analyze(model);
  REQUIRE(report.findings.size() == 1);
  CHECK(report.findings[0].rule->name == "internal-error");
  CHECK(report.findings[0].severity() == Severity::warning);
  CHECK(report.findings[0].incidents == std::vector<Index>{0});
}

TEST_CASE("phrases: a summary gives incidents of the same topics") {
  const std::string text =
      "node-1:101:103 [0] NCCL INFO Bootstrap : Using eth0:10.0.0.1<0>\n"
      "node-1:101:103 [0] NCCL WARN Some new words: Duplicate GPU detected\n"
      "worker-1: NCCL error: internal error of the job\n";
  Summary summary;
  Parser parser{SourceId{0}, [&](const Record& record) { summary.add(record); }};
  parser.feed(text);
  parser.finish();
  summary.add_source(SourceId{0}, "log", parser.stats());
  ModelBuilder builder;
  summary.replay(builder);
  const Model model = std::move(builder).build();
  CHECK(topics(model) == topics(read(text).model));
  CHECK(topics(model) == std::set<std::string>{"duplicate-gpu", "internal-error"});
}

TEST_CASE("phrases: no log of testdata without a finding above info holds one") {
  for (const std::string kind : {"jobs", "rules", "messages"})
    for (const Case& one : cases(kind))
      for (const auto& path : one.logs) {
        if (kind == "rules" && one.name.find("/silent") == std::string::npos) continue;
        const Model model = read(read_file(path)).model;
        const Report report = analyze(model);
        if (!report.findings.empty() && report.findings[0].severity() != Severity::info) continue;
        INFO(path.string());
        CHECK_FALSE(has(model, IncidentKind::phrase_seen));
      }
}

TEST_CASE("phrases: quoted words end where the framework's go on") {
  const auto kinds = [](std::string_view quoted) { return read("Last error:\n" + std::string(quoted) + "\n").model; };
  CHECK(has(kinds("Error while creating shared memory segment /dev/shm/nccl-Ab12Cd (size 9637888), Traceback (most "
                  "recent call last):"),
            IncidentKind::shared_memory_failed));
  CHECK(has(kinds("[rank0|0]:socketStartConnect: Connect to 10.0.4.12<41234> failed : Connection refused"),
            IncidentKind::connect_failed));
}

}  // namespace nccl_analyze
