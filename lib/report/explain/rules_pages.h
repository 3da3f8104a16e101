#pragma once
/// Pages and lists of chosen rules, such as those of a family or of a site. report.h declares those of all built-in
/// rules.

#include <iosfwd>
#include <span>

#include "nccl_analyze/report.h"
#include "nccl_analyze/rule.h"

namespace nccl_analyze {

void write_rules_markdown(std::ostream& out, std::span<const RuleInfo* const> rules);
/// Columns: id, name, severity and title, which is broken at TextOptions::columns.
void write_rules_table(std::ostream& out, std::span<const RuleInfo* const> rules, const TextOptions& options = {});
void write_rules_json(std::ostream& out, std::span<const RuleInfo* const> rules);
/// One rule as plain text.
void write_rule_text(std::ostream& out, const RuleInfo& rule, const TextOptions& options);

}  // namespace nccl_analyze
