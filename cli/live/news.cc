// Identifies a finding by its rule and the processes it affects, because the numbers in its message change while the
// log grows.

#include "cli/live/news.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "report/verdict.h"
#include "text/escape.h"

namespace nccl_analyze {
namespace {

constexpr std::size_t max_message = 400;  // columns

std::string line_of(const Model& model, const Finding& finding) {
  constexpr std::array<std::string_view, 3> labels = {"INFO", "WARNING", "ERROR"};
  std::string text(labels[static_cast<std::size_t>(finding.severity())]);
  text.append(" ").append(finding.rule->id).append(" ").append(finding.rule->name);
  if (const std::string place = describe_place(model, finding); !place.empty()) text += " " + place;
  return text + ": " + truncated(finding.message, max_message);
}

}  // namespace

std::vector<std::string> News::take(const Model& model, const Report& report, bool quiet) {
  std::vector<std::string> lines;
  for (const Finding& finding : report.findings) {
    tell(model, finding, quiet, lines);
    for (const Finding& consequence : finding.consequences) tell(model, consequence, quiet, lines);
  }
  return lines;
}

void News::tell(const Model& model, const Finding& finding, bool quiet, std::vector<std::string>& lines) {
  const RuleInfo& rule = *finding.rule;
  if (finding.is_provisional()) {
    if (quiet) lines.push_back(line_of(model, finding));
    return;
  }
  auto& reported = reported_[rule.id];
  bool news = reported.insert({"", -1}).second;  // covers findings without rank and process
  for (const int rank : finding.ranks) news = reported.insert({"", rank}).second || news;
  for (const Index index : finding.processes)
    if (index >= 0) {
      const Process& process = model.processes[index];
      news = reported.insert({process.host.str(), process.pid}).second || news;
    }
  if (news) lines.push_back(line_of(model, finding));
}

}  // namespace nccl_analyze
