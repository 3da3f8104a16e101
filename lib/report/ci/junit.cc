// The report as JUnit XML: a suite for the job and each node with a case for each check, and a suite with a case for
// each rule.

#include <algorithm>
#include <ostream>
#include <string>
#include <vector>

#include "nccl_analyze/report.h"
#include "report/sentences/acceptance_matrix.h"
#include "text/escape.h"
#include "text/phrases.h"

namespace nccl_analyze {
namespace {

struct TestCase {
  std::string name;  ///< The check with its expectation, because some test reports show only this name.
  CheckStatus status = CheckStatus::unknown;
  std::string message;         ///< For cases that did not pass.
  std::string classname = {};  ///< If empty, the name of the suite is written instead.
};
struct TestSuite {
  std::string name;
  std::vector<TestCase> cases;

  std::size_t count(CheckStatus status) const {
    return static_cast<std::size_t>(
        std::count_if(cases.begin(), cases.end(), [status](const TestCase& one) { return one.status == status; }));
  }
};

/// Returns the suite of the job: the questions that every report answers, and the expectations that are not about
/// nodes.
TestSuite job_suite(const Report& report) {
  TestSuite suite{"job", {}};
  const auto is_of_nodes = [&](const Check& check) {
    return report.acceptance &&
           std::any_of(report.acceptance->columns.begin(), report.acceptance->columns.end(),
                       [&](const AcceptanceColumn& column) { return check.check == "expect " + column.check; });
  };
  for (const Check& check : report.checks)
    if (!is_of_nodes(check)) suite.cases.push_back({check.check, check.status, check.detail});
  return suite;
}

TestSuite node_suite(const Acceptance& acceptance, const AcceptanceNode& node) {
  TestSuite suite{node_name(node), {}};
  for (std::size_t i = 0; i < acceptance.columns.size(); ++i) {
    const AcceptanceCell cell = cell_of(node, acceptance, i);
    const std::string seen = cell.seen.empty() ? "no line of the log tells" : "found: " + cell.seen;
    suite.cases.push_back({"expect " + acceptance.columns[i].check, cell.status, seen});
  }
  return suite;
}

/// Returns a suite with one case for all nodes that have no log and no known name.
TestSuite unlogged_suite(const Acceptance& acceptance) {
  return {"nodes without a log",
          {{"logs of " + std::to_string(acceptance.unlogged_nodes) + " more nodes", CheckStatus::unknown,
            "no log of them is in this input"}}};
}

/// Sets the status and the message of a rule's test case by the findings of the rule above info, including
/// consequences.
void add_findings(const std::vector<Finding>& findings, TestCase& test, const RuleInfo& rule) {
  for (const Finding& finding : findings) {
    add_findings(finding.consequences, test, rule);
    if (finding.rule != &rule || finding.severity() == Severity::info) continue;
    test.status = CheckStatus::fail;
    append_item(test.message, finding.message, "; ");
  }
}

/// Returns a suite with a case for each judged rule. Leaves out the rules that report on expectations and the baseline
/// (NCA8), because the other suites have cases for these.
TestSuite rules_suite(const Report& report) {
  TestSuite suite{"rules", {}};
  for (const RuleInfo* const rule : report.judged) {
    if (rule->id.starts_with("NCA8")) continue;
    TestCase test{std::string{rule->id}.append(" ").append(rule->name),
                  CheckStatus::pass,
                  {},
                  std::string{rule->id.substr(0, 4)}};
    add_findings(report.findings, test, *rule);
    if (test.status == CheckStatus::pass)
      for (const NotEvaluated& open : report.not_evaluated)
        if (open.rule == rule->id) {
          test.status = CheckStatus::unknown;
          append_item(test.message, open.reason, "; ");
        }
    suite.cases.push_back(std::move(test));
  }
  return suite;
}

void write_counts(std::ostream& out, std::size_t tests, std::size_t failures, std::size_t skipped) {
  out << " tests=\"" << tests << "\" failures=\"" << failures << "\" errors=\"0\" skipped=\"" << skipped << "\">\n";
}

/// Writes a test case. Its texts are safe in XML, because html_text() also escapes what XML forbids: control
/// characters, bytes that are not UTF-8, noncharacters.
void write_case(std::ostream& out, const TestSuite& suite, const TestCase& test) {
  out << "    <testcase classname=\"nccl-analyze." << html_text(test.classname.empty() ? suite.name : test.classname)
      << "\" name=\"" << html_text(test.name) << '"';
  const std::string message = html_text(test.message);
  if (test.status == CheckStatus::pass)
    out << "/>\n";
  else if (test.status == CheckStatus::unknown)
    out << "><skipped message=\"" << message << "\"/></testcase>\n";
  else
    out << "><failure type=\"check\" message=\"" << message << "\">" << message << "</failure></testcase>\n";
}

void write_suite(std::ostream& out, const TestSuite& suite) {
  out << "  <testsuite name=\"" << html_text(suite.name) << '"';
  write_counts(out, suite.cases.size(), suite.count(CheckStatus::fail), suite.count(CheckStatus::unknown));
  for (const TestCase& test : suite.cases) write_case(out, suite, test);
  out << "  </testsuite>\n";
}

}  // namespace

void write_junit(std::ostream& out, const Model&, const Report& report) {
  std::vector<TestSuite> suites{job_suite(report)};
  if (report.acceptance) {
    for (const AcceptanceNode& node : report.acceptance->nodes) suites.push_back(node_suite(*report.acceptance, node));
    if (report.acceptance->unlogged_nodes > 0) suites.push_back(unlogged_suite(*report.acceptance));
  }
  suites.push_back(rules_suite(report));
  std::size_t tests = 0, failures = 0, skipped = 0;
  for (const TestSuite& suite : suites) {
    tests += suite.cases.size();
    failures += suite.count(CheckStatus::fail);
    skipped += suite.count(CheckStatus::unknown);
  }
  out << "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"nccl-analyze\"";
  write_counts(out, tests, failures, skipped);
  for (const TestSuite& suite : suites) write_suite(out, suite);
  out << "</testsuites>\n";
}

}  // namespace nccl_analyze
