// Tests the pages, the table and the JSON of the rules.

#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "catch.h"
#include "nccl_analyze/report.h"
#include "report_models.h"

namespace nccl_analyze::test {
namespace {

using Json = nlohmann::json;

}  // namespace

TEST_CASE("rules pages: page, table and JSON of the rules have every rule") {
  std::ostringstream page, table, json, one;
  write_rules_markdown(page);
  write_rules_table(table);
  write_rules_json(json);
  CHECK(Json::parse(json.str())["rules"].size() == all_rules().size());
  for (const Rule* rule : all_rules()) {
    CHECK(contains(page.str(), "## " + std::string{rule->info.id} + " " + std::string{rule->info.name} + "\n"));
    CHECK(contains(table.str(), std::string{rule->info.id} + "  " + std::string{rule->info.name} + "  "));
  }
  write_rule_text(one, fault);
  CHECK(one.str() ==
        "NCA301 net-plugin-failed (error)\nA network plugin was found but failed\n\nThe plugin failed.\n\n- one\n- "
        "two\n\n"
        "What to do\n\n1. Ask for the device.\n2. Look at `FI_PROVIDER`.\n");
}

}  // namespace nccl_analyze::test
