// Tests of the table of known issues: its rows, its examples, and the steps that they give.

#include "rules/advice/known_issues.h"

#include <re2/re2.h>

#include <set>
#include <string>

#include "catch.h"
#include "model/versions.h"
#include "nccl_analyze/analyzer.h"
#include "rules/advice/conditions.h"

namespace nccl_analyze {
namespace {

Analysis analyze_log(const std::string& log) {
  Analyzer analyzer;
  analyzer.feed("log", log);
  return std::move(analyzer).finish();
}

/// The texts of the first steps of the findings that are no notes.
std::string first_steps(const std::string& log) {
  std::string texts;
  for (const Finding& finding : analyze_log(log).report.findings)
    if (finding.severity() != Severity::info) texts += finding.steps.at(0).text + "\n";
  return texts;
}

TEST_CASE("known issues: rows are ordered, complete and unambiguous", "[rules]") {
  CHECK(known_issues().size() >= 150);
  const RE2 version(R"((\d+(\.\d+)*)?)");
  std::set<std::string_view> keys;
  std::string last;
  for (const KnownIssue& issue : known_issues()) {
    INFO(issue.key);
    CHECK(keys.insert(issue.key).second);
    const std::string place = std::string(issue.library) + "\t" + std::string(issue.rule);
    CHECK(last <= place);
    last = place;
    CHECK((!issue.wording.empty() || !issue.place.empty() || (!issue.rule.empty() && issue.kind == IssueKind::maybe)));
    CHECK((issue.rule.empty() || find_rule(issue.rule) != nullptr));
    CHECK(error_in_condition(issue.only_if).empty());
    for (const std::string_view one : {issue.from, issue.until, issue.fixed}) CHECK(RE2::FullMatch(one, version));
    if (!issue.from.empty() && !issue.until.empty()) CHECK(!lower_version(issue.until, issue.from));
    if (!issue.until.empty() && !issue.fixed.empty()) CHECK(lower_version(issue.until, issue.fixed));
    CHECK(!issue.says.empty());
    CHECK(issue.says.ends_with('.'));
    CHECK(issue.says.size() <= 200);
    CHECK(!issue.reference.empty());
    CHECK(is_shown_by(issue, issue.example, issue.example));
  }
}

TEST_CASE("known issues: a release with the fault is told to leave it, another is not") {
  const std::string banner = "node1:10:20 [0] NCCL INFO NCCL version ", rest = "+cuda12.4\n";
  const std::string line =
      "node1:10:20 [0] misc/socket.cc:485 NCCL WARN socketPollConnect poll() returned 1, no POLLOUT events\n";
  CHECK(first_steps(banner + "2.25.1" + rest + line)
            .starts_with("Upgrade to NCCL 2.27.3 or newer: NCCL 2.25.1 has this"));
  CHECK(first_steps(line).starts_with("Upgrade to NCCL 2.27.3 or newer if this is an older one"));
  CHECK(first_steps(banner + "2.27.7" + rest + line).find("Upgrade to NCCL 2.27.3") == std::string::npos);
}

TEST_CASE("known issues: lines in a form of other releases show that a job has no such issue") {
  const std::string sender = "node1:10:20 [0] ", step = "Upgrade to NCCL 2.27.3";
  // The place would date the warning too, and to releases that print no line of the old form.
  const std::string log = sender + "NCCL WARN socketPollConnect poll() returned 1, no POLLOUT events\n" + sender;
  const auto has_step = [&](const std::string& line) {
    return first_steps(log + "NCCL INFO " + line + "\n").find(step) != std::string::npos;
  };
  CHECK(has_step("Channel 00/0 : 0[0] -> 1[1] via P2P/IPC"));
  CHECK_FALSE(has_step("Channel 00 : 0[1b000] -> 1[1c000] via P2P/IPC"));
  CHECK_FALSE(
      has_step("[Rank 0] ncclCommInitRank comm 0x5610 rank 0 nranks 2 cudaDev 0 nvmlDev 0 busId 1b000 commId 0x77a1 - "
               "Init START"));
}

TEST_CASE("known issues: a fault is found by a later line of the error trace") {
  const std::string sender = "node1:10:20 [0] ";
  const std::string log = sender + "NCCL INFO NCCL version 2.25.1+cuda12.4\n" + sender +
                          "misc/socket.cc:71 NCCL WARN socketProgress: Connection closed by remote peer node2<361>\n" +
                          sender + "NCCL INFO misc/socket.cc:80 -> 6\n" + sender +
                          "NCCL INFO misc/socket.cc:474 -> 6\n" + sender + "NCCL INFO bootstrap.cc:701 -> 6\n";
  // The other end may as well have died, so that the step is the second one.
  const Analysis analysis = analyze_log(log);
  REQUIRE(!analysis.report.findings.empty());
  const std::vector<Step>& steps = analysis.report.findings[0].steps;
  REQUIRE(steps.size() > 1);
  CHECK(steps[0].text.find("NCCL 2.25.1") == std::string::npos);
  CHECK(steps[1].text.starts_with("Upgrade to NCCL 2.27.3 or newer: NCCL 2.25.1 may have this fault."));
}

TEST_CASE("known issues: releases are compared with the first and last that have the fault") {
  const KnownIssue closed{.key = "a", .from = "2.24.3", .until = "2.26.2", .fixed = "2.26.5"};
  CHECK(!has_issue(closed, "2.23.4"));
  CHECK(has_issue(closed, "2.24.3"));
  CHECK(has_issue(closed, "2.26.2"));
  CHECK(!has_issue(closed, "2.26.5"));
  const KnownIssue open{.key = "b", .until = "2.29.7"};
  CHECK(has_issue(open, "2.4.8"));
  CHECK(!has_issue(open, "2.30.3"));
}

}  // namespace
}  // namespace nccl_analyze
