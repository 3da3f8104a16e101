// NCA703 reports variables and values of old NCCL versions, which later versions ignore or read differently.

#include <algorithm>
#include <array>

#include "nccl_analyze/rule.h"
#include "queries/settings.h"
#include "rules/findings.h"
#include "rules/words/table.h"
#include "text/digits.h"
#include "text/message_text.h"

namespace nccl_analyze::nca703 {

namespace {

/// How NCCL 2.6 and later read the numbers 0 to 5, by which NCCL 2.5 and earlier denote path types.
constexpr std::array<std::string_view, 6> levels = {"LOC (never)", "PIX", "PXB", "PHB", "SYS (always)", "SYS (always)"};

bool is_number(std::string_view text) {
  return !text.empty() && text.size() < 4 && std::ranges::all_of(text, is_digit);
}

std::string level_text(std::string_view variable, std::string_view value) {
  const std::size_t number = std::min<std::size_t>(static_cast<std::size_t>(std::stoul(std::string(value))), 5);
  return concat(variable, "=", value, " is an old number; NCCL 2.6 and later read it as ", levels[number]);
}

/// Returns findings on the processes that print the variable. Without `now`, only its numbers are out of date.
std::vector<Finding> legacy(const Model& model, std::string_view variable, std::string_view now) {
  return each_process(model, [&](Index, const Process& process, ProcessGroup& group) -> std::string {
    const EnvValue* set = setting(process, variable);
    if (set == nullptr || (now.empty() && !is_number(set->value))) return {};
    group.evidence.add(set->at);
    group.values = {{"var", std::string(variable)}};
    if (now.empty()) return level_text(variable, set->value);
    return concat(variable, "=", excerpt(set->value, 40), " is out of date: ", now);
  });
}

}  // namespace

RuleResult check(const Model& model) {
  RuleResult result;
  for (const std::string_view variable : {"NCCL_P2P_LEVEL", "NCCL_NET_GDR_LEVEL"})
    append(result.findings, legacy(model, variable, {}));
  for (const auto& [variable, now] : table_of("NCA703")) append(result.findings, legacy(model, variable, now));
  return result;
}

}  // namespace nccl_analyze::nca703
