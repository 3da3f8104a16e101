// NCA703 reports variables and values of old NCCL versions, which later versions ignore or read differently.

#include <algorithm>
#include <array>

#include "nccl_analyze/rule.h"
#include "queries/settings.h"
#include "rules/findings.h"
#include "text/digits.h"
#include "text/message_text.h"

namespace nccl_analyze::nca703 {

namespace {

/// How NCCL 2.6 and later read the numbers 0 to 5, by which NCCL 2.5 and earlier denote path types.
constexpr std::array<std::string_view, 6> levels = {"LOC (never)", "PIX", "PXB", "PHB", "SYS (always)", "SYS (always)"};

struct Legacy {
  std::string_view variable;
  std::string_view now;  ///< What replaced the variable; empty if only its values have changed.
};

constexpr std::array<Legacy, 8> variables = {{
    {"NCCL_P2P_LEVEL", {}},
    {"NCCL_NET_GDR_LEVEL", {}},
    {"NCCL_MAX_NRINGS", "the old name of NCCL_MAX_NCHANNELS"},
    {"NCCL_MIN_NRINGS", "the old name of NCCL_MIN_NCHANNELS"},
    {"NCCL_RINGS", "fixed rings of NCCL 2.4 and before; later versions take NCCL_GRAPH_FILE"},
    {"NCCL_LL_THRESHOLD",
     "of NCCL 2.4 and before; later versions choose the protocol themselves (NCCL_PROTO forces one)"},
    {"NCCL_TREE_THRESHOLD", "of NCCL 2.4; later versions choose the algorithm themselves (NCCL_ALGO forces one)"},
    {"NCCL_THREAD_THRESHOLDS", "a tuning table that fits the version it was made for"},
}};

bool is_number(std::string_view text) {
  return !text.empty() && text.size() < 4 && std::ranges::all_of(text, is_digit);
}

std::string level_text(std::string_view variable, std::string_view value) {
  const std::size_t number = std::min<std::size_t>(static_cast<std::size_t>(std::stoul(std::string(value))), 5);
  return concat(variable, "=", value, " is an old number; NCCL 2.6 and later read it as ", levels[number]);
}

std::string message_of(const Legacy& legacy, std::string_view value) {
  if (legacy.now.empty()) return level_text(legacy.variable, value);
  return concat(legacy.variable, "=", excerpt(value, 40), " is out of date: ", legacy.now);
}

}  // namespace

RuleResult check(const Model& model) {
  RuleResult result;
  for (const Legacy& legacy : variables)
    append(result.findings, each_process(model, [&](Index, const Process& process, ProcessGroup& group) -> std::string {
             const EnvValue* set = setting(process, legacy.variable);
             if (set == nullptr || (legacy.now.empty() && !is_number(set->value))) return {};
             group.evidence.add(set->at);
             group.values = {{"var", std::string(legacy.variable)}};
             return message_of(legacy, set->value);
           }));
  return result;
}

}  // namespace nccl_analyze::nca703
