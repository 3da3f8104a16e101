// Lists the findings of a report one after the other, for formats that do not nest consequences under their causes.

#include "report/sentences/finding_list.h"

#include <algorithm>

namespace nccl_analyze {

namespace {

/// Whether the finding may be the same fault as its cause, seen by the process at the other end of the connection.
bool is_other_end(const Finding& cause, const Finding& consequence) {
  return std::ranges::any_of(consequence.values, [&](const auto& value) {
    return value.first == "other end of" && value.second == cause.rule->name;
  });
}

}  // namespace

std::vector<ListedFinding> list_findings(const Report& report) {
  std::vector<ListedFinding> listed;
  for (const Finding& finding : report.findings) {
    listed.push_back({&finding, nullptr});
    for (const Finding& consequence : finding.consequences) listed.push_back({&consequence, &finding});
  }
  return listed;
}

std::string path_of(const Model& model, LineRef at) {
  const std::string& name = model.sources[static_cast<Index>(at.source)].name;
  return name.empty() || name == "<stdin>" ? "stdin" : name;
}

std::string relation_of(const Finding& cause, const Finding& consequence) {
  return is_other_end(cause, consequence) ? "Perhaps its other end" : "Follows from it";
}

std::string message_of(const ListedFinding& listed) {
  std::string text = listed.finding->message;
  if (listed.cause != nullptr)
    text.append(is_other_end(*listed.cause, *listed.finding) ? " (perhaps the other end of " : " (follows from ")
        .append(listed.cause->rule->id)
        .append(" ")
        .append(listed.cause->rule->name)
        .append(")");
  return text;
}

}  // namespace nccl_analyze
