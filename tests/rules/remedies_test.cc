// Tests of the table of remedies: its rows, and that each message that causes a failure has a step.

#include "rules/advice/remedies.h"

#include <re2/re2.h>

#include <algorithm>
#include <set>
#include <string>

#include "catch.h"
#include "messages/matcher.h"
#include "messages/meanings.h"
#include "nccl_analyze/analyzer.h"

namespace nccl_analyze {
namespace {

Report report_of(const std::string& log) {
  Analyzer analyzer;
  analyzer.feed("log", log);
  return std::move(analyzer).finish().report;
}

std::string warning(const std::string& message) { return "node1:10:20 [0] NCCL WARN " + message + "\n"; }

TEST_CASE("remedies: rows are sorted and complete, and each belongs to a message or is a step that rows share",
          "[rules]") {
  std::set<std::string_view> wordings, used, shared;
  for (const Family& family : all_families())
    for (const Row& row : family.rows) wordings.insert(row.wording);
  const RE2 site(R"(\b(eth|mlx5_|ens|bond)\d|\d+\.\d+\.\d+\.\d+)");
  CHECK(all_remedies().size() > 700);
  CHECK(std::ranges::adjacent_find(all_remedies(), std::ranges::greater_equal{}, &Remedy::wording) ==
        all_remedies().end());
  for (const Remedy& remedy : all_remedies()) {
    INFO(remedy.wording);
    if (remedy.wording.starts_with('@')) shared.insert(remedy.wording);
    CHECK((remedy.wording.starts_with('@') || wordings.contains(remedy.wording)));
    if (remedy.step.starts_with('@')) {
      used.insert(remedy.step);
      CHECK(remedy.command.empty());
      continue;
    }
    CHECK(remedy.step.size() > 40);
    CHECK(remedy.step.size() <= 330);
    CHECK(remedy.step.ends_with('.'));
    CHECK(std::ranges::count(remedy.step, '`') % 2 == 0);
    CHECK_FALSE(RE2::PartialMatch(remedy.step, site));
    CHECK_FALSE(RE2::PartialMatch(remedy.command, site));
  }
  CHECK(used == shared);
}

TEST_CASE("remedies: each message that is the cause of a failure has a step that says what to do", "[rules]") {
  std::size_t tried = 0;
  for (const Meaning& meaning : all_meanings()) {
    std::string message(meaning.wording);
    for (const auto& [hole, value] : {std::pair{"{:int}", "3"},
                                      {"{:hex}", "0x7f3a"},
                                      {"{:text}", "text"},
                                      {"{:word}", "word"},
                                      {"{:real}", "1.5"},
                                      {"{:blank}", " "}})
      for (std::size_t at = 0; (at = message.find(hole, at)) != std::string::npos;)
        message.replace(at, std::string_view(hole).size(), value);
    // The values of other holes decide what the message says; words behind ` # ` may be a reader's note.
    const bool is_plain = message.find('{') == std::string::npos && message.find(" # ") == std::string::npos;
    if (!is_cause(meaning.kind) || !is_plain) continue;
    ++tried;
    for (const Finding& finding : report_of(warning(message)).findings) {
      if (finding.incidents.empty()) continue;
      INFO(message << "\n" << finding.rule->id);
      CHECK_FALSE(finding.steps.empty());
      for (const Step& step : finding.steps) CHECK_FALSE(step.text.starts_with("Start from the quoted sentence"));
    }
  }
  CHECK(tried > 800);
}

TEST_CASE("remedies: a step that the log shows to be done is left out") {
  const std::string step = "Set `NCCL_COLLNET_ENABLE=0`", sender = "node1:10:20 [0] ";
  const auto has_step = [&](const std::string& setting) {
    const Report report = report_of(sender + setting + warning("CollNet sizes: want=3 got=4"));
    REQUIRE(!report.findings.empty());
    return std::ranges::any_of(report.findings.front().steps,
                               [&](const Step& one) { return one.text.starts_with(step); });
  };
  CHECK(has_step("NCCL INFO NCCL_DEBUG set by environment to INFO.\n"));
  CHECK_FALSE(has_step("NCCL INFO NCCL_COLLNET_ENABLE set by environment to 0.\n"));
}

}  // namespace
}  // namespace nccl_analyze
