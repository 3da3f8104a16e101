// Collects what the advice of a finding depends on.

#include "rules/advice/facts.h"

#include <algorithm>

#include "nccl_analyze/rule_parts.h"

namespace nccl_analyze {

namespace {

void add_process(const Model& model, Index index, Facts& facts) {
  const Process* const process = process_of(model, index);
  if (process == nullptr || facts.processes.size() == Facts::max_processes) return;
  if (std::ranges::find(facts.process_indices, index) != facts.process_indices.end()) return;
  facts.process_indices.push_back(index);
  facts.processes.push_back(process);
}

/// Returns the quoted line up to its second record. Lines in forum posts may join several records, and the later ones
/// do not belong to the finding.
std::string_view first_record(std::string_view line) {
  constexpr std::string_view marks[] = {" NCCL WARN ", " NCCL INFO "};
  std::size_t first = std::string_view::npos, second = first;
  for (const std::string_view mark : marks)
    for (std::size_t at = line.find(mark); at != std::string_view::npos; at = line.find(mark, at + 1)) {
      second = std::min(second, std::max(first, at));
      first = std::min(first, at);
    }
  return second > first ? line.substr(0, second) : line;
}

/// Returns each text once, because hundreds of processes may print the same text, and every condition searches all
/// texts.
std::vector<Saying> sayings_of(const Facts& facts) {
  std::vector<Saying> found;
  const auto add_quote = [&](LineRef at) {
    if (const std::string_view text = first_record(facts.model.quote(at)); !text.empty()) found.push_back({text, text});
  };
  for (const Incident* const incident : facts.incidents) {
    for (const std::string_view text : {std::string_view{incident->message}, std::string_view{incident->error}})
      if (!text.empty()) found.push_back({text, incident->place});
  }
  for (const LineRef at : facts.finding.evidence.lines) add_quote(at);
  std::ranges::sort(found);
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

}  // namespace

Facts::Facts(const Model& of_model, const JobHostSpans& job_spans, const Finding& of_finding)
    : model(of_model), spans(job_spans), finding(of_finding) {
  for (const Suspect& suspect : finding.suspects) add_process(model, suspect.process, *this);
  for (const Index index : finding.processes) {
    if (processes.size() == max_processes) break;
    add_process(model, index, *this);
  }
  if (processes.empty())
    for (std::size_t i = 0; i < std::min(model.processes.size(), max_processes); ++i)
      add_process(model, static_cast<Index>(i), *this);
  for (const Index index : finding.incidents) {
    if (incidents.size() == max_incidents) break;
    incidents.push_back(&model.incidents[static_cast<std::size_t>(index)]);
  }
  sayings = sayings_of(*this);
}

std::string_view Facts::value(std::string_view name) const {
  const auto found = std::ranges::find(finding.values, name, &std::pair<std::string_view, std::string>::first);
  return found == finding.values.end() ? std::string_view{} : std::string_view{found->second};
}

}  // namespace nccl_analyze
