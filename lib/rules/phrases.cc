#include "rules/phrases.h"

#include <map>
#include <string>
#include <utility>

#include "rules/rule_support.h"

namespace nccl_analyze {

std::vector<Occurrence> phrase_occurrences(const Model& model, std::string_view rule_name) {
  struct Seen {
    std::vector<Index> processes, incidents;
    Evidence evidence;
  };
  std::map<std::string, Seen> seen;  // by phrase
  for (std::size_t i = 0; i < model.incidents.size(); ++i) {
    const Incident& incident = model.incidents[i];
    if (incident.kind != IncidentKind::phrase_seen || incident.topic != rule_name) continue;
    Seen& one = seen[incident.subject];
    if (incident.process >= 0) one.processes.push_back(incident.process);
    one.incidents.push_back(static_cast<Index>(i));
    one.evidence.add(incident.evidence);
  }
  std::vector<Occurrence> found;
  for (auto& [phrase, one] : seen) {
    if (one.evidence.count == 0) continue;
    Occurrence& occurrence = found.emplace_back();
    occurrence.severity = Severity::warning;
    occurrence.message =
        cat(one.evidence.count == 1 ? "A line of this input says \"" : "Lines of this input say \"", shortened(phrase),
            "\"; nothing else here confirms it");
    occurrence.evidence = std::move(one.evidence);
    occurrence.incidents = std::move(one.incidents);
    if (!one.processes.empty()) concern(model, std::move(one.processes), occurrence);
  }
  return found;
}

}  // namespace nccl_analyze
