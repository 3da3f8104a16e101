// Tells words that name rules from a pasted line.

#include "input/explanation.h"

#include <algorithm>
#include <ostream>
#include <utility>

#include "input/failure.h"
#include "job/selection.h"
#include "text/phrases.h"

namespace nccl_analyze {

std::vector<const RuleInfo*> require_rules(std::span<const std::string> words, const SiteRules& site) {
  NamedRules named = find_rules(words, known_rules(site));
  if (!named.error.empty()) throw Failure(named.error);
  return std::move(named.rules);
}

bool write_explanation(std::ostream& out, std::span<const std::string> words, const SiteRules& site,
                       const TextOptions& how) {
  // A word with a blank is a pasted line, because no name of a rule has a blank.
  if (std::ranges::any_of(words, [](const std::string& word) { return word.find(' ') != std::string::npos; })) {
    return write_line_page(out, joined(words, " "), how);
  }
  const std::vector<const RuleInfo*> rules = require_rules(words, site);
  for (const RuleInfo* rule : rules) {
    if (rule != rules.front()) out << '\n';
    write_rule_text(out, *rule, how);
  }
  return true;
}

}  // namespace nccl_analyze
