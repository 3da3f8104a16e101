// NCA207 reports that the bootstrap root refused a rank, because ranks disagree about rank numbers or the size of the
// job.

#include <algorithm>

#include "nccl_analyze/rule.h"
#include "rules/findings.h"
#include "text/digits.h"
#include "text/message_text.h"

namespace nccl_analyze::nca207 {

namespace {

/// Returns the first number at or after `from`, and moves `from` after it; empty if there is none.
std::string next_number(std::string_view text, std::size_t& from) {
  while (from < text.size() && !is_digit(text[from])) ++from;
  const std::size_t first = from;
  while (from < text.size() && is_digit(text[from])) ++from;
  return std::string(text.substr(first, from - first));
}

RuleResult check(const Model& model) {
  RuleResult result;
  result.findings = topic_findings(model, "world-split", [](const Incident& incident) {
    return concat("The root refuses a rank: ", excerpt(incident.message));
  });
  for (Finding& finding : result.findings) {
    const std::string_view said = model.incidents[finding.incidents.front()].message;
    std::size_t at = std::min(said.find(" : "), said.size());
    finding.values = {{"found", next_number(said, at)}, {"expected", next_number(said, at)}};
  }
  return result;
}

}  // namespace

extern constinit const RuleWords words;

extern constinit const Rule rule{{.id = "NCA207",
                                  .name = "world-split",
                                  .severity = Severity::error,
                                  .stage = Stage::configuration,
                                  .check = "ranks init",
                                  .words = &words},
                                 check};

}  // namespace nccl_analyze::nca207
