// Tests whole reports: order of findings, evidence, and a selection of rules.

#include <algorithm>
#include <sstream>

#include "catch.h"
#include "nccl_analyze/report.h"
#include "rules/healthy_job.h"

namespace nccl_analyze::test {

TEST_CASE("analyze: nothing in, nothing found", "[rules]") {
  const Report report = analyze(Model{});
  CHECK(report.findings.empty());
  REQUIRE(report.checks.size() == 6);
  CHECK(std::all_of(report.checks.begin(), report.checks.end(),
                    [](const Check& check) { return check.status == CheckStatus::unknown; }));
}

TEST_CASE("analyze: a healthy job has nothing above info", "[rules]") {
  const Report report = analyze(healthy_job(4));
  CHECK(is_quiet(report));
  CHECK(find(report, "tcp-only-network") != nullptr);
  CHECK(find(report, "one-gpu-per-host") != nullptr);
  CHECK(std::none_of(report.checks.begin(), report.checks.end(),
                     [](const Check& check) { return check.status == CheckStatus::fail; }));
}

TEST_CASE("analyze: findings have evidence and stand in order of severity", "[rules]") {
  Model model = healthy_job(4);
  add_incident(model, IncidentKind::out_of_memory, 2, 260, "", "out of memory");
  add_incident(model, IncidentKind::connection_closed, 1, 150, "10.0.0.3<4242>");
  model.communicators[0].ranks[1].state = RankState::failed;
  const Report report = analyze(model);
  REQUIRE(!report.findings.empty());
  CHECK(report.findings[0].rule->name == "out-of-memory");
  const Finding* closed = find(report.findings[0].consequences, "peer-closed");
  REQUIRE(closed != nullptr);
  CHECK(closed->consequence);
  for (std::size_t i = 0; i < report.findings.size(); ++i) {
    CHECK(report.findings[i].evidence.count > 0);
    if (i > 0) CHECK(report.findings[i - 1].severity() >= report.findings[i].severity());
  }
}

TEST_CASE("analyze: a selection runs alone", "[rules]") {
  Model model = healthy_job(2);
  add_incident(model, IncidentKind::out_of_memory, 1, 160, "", "out of memory");
  const Rule* only[] = {find_rule("NCA402")};
  const Report report = analyze(model, only);
  REQUIRE(report.findings.size() == 1);
  CHECK(report.findings[0].rule->id == "NCA402");
}

TEST_CASE("analyze: the same model gives the same report", "[rules]") {
  Model model = healthy_job(3);
  add_incident(model, IncidentKind::out_of_memory, 2, 260, "", "out of memory");
  add_incident(model, IncidentKind::connection_closed, 1, 150, "10.0.0.3<4242>");
  const auto written = [&model] {
    std::ostringstream out;
    write_json(out, model, analyze(model));
    return out.str();
  };
  CHECK(written() == written());
}

}  // namespace nccl_analyze::test
