// Finds rules by their names, and names severities, stages and check results as in JSON and on the command line.

#include <algorithm>

#include "nccl_analyze/rule.h"
#include "rules/words/front_words.h"

namespace nccl_analyze {

const Rule* find_rule(std::string_view id_or_name) {
  const auto rules = all_rules();
  const auto found = std::ranges::find_if(
      rules, [&](const Rule* rule) { return rule->info.id == id_or_name || rule->info.name == id_or_name; });
  return found == rules.end() ? nullptr : *found;
}

std::string_view to_string(Severity severity) { return severity_words[static_cast<std::size_t>(severity)]; }

std::string_view to_string(Stage stage) { return stage_words[static_cast<std::size_t>(stage)]; }

std::string_view to_string(CheckStatus status) {
  switch (status) {
    case CheckStatus::pass:
      return "pass";
    case CheckStatus::fail:
      return "fail";
    case CheckStatus::unknown:
      return "unknown";
  }
  return "unknown";
}

}  // namespace nccl_analyze
