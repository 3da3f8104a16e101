// Lists the findings of a report one after the other, for formats that do not nest consequences under their causes.

#include "report/sentences/finding_list.h"

namespace nccl_analyze {

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

std::string message_of(const ListedFinding& listed) {
  std::string text = listed.finding->message;
  if (listed.cause != nullptr)
    text.append(" (follows from ")
        .append(listed.cause->rule->id)
        .append(" ")
        .append(listed.cause->rule->name)
        .append(")");
  return text;
}

}  // namespace nccl_analyze
