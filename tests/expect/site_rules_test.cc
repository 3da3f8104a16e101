// Tests site rules: their file, their patterns, their conditions.

#include <cstddef>
#include <sstream>
#include <string>
#include <utility>

#include "catch.h"
#include "nccl_analyze/analyzer.h"
#include "nccl_analyze/event.h"
#include "nccl_analyze/report.h"
#include "nccl_analyze/requirements.h"

namespace nccl_analyze {
namespace {

/// Returns a rule that has these members after the required ones.
std::string rule_with(std::string_view members, std::string_view id = "ACME1", std::string_view name = "our-fault") {
  return std::string(R"({"id": ")").append(id) + R"(", "name": ")" + std::string(name) +
         R"(", "severity": "error", "title": "Ours",)" + "\n" + std::string(members) + "}";
}
std::string file_of(std::string_view rules) { return "{\"rules\": [\n" + std::string(rules) + "\n]}"; }

std::string error_of(std::string_view json) {
  SiteRules rules;
  const std::string error = rules.add("site.json", json);
  CHECK(rules.empty() == !error.empty());
  return error;
}

/// Two hosts that use sockets, with a warning on the second host.
constexpr std::string_view log =
    "a:1:1 [0] NCCL INFO NCCL version 2.19.3+cuda12.2\n"
    "a:1:1 [0] NCCL INFO Using network Socket\n"
    "a:1:1 [0] NCCL INFO NCCL_IB_DISABLE set by environment to 1.\n"
    "a:1:1 [0] NCCL INFO comm 0x1 rank 0 nranks 2 cudaDev 0 nvmlDev 0 busId 1000 commId 0x5 - Init START\n"
    "b:1:1 [0] NCCL INFO Using network Socket\n"
    "b:1:1 [0] NCCL WARN the frobnicator \x1b[31m failed\n"
    "b:1:1 [0] NCCL WARN the frobnicator failed again\n"
    "b:1:1 [0] NCCL INFO comm 0x2 rank 1 nranks 2 cudaDev 0 nvmlDev 0 busId 1000 commId 0x5 - Init START\n";

struct SiteOutcome {
  SiteRules rules;  // Findings point into these rules.
  Model model;
  Report report;
};

SiteOutcome judge(std::string_view rules, bool messages_seen = true) {
  SiteOutcome outcome;
  REQUIRE(outcome.rules.add("site.json", file_of(rules)) == "");
  SiteMatcher matcher(outcome.rules);
  ModelBuilder builder;
  Parser parser(SourceId{0}, [&](const Record& record) {
    builder.add(record);
    matcher.add(record);
  });
  parser.feed(log);
  parser.finish();
  builder.add_source(SourceId{0}, "worker.log", parser.stats());
  outcome.model = std::move(builder).build();
  matcher.judge(outcome.rules.infos(), messages_seen, outcome.model, outcome.report);
  return outcome;
}

std::size_t findings_of(std::string_view members) { return judge(rule_with(members)).report.findings.size(); }

}  // namespace

TEST_CASE("site rules: mistakes have a line") {
  const auto error = [](std::string_view members) { return error_of(file_of(rule_with(members))); };
  CHECK(error("\"message\": \"x\"") == "");
  CHECK(error("\"message\": \"(\"").starts_with("site.json:3: \"message\" is no RE2 pattern: missing )"));
  CHECK(error("\"message\": \"x*\"").starts_with("site.json:3: the pattern fits every line"));
  CHECK(error("\"message\": \"" + std::string(2000, 'x') + "\"").starts_with("site.json:3: the pattern is longer"));
  CHECK(error("\"message\": 4").starts_with("site.json:3: \"message\" is a text"));
  CHECK(error("\"message\": \"x\",\n\n\"lvl\": \"warn\"").starts_with("site.json:5: a rule has no \"lvl\""));
  CHECK(error("\"message\": \"x\",\n\"level\": \"trace\"").starts_with("site.json:4: \"level\" is one of warn, info"));
  CHECK(error("\"message\": \"x\", \"at_least\": 0").starts_with("site.json:3: \"at_least\" is a whole number"));
  CHECK(error("\"when\": {\"nnodes>\": 1}, \"level\": \"warn\"").starts_with("site.json:3: \"level\" goes with"));
  CHECK(error("\"fix\": \"x\"").starts_with("site.json:2: the rule has neither"));
  CHECK(error("\"when\": {}").starts_with("site.json:3: \"when\" is an object"));
  CHECK(error("\"when\": {\n\"netwrok\": \"IB\"}").starts_with("site.json:4: no condition is called \"netwrok\""));
  CHECK(error("\"when\": {\"network>\": \"IB\"}").starts_with("site.json:3: \"network>\": texts have no order"));
  CHECK(
      error("\"when\": {\"nnodes>\": \"1\"}").starts_with("site.json:3: \"nnodes>\" is compared with a whole number"));
  CHECK(error("\"when\": {\"nnodes>\": [1, 2]}").starts_with("site.json:3: \"nnodes>\": compare with one value"));
  CHECK(error("\"when\": {\"nnodes\": 1.5}").starts_with("site.json:3: \"nnodes\" is compared with a whole number"));
  CHECK(error("\"when\": {\"gdr\": 1}").starts_with("site.json:3: \"gdr\" is true or false"));
  CHECK(error("\"when\": {\"nics\": true}").starts_with("site.json:3: \"nics\" is compared with a whole number"));
  CHECK(error("\"when\": {\"nics<\": [1, 2]}").starts_with("site.json:3: \"nics\": an order compares with one value"));
  CHECK(error("\"when\": {\"no-warning\": true}").starts_with("site.json:3: no condition is called \"no-warning\""));
  CHECK(error("\"when\": {\"network\": []}").starts_with("site.json:3: \"network\" takes 1 to"));
  CHECK(error("\"when\": {\"env\": {}}").starts_with("site.json:3: \"env\" is an object"));
  CHECK(error("\"when\": {\"env\": {\"NCCL_X\": false}}").starts_with("site.json:3: \"NCCL_X\" is compared"));
  CHECK(error_of("[]").starts_with("site.json:1: a file of rules is"));
  CHECK(error_of("{\"rules\": [1]}").starts_with("site.json:1: a rule is an object, not a number"));
  CHECK(error_of("{\"rules\": [\n{}]}").starts_with("site.json:2: the rule has no \"id\""));
  CHECK(error_of("{\"rules\": [\n").starts_with("site.json:2: this is no JSON"));
}

TEST_CASE("site rules: an id or name that is taken or malformed is refused") {
  const auto error = [](std::string_view id, std::string_view name) {
    return error_of(file_of(rule_with("\"message\": \"x\"", id, name)));
  };
  for (const char* const id : {"ACME1", "SITE-042", "A4B7"}) CHECK(error(id, "our-fault") == "");
  for (const char* const id :
       {"NCA001", "NCA301", "acme1", "ACME", "A1", "1ACME1", "ACME_1", "ACME--1", "ACME1234567890"}) {
    INFO(id);
    CHECK(error(id, "our-fault").starts_with("site.json:2: \""));
  }
  CHECK(error("ACME1", "late-rank").starts_with("site.json:2: \"late-rank\" is the name of a built-in rule"));
  for (const char* const name : {"Our-fault", "our--fault", "-x", "our fault"})
    CHECK(error("ACME1", name).starts_with("site.json:2: \""));
  const std::string twice = rule_with("\"message\": \"x\"") + "," + rule_with("\"message\": \"y\"", "ACME2");
  CHECK(error_of(file_of(twice)).starts_with("site.json:3: another rule has the id ACME2 or the name our-fault"));
}

TEST_CASE("site rules: a file with a mistake adds nothing, several files add up") {
  SiteRules rules;
  CHECK(rules.add("a", file_of(rule_with("\"message\": \"frob\""))) == "");
  CHECK(rules.add("b", file_of(rule_with("\"message\": \"x\"", "ACME2", "two") + ",1")) != "");
  CHECK(rules.infos().size() == 1);
  CHECK(rules.add("c", file_of(rule_with("\"message\": \"again\"", "ACME3", "three"))) == "");
  REQUIRE(rules.infos().size() == 2);
  CHECK(rules.infos()[1]->id == "ACME3");
}

TEST_CASE("site rules: a pattern finds lines, hosts and ranks") {
  const SiteOutcome outcome = judge(rule_with("\"message\": \"frobnicator.*failed\""));
  REQUIRE(outcome.report.findings.size() == 1);
  const Finding& finding = outcome.report.findings[0];
  CHECK(finding.rule->id == "ACME1");
  CHECK(finding.rule->severity == Severity::error);
  CHECK(finding.evidence.count == 2);
  CHECK(finding.evidence.lines[0].line == 6);
  CHECK(finding.ranks == std::vector<int>{1});
  CHECK(finding.message.starts_with("Ours (2 lines, the first: the frobnicator "));
  CHECK(outcome.model.quote(finding.evidence.lines[1]) == "b:1:1 [0] NCCL WARN the frobnicator failed again");
  std::ostringstream text;
  write_text(text, outcome.model, outcome.report);
  CHECK(text.str().find('\x1b') == std::string::npos);
  CHECK(text.str().find("ACME1 our-fault  rank 1 on b") != std::string::npos);
}

TEST_CASE("site rules: level, count and what is before the message do not fit by accident") {
  CHECK(findings_of(R"("message": "frob", "level": "warn")") == 1);
  CHECK(findings_of(R"("message": "frob", "level": "info")") == 0);
  CHECK(findings_of(R"("message": "frob", "at_least": 2)") == 1);
  CHECK(findings_of(R"("message": "frob", "at_least": 3)") == 0);
  CHECK(findings_of(R"("message": "NCCL WARN")") == 0);
  CHECK(findings_of(R"("message": "^Using network Socket$")") == 1);
}

TEST_CASE("site rules: each condition holds for the processes that it describes") {
  const auto when = [](std::string_view conditions) {
    return findings_of("\"when\": {" + std::string(conditions) + "}");
  };
  CHECK(when(R"("network": "Socket")") == 1);
  CHECK(when(R"("network": ["IB", "socket"])") == 1);
  CHECK(when(R"("network!=": "Socket")") == 0);
  CHECK(when(R"("nranks>": 1)") == 1);
  CHECK(when(R"("nranks>": 2)") == 0);
  CHECK(when(R"("nranks": [1, 2])") == 1);
  CHECK(when(R"("version<": "2.21", "library": "NCCL")") == 1);
  CHECK(when(R"("version>=": "2.21")") == 0);
  CHECK(when(R"("env": {"NCCL_IB_DISABLE": true})") == 1);
  CHECK(when(R"("env": {"NCCL_IB_DISABLE": "1"})") == 1);
  CHECK(when(R"("env": {"NCCL_IB_DISABLE": ["0", "2"]})") == 0);
  CHECK(when(R"("env": {"NCCL_NET": true})") == 0);
  CHECK(when(R"("host": "b", "env": {"NCCL_IB_DISABLE": true})") == 0);  // Only the process on host a has the setting.
  CHECK(when(R"("transport": "NET/Socket")") == 0);
  CHECK(when(R"("gdr": false)") == 1);
  CHECK(when(R"("gdr": true)") == 0);
  CHECK(when(R"("gdr": false, "host": "b")") == 1);
  CHECK(when(R"("ranks": [2, 4], "gpus<": 8)") == 1);
  CHECK(when(R"("ranks>": 2)") == 0);
  CHECK(when(R"("nics<": 8)") == 0);  // no line lists the NICs
}

TEST_CASE("site rules: a condition names the process and the line that tells it") {
  const SiteOutcome outcome = judge(rule_with(R"("when": {"version<": "2.20", "nranks": 2})"));
  REQUIRE(outcome.report.findings.size() == 1);
  const Finding& finding = outcome.report.findings[0];
  CHECK(finding.processes.size() == 1);
  CHECK(finding.message == "Ours (1 process)");
  CHECK(finding.evidence.lines[0].line == 1);
}

TEST_CASE("site rules: both parts must hold") {
  CHECK(findings_of(R"("message": "frob", "when": {"network": "Socket"})") == 1);
  CHECK(findings_of(R"("message": "frob", "when": {"network": "IB"})") == 0);
  CHECK(findings_of(R"("message": "nonsense", "when": {"network": "Socket"})") == 0);
}

TEST_CASE("site rules: what no line tells is not evaluated") {
  const SiteOutcome outcome = judge(rule_with(R"("when": {"channels<": 4})"));
  CHECK(outcome.report.findings.empty());
  REQUIRE(outcome.report.not_evaluated.size() == 1);
  CHECK(outcome.report.not_evaluated[0].rule == "ACME1");
  CHECK(outcome.report.not_evaluated[0].reason == "no line tells \"channels\" of any process");
  CHECK(judge(rule_with(R"("when": {"nranks": 7})")).report.not_evaluated.empty());
  CHECK(judge(rule_with(R"("when": {"init>": 60})")).report.not_evaluated.size() == 1);
  CHECK(judge(rule_with(R"("when": {"ranks": 7})")).report.not_evaluated.empty());
  const SiteOutcome summary = judge(rule_with(R"("message": "frob")"), false);
  CHECK(summary.report.findings.empty());
  CHECK(summary.report.not_evaluated.size() == 1);
}

TEST_CASE("site rules: many patterns with hostile repetitions stay within time and memory") {
  std::string rules;
  for (int i = 1; i <= 8; ++i) {
    if (i > 1) rules += ',';
    rules += rule_with(R"("message": "(x+x+)+y.{50}z")", "ACME" + std::to_string(i), "fault-" + std::to_string(i));
  }
  SiteRules site;
  REQUIRE(site.add("site.json", file_of(rules)) == "");
  SiteMatcher matcher(site);
  const std::string text(100000, 'x');
  Record record;
  record.at = {SourceId{0}, 1};
  record.message = record.text = text;
  matcher.add(record);
  Model model;
  Report report;
  matcher.judge(site.infos(), true, model, report);
  CHECK(report.findings.empty());
  const std::string huge = rule_with(R"("message": "((a{100}){100}){100}")");
  CHECK(error_of(file_of(huge)).starts_with("site.json:3: \"message\" is no RE2 pattern"));
}

}  // namespace nccl_analyze
