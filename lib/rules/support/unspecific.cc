// Groups unclaimed incidents by rule and message, and builds a finding from each group.

#include "rules/support/unspecific.h"

#include <algorithm>
#include <string>
#include <utility>

#include "nccl_analyze/events/external.h"
#include "rules/support/external_failures.h"
#include "rules/support/failure.h"
#include "rules/support/findings.h"
#include "rules/support/message_text.h"
#include "rules/support/outcome.h"
#include "rules/support/search.h"
#include "rules/topics.h"

namespace nccl_analyze {

namespace {

/// Whether the rule for this kind of event has already judged the incident. The rules for the listed kinds judge only
/// some incidents of their kind, so an unclaimed incident of these kinds is still open.
bool is_judged(const Incident& incident, const Topic& topic) {
  if (topic.source != TopicSource::event) return false;
  switch (incident.kind) {
    case IncidentKind::cuda_failed:
    case IncidentKind::call_failed:
    case IncidentKind::world_mismatched:
    case IncidentKind::shared_memory_failed:
      return false;
    default:
      return true;
  }
}

/// `transport/nvls.cc` from `transport/nvls.cc:254`; a function name is returned unchanged.
std::string_view file_of(std::string_view place) {
  const std::size_t colon = place.find(':');
  return colon != std::string_view::npos && contains(place.substr(0, colon), ".") ? place.substr(0, colon) : place;
}

/// Whether a well-known phrase in the log is no news. `rule` is the rule that reports the phrase. True if a finding
/// above severity info is of `rule`, or is a failure whose stage is that of `rule` or an earlier one. True also for the
/// rule internal-error if any exception passes on an error of NCCL.
bool is_known(const Model& model, const Rule& rule, std::span<const Finding> findings) {
  const bool passed_on = std::any_of(model.incidents.begin(), model.incidents.end(), [](const Incident& incident) {
    return incident.kind == IncidentKind::nccl_error_raised;
  });
  if (passed_on && rule.info.name == "internal-error") return true;
  return std::any_of(findings.begin(), findings.end(), [&](const Finding& finding) {
    if (finding.severity() == Severity::info) return false;
    return finding.rule == &rule.info || (finding.stage() <= Stage::symptom && finding.stage() <= rule.info.stage);
  });
}

/// Whether the incident is a well-known phrase in the text of an exception.
bool is_raised(const Incident& incident) {
  return incident.kind == IncidentKind::phrase_seen && !incident.error.empty();
}

/// Whether the incident is a well-known phrase in a line that matched no other format.
bool is_bare(const Incident& incident) { return incident.kind == IncidentKind::phrase_seen && incident.error.empty(); }

/// Whether any process of the source went on after the line.
bool contradicted(const Model& model, const Incident& incident) {
  return !incident.evidence.lines.empty() && went_on(model, incident.evidence.lines.back());
}

std::string phrases_text(const std::vector<std::string>& phrases, bool failed) {
  constexpr std::size_t most = 3;
  std::vector<std::string> quoted;
  for (std::size_t i = 0; i < std::min(phrases.size(), most); ++i)
    quoted.push_back(concat("\"", excerpt(phrases[i]), "\""));
  return concat(phrases.size() == 1 ? "A line of this input says " : "Lines of this input say ", list_text(quoted),
                failed ? "" : "; nothing else here confirms it");
}

std::string message_of(const Incident& incident, const Topic& topic) {
  const std::string words = excerpt(incident.message, 160);
  if (is_raised(incident)) return concat("The program raised ", words);
  if (incident.kind == IncidentKind::phrase_seen)
    return {};  // all phrases of a rule share one case, whose message is phrases_text()
  if (topic.source == TopicSource::place)
    return concat("NCCL's code for it (", excerpt(file_of(incident.place), 60), ") warns: ", words);
  return concat("NCCL warns: ", words);
}

/// The incidents with the same rule and message.
struct Case {
  Finding finding;
  std::vector<Index> processes;
  std::vector<int> ranks;
  std::vector<std::string> phrases;

  void add(const Model& model, std::size_t index) {
    const Incident& incident = model.incidents[index];
    finding.provisional = true;
    finding.evidence.add(incident.evidence);
    finding.incidents.push_back(static_cast<Index>(index));
    processes.push_back(incident.process);
    if (is_raised(incident) && incident.rank >= 0) ranks.push_back(incident.rank);
    if (is_bare(incident)) add_once(phrases, std::string(incident.event.as<PhraseSeen>().phrase));
  }

  /// Raises the severity of the finding to that of the rule. If the incident led to no failure, raises it at most to a
  /// warning; a line that only mentions a failure, or after which its source went on, is a note.
  void judge(const Model& model, const Incident& incident, const Rule& rule) {
    const std::optional<Stage> end = stage_of_end(model, incident);
    if (is_raised(incident) && end == Stage::symptom) finding.own_stage = end;
    const bool is_phrase = incident.kind == IncidentKind::phrase_seen;
    if (is_fatal_phrase(incident) && rule.info.name == "application-error") finding.own_stage = Stage::symptom;
    const bool is_over = is_bare(incident) && (is_mention(incident) || contradicted(model, incident));
    const bool failed = is_phrase ? end.has_value() || (is_fatal_phrase(incident) && !is_over) : incident.failed;
    const Severity most = is_over ? Severity::info : failed ? Severity::error : Severity::warning;
    const Severity severity = std::min(most, rule.info.severity);
    finding.own_severity = std::max(finding.own_severity.value_or(severity), severity);
  }

  Finding finish(const Model& model, const std::string& message) {
    finding.message = message.empty() ? phrases_text(phrases, finding.own_severity == Severity::error) : message;
    set_scope(model, std::move(processes), finding);
    if (!ranks.empty()) {
      std::sort(ranks.begin(), ranks.end());
      ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
      finding.ranks = std::move(ranks);
    }
    if (!finding.ranks.empty()) finding.message += concat(", on ", ranks_text(finding.ranks));
    return std::move(finding);
  }
};

/// The rule that reports the incident by its wording, place or phrase alone. nullptr if there is none, if the rule for
/// the kind of the incident has judged it already, or if the process survived the incident.
const Rule* rule_of(const Incident& incident, const Topic& topic) {
  const bool is_phrase = incident.kind == IncidentKind::phrase_seen;
  const bool is_unnamed = topic.rule.empty() || (topic.rule == "internal-error" && !is_phrase);
  if (is_unnamed || topic.rule == "none" || is_judged(incident, topic) || incident.survived) return nullptr;
  return find_rule(topic.rule);
}

}  // namespace

std::map<const Rule*, std::vector<Finding>> unspecific_findings(const Model& model, const std::vector<bool>& claimed,
                                                                std::span<const Finding> findings) {
  std::map<std::pair<const Rule*, std::string>, Case> cases;
  std::map<const Rule*, Case*> raised;  // exceptions by rule; a bare phrase with the same rule joins their case
  const auto take = [&](std::size_t i) {
    const Incident& incident = model.incidents[i];
    if (claimed[i] || !is_warning(incident)) return;
    const Topic topic = topic_of(incident);
    const Rule* rule = rule_of(incident, topic);
    const bool is_phrase = incident.kind == IncidentKind::phrase_seen;
    if (rule == nullptr || (is_phrase && is_known(model, *rule, findings))) return;
    const auto same = raised.find(rule);
    const bool goes_with_it = is_bare(incident) && same != raised.end();
    Case& one = goes_with_it ? *same->second : cases[{rule, message_of(incident, topic)}];
    if (is_raised(incident)) raised.emplace(rule, &one);
    one.add(model, i);
    one.judge(model, incident, *rule);
  };
  for (const bool bare : {false, true})
    for (std::size_t i = 0; i < model.incidents.size(); ++i)
      if (is_bare(model.incidents[i]) == bare) take(i);
  std::map<const Rule*, std::vector<Finding>> by_rule;
  for (auto& [key, one] : cases) by_rule[key.first].push_back(one.finish(model, key.second));
  return by_rule;
}

}  // namespace nccl_analyze
