// Tests that a finding on an incomplete log still holds when the log is complete, unless it is provisional.

#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>

#include "catch.h"
#include "nccl_analyze/analyzer.h"
#include "nccl_analyze/event.h"
#include "nccl_analyze/report.h"
#include "nccl_analyze/requirements.h"
#include "testdata.h"

namespace nccl_analyze {
namespace {

/// Returns the rule ids of all findings and consequences that are not provisional.
std::set<std::string_view> rules_of(const Report& report) {
  std::set<std::string_view> ids;
  for (const Finding& finding : report.findings) {
    if (!finding.provisional) ids.insert(finding.rule->id);
    for (const Finding& consequence : finding.consequences)
      if (!consequence.provisional) ids.insert(consequence.rule->id);
  }
  return ids;
}

TEST_CASE("waits for end: a finding that does not wait for the end of the log stays until then", "[slow]") {
  for (const std::string kind : {"jobs", "rules"})
    for (const Case& test : cases(kind)) {
      ModelBuilder builder;
      std::set<std::string_view> early;
      std::uint32_t source = 0;
      for (const auto& log : test.logs) {
        Parser parser(SourceId{source}, [&](const Record& record) { builder.add(record); });
        std::istringstream lines(read_file(log));
        for (std::string line; std::getline(lines, line);) {
          parser.feed(line + '\n');
          ModelBuilder now = builder;
          now.add_source(SourceId{source}, log.filename().string(), parser.stats());
          early.merge(rules_of(analyze(std::move(now).build())));
        }
        parser.finish();
        builder.add_source(SourceId{source++}, log.filename().string(), parser.stats());
      }
      const std::set<std::string_view> last = rules_of(analyze(std::move(builder).build()));
      for (const std::string_view id : early) {
        INFO(test.name << ": " << id);
        CHECK((find_rule(id)->info.provisional || last.contains(id)));
      }
    }
}

TEST_CASE("waits for end: a copy of a builder is the model of the log so far, and the original goes on") {
  for (const Case& test : cases("jobs")) {
    const auto json = [&](bool copied) {
      ModelBuilder builder;
      std::uint32_t source = 0;
      for (const auto& log : test.logs) {
        Parser parser(SourceId{source}, [&](const Record& record) { builder.add(record); });
        std::istringstream lines(read_file(log));
        for (std::string line; std::getline(lines, line);) {
          parser.feed(line + '\n');
          if (!copied) continue;
          ModelBuilder other = builder;
          std::swap(other, builder);
          static_cast<void>(std::move(other).build());
        }
        parser.finish();
        builder.add_source(SourceId{source++}, log.filename().string(), parser.stats());
      }
      const Model model = std::move(builder).build();
      std::ostringstream text;
      write_json(text, model, analyze(model));
      return text.str();
    };
    INFO(test.name);
    check_same(json(true), json(false));
  }
}

}  // namespace
}  // namespace nccl_analyze
