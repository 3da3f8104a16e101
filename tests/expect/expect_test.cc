// Tests the checks and findings that expectations add to the report.

#include <algorithm>
#include <vector>

#include "catch.h"
#include "expect/judged_job.h"

namespace nccl_analyze::test {

TEST_CASE("expectations: no-warning fails for a finding above info and for a warning that none explains") {
  Model model = job(1, 2);
  CHECK(status_of(model, "no-warning") == pass);
  CHECK(status_of(Model{}, "no-warning") == unknown);
  Incident incident;
  incident.kind = IncidentKind::other_warning;
  incident.evidence.add(line(7));
  model.incidents = {incident};
  Report open;
  open.unexplained_warnings = {0};
  CHECK(checks_of(model, "no-warning", open)[0].status == fail);
  CHECK(status_of(model, "no-warning") == pass);
  Report report;
  report.findings.push_back({.rule = &find_rule("late-rank")->info});
  CHECK(checks_of(model, "no-warning", report)[0].detail == "NCA203 late-rank");
}

TEST_CASE("expectations: findings name who fails, and unknown is said once") {
  Model model = job(2, 2);
  model.processes[3].network = "Socket";
  Report report;
  const auto expected = parse_expectations("network=IB,ranks=4,nvlink,gdr").expectations;
  check_expectations(model, expected, all_rules(), report);
  REQUIRE(report.findings.size() == 2);
  CHECK(report.findings[0].rule->id == "NCA801");
  CHECK(report.findings[0].processes == std::vector<Index>{3});
  CHECK(report.findings[0].ranks == std::vector<int>{3});
  CHECK(report.findings[0].evidence.lines == std::vector{line(4)});
  CHECK(report.findings[1].rule->id == "NCA802");
  CHECK(says(report.findings[1].message, "2 of 4 expectations could not be judged: nvlink and gdr"));
  CHECK(report.findings[1].evidence.count > 0);

  Report unjudged;
  check_expectations(model, expected, {}, unjudged);
  CHECK(unjudged.findings.empty());
  CHECK(unjudged.checks.size() == 4);

  Report empty;  // The model has no line that a finding could quote.
  check_expectations(Model{}, expected, all_rules(), empty);
  CHECK(empty.findings.empty());
  CHECK(std::ranges::all_of(empty.checks, [](const Check& check) { return check.status == unknown; }));
}

TEST_CASE("expectations: an unknown key is unknown, a comparison without a value is no pass") {
  Report report;
  const std::vector<Expectation> odd{{"x", "no-such-key", Comparison::equal, {}},
                                     {"ranks", "ranks", Comparison::equal, {}},
                                     {"ranks", "ranks", Comparison::less, {"many"}}};
  check_expectations(job(1, 2), odd, all_rules(), report);
  REQUIRE(report.checks.size() == 3);
  CHECK(report.checks[0].status == unknown);
  CHECK(report.checks[1].status == fail);
  CHECK(report.checks[2].status != pass);
}

}  // namespace nccl_analyze::test
