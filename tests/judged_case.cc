// Judges a case by the files of its folder: the log of a good run, and expectations.

#include "judged_case.h"

#include <utility>

#include "catch.h"
#include "nccl_analyze/analyzer.h"
#include "nccl_analyze/compare.h"
#include "nccl_analyze/requirements.h"

namespace nccl_analyze {
namespace {

/// The facts of the log of a good run.
RunFacts read_baseline(const std::filesystem::path& file) {
  Analyzer analyzer;
  analyzer.feed("baseline", read_file(file));
  const Analysis analysis = std::move(analyzer).finish();
  return facts_of(analysis.model, analysis.report);
}

}  // namespace

Report judge(const Case& test, const Model& model) {
  Report report = analyze(model);
  if (const auto baseline = test.folder / "baseline"; std::filesystem::exists(baseline))
    check_baseline(model, read_baseline(baseline), all_rules(), report);
  const auto file = test.folder / "expect";
  if (!std::filesystem::exists(file)) return report;
  const ParsedExpectations parsed = parse_expectations(read_file(file));
  REQUIRE(parsed.error == "");
  check_expectations(model, parsed.expectations, all_rules(), report);
  return report;
}

}  // namespace nccl_analyze
