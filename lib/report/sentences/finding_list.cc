// Puts the findings of a report into lists, and groups notes that are alike.

#include "report/sentences/finding_list.h"

#include <algorithm>
#include <map>
#include <sstream>

#include "nccl_analyze/rule_parts.h"
#include "text/host_list.h"

namespace nccl_analyze {

namespace {

/// Whether the finding may be the same fault as its cause, seen by the process at the other end of the connection.
bool is_other_end(const Finding& cause, const Finding& consequence) {
  return std::ranges::any_of(consequence.values, [&](const auto& value) {
    return value.first == "other end of" && value.second == cause.rule->name;
  });
}

/// Returns what notes of one kind have in common: the rule, and the words of the message without digits.
std::string likeness_of(const Finding& finding) {
  std::string likeness{finding.rule->id};
  std::istringstream words(finding.message);
  for (std::string word; words >> word;)
    if (word.find_first_of("0123456789") == std::string::npos) likeness.append(" ").append(word);
  return likeness;
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

std::vector<AlikeNotes> group_notes(const Report& report) {
  std::vector<AlikeNotes> groups;
  std::map<std::string, std::size_t> numbers;
  for (const Finding& finding : report.findings) {
    if (finding.severity() != Severity::info) continue;
    const auto [number, is_new] = numbers.try_emplace(likeness_of(finding), groups.size());
    if (is_new)
      groups.push_back({&finding, {}});
    else
      groups[number->second].others.push_back(&finding);
  }
  return groups;
}

std::string describe_others(const Model& model, const AlikeNotes& notes) {
  constexpr std::size_t most = 3;
  if (notes.others.empty()) return {};
  std::vector<std::string> names;
  for (const Finding* const other : notes.others)
    for (const Index communicator : other->communicators) names.push_back(communicator_name(model, communicator));
  std::string text = "and " + std::to_string(notes.others.size()) + " more of its kind";
  if (!names.empty())
    text.append(names.size() == 1 ? ", for communicator " : ", for communicators ")
        .append(fold_host_list({names.begin(), names.end()}, most));
  return text;
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
