// Groups unclaimed incidents by rule and message, and builds a finding from each group.

#include "rules/support/unspecific.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "messages/meanings.h"
#include "messages/phrases.h"
#include "nccl_analyze/events/external.h"
#include "rules/code_places.h"
#include "rules/findings.h"
#include "rules/outcome.h"
#include "rules/support/external_failures.h"
#include "rules/support/failure.h"
#include "rules/support/nvls_places.h"
#include "rules/topics.h"
#include "text/message_text.h"
#include "text/search.h"

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

/// Whether nothing but its text is known about an incident. Its rule was chosen by the place in NCCL's code or by the
/// name of a call, so the title of the rule may state more than the text does.
bool has_only_words(const Incident& incident, const Topic& topic) {
  return topic.source == TopicSource::place || incident.kind == IncidentKind::call_failed;
}

/// Returns `transport/nvls.cc` for `transport/nvls.cc:254`. A function name is returned unchanged.
std::string_view file_of(std::string_view place) {
  const std::size_t colon = place.find(':');
  return colon != std::string_view::npos && contains(place.substr(0, colon), ".") ? place.substr(0, colon) : place;
}

/// Whether the incident is a well-known phrase in the text of an exception.
bool is_raised(const Incident& incident) {
  return incident.kind == IncidentKind::phrase_seen && !incident.error.empty();
}

/// Whether the incident is a well-known phrase in a line that matched no other format.
bool is_bare(const Incident& incident) { return incident.kind == IncidentKind::phrase_seen && incident.error.empty(); }

/// Whether the line only announces the exception with which a C++ program ends.
bool announces_exception(const Incident& incident) {
  return is_bare(incident) && incident.event.as<PhraseSeen>().phrase == "terminate called after throwing";
}

/// Returns `std::runtime_error` for `terminate called after throwing an instance of 'std::runtime_error'`; empty if the
/// line does not name a class.
std::string class_thrown(const Incident& incident) {
  const std::string_view words = incident.message;
  const std::size_t open = words.find('\'');
  const std::size_t close = open == std::string_view::npos ? open : words.find('\'', open + 1);
  return close == std::string_view::npos ? std::string() : excerpt(words.substr(open + 1, close - open - 1), 60);
}

std::string thrown_text(const Incident& incident) {
  const std::string thrown = class_thrown(incident);
  return concat("The program threw ", thrown.empty() ? std::string("an exception") : thrown);
}

/// Returns the first line of each exception whose class or message is known.
std::set<LineRef> lines_of_exceptions(const Model& model) {
  std::set<LineRef> lines;
  for (const Incident& one : model.incidents) {
    const bool is_exception =
        one.kind == IncidentKind::program_raised || one.kind == IncidentKind::nccl_error_raised || is_raised(one);
    if (is_exception && !one.evidence.lines.empty()) lines.insert(one.evidence.lines.front());
  }
  return lines;
}

/// Whether one of `exceptions` is at most 3 lines away from `at`, in the same source. Lines of other ranks may be in
/// between.
bool has_words_beside(const std::set<LineRef>& exceptions, LineRef at) {
  constexpr std::uint64_t most = 3;  // In lines.
  const std::uint64_t line = at.line;
  const auto found = exceptions.lower_bound(LineRef(at.source, line - std::min(line, most)));
  return found != exceptions.end() && found->source == at.source && found->line <= line + most;
}

/// Whether a process, or the training, of the same source made progress after the incident.
bool contradicted(const Model& model, const Incident& incident) {
  if (incident.evidence.lines.empty()) return false;
  const LineRef at = incident.evidence.lines.back();
  if (model.training_continues_after(at)) return true;
  return std::ranges::any_of(model.processes, [&](const Process& process) {
    return process.progress.source == at.source && at < process.progress;
  });
}

bool is_printed(const Incident& incident) { return incident.kind != IncidentKind::phrase_seen; }

/// Whether NCCL, or an exception that passes on an error of NCCL, reports that NCCL failed.
bool is_failure_of_nccl(const Incident& incident) {
  if (incident.survived || topic_of(incident).rule == "none") return false;
  return incident.kind == IncidentKind::nccl_error_raised || incident.kind == IncidentKind::error_propagated ||
         (is_warning(incident) && is_printed_by_nccl(incident));
}

/// Whether the incident reports any failure and is not a bare phrase.
bool is_other_failure(const Incident& incident) {
  return is_failure_of_nccl(incident) || incident.kind == IncidentKind::program_raised ||
         incident.kind == IncidentKind::process_ended || incident.kind == IncidentKind::memory_killed ||
         incident.kind == IncidentKind::job_cancelled || incident.kind == IncidentKind::gpu_faulted ||
         incident.kind == IncidentKind::node_lost ||
         (incident.kind == IncidentKind::device_faulted && !is_link_up(incident)) || is_raised(incident);
}

std::string phrases_text(const std::vector<std::string>& phrases, bool is_all) {
  constexpr std::size_t most = 3;
  std::vector<std::string> quoted;
  for (std::size_t i = 0; i < std::min(phrases.size(), most); ++i)
    quoted.push_back(concat("\"", excerpt(phrases[i]), "\""));
  return concat(phrases.size() == 1 ? "A line of this input says " : "Lines of this input say ", list_text(quoted),
                is_all ? "; nothing else here confirms it" : "");
}

/// Returns the sentence behind a warning of which only the text and the place are known, with its separator: what a
/// warning with words of its own means, else what the code at this place needs.
std::string consequence_of(const Incident& incident, const Topic& topic, const CodePurpose& code) {
  // A connection that the peer closed lacks nothing that this code needs.
  if (topic.rule == "peer-closed") return {};
  const bool has_own_words = incident.kind == IncidentKind::other_warning;
  const Meaning* const meaning = has_own_words ? meaning_of(incident.message) : nullptr;
  return meaning == nullptr ? concat(". It needs ", code.needs) : concat(". ", plain_text(*meaning));
}

std::string message_of(const Model& model, const Incident& incident, const Topic& topic) {
  const std::string words = excerpt(incident.message, 160);
  if (registers_nvls_buffer(model, incident))
    return concat("A buffer of the program could not be registered for NVLink SHARP, and NCCL goes on without it: ",
                  words);
  if (announces_exception(incident)) return concat(thrown_text(incident), ", and nothing caught it");
  if (is_raised(incident))
    return incident.error == "terminated with exception" ? concat("PyTorch's ", words)
                                                         : concat("The program raised ", words);
  if (incident.kind == IncidentKind::phrase_seen)
    return {};  // all phrases of a rule share one case, whose message is phrases_text()
  const CodePurpose* const code = has_only_words(incident, topic) ? code_purpose_at(incident.place) : nullptr;
  if (code == nullptr) return concat("NCCL warns: ", words);
  return concat("NCCL's code for ", code->what, " (", excerpt(file_of(incident.place), 60), ") warns: ", words,
                consequence_of(incident, topic, *code));
}

/// Returns the title. For a failed CUDA call, the title names the part of NCCL that made the call.
std::string title_of(const Incident& incident) {
  const CodePurpose* const code =
      contains(incident.message, "Cuda failure") ? code_purpose_at(incident.place) : nullptr;
  return code == nullptr ? concat("NCCL warns: \"", excerpt(incident.message, 90), "\"")
                         : concat("A CUDA call of NCCL's code for ", code->what, " failed");
}

/// The incidents with the same rule and message.
struct Case {
  Finding finding;
  std::vector<Index> processes;
  std::vector<int> ranks;
  std::vector<std::string> phrases;

  void add(const Model& model, std::size_t index, const Topic& topic) {
    const Incident& incident = model.incidents[index];
    finding.provisional = true;
    finding.evidence.add(incident.evidence);
    finding.incidents.push_back(static_cast<Index>(index));
    processes.push_back(incident.process);
    if (is_raised(incident) && incident.rank >= 0) ranks.push_back(incident.rank);
    if (is_bare(incident)) add_once(phrases, std::string(incident.event.as<PhraseSeen>().phrase));
    if (announces_exception(incident)) finding.title = thrown_text(incident);
    if (registers_nvls_buffer(model, incident))
      finding.values = {{"what", "buffer"}};
    else if (has_only_words(incident, topic))
      finding.title = title_of(incident);
  }

  /// Raises the severity of the finding to that of the rule, or only to warning if the incident led to no failure. A
  /// bare phrase counts only as info if it merely mentions a failure, or if its source went on after it and the phrase
  /// is not a fatal one. Also sets the stage of findings that are only symptoms. `raised`: the errors of NCCL that
  /// programs report.
  void judge(const Model& model, const Incident& incident, const Rule& rule, const RaisedErrors& raised) {
    const std::optional<Stage> end = stage_of_end(model, incident);
    if (is_raised(incident) && end == Stage::symptom) finding.own_stage = end;
    const bool is_phrase = incident.kind == IncidentKind::phrase_seen;
    if (is_fatal_phrase(incident) && rule.info.name == "application-error") finding.own_stage = Stage::symptom;
    const bool is_over =
        is_bare(incident) && (is_mention(incident) || (!is_fatal_phrase(incident) && contradicted(model, incident)));
    const bool failed = is_phrase ? end.has_value() || (is_fatal_phrase(incident) && !is_over)
                                  : incident.failed || raised.after(incident);
    const Severity most = is_over ? Severity::info : failed ? Severity::error : Severity::warning;
    const Severity severity = std::min(most, rule.info.severity);
    finding.own_severity = std::max(finding.own_severity.value_or(severity), severity);
  }

  /// Whether the program only says once that it waits, or twice that it finds no address: it may still compile, or load
  /// a model, and a name may have addresses of one family.
  bool is_only_waiting() const {
    return phrases.size() == 1 && ((finding.evidence.count < 2 && phrases.front() == unanswered_workers) ||
                                   (finding.evidence.count < 3 && phrases.front() == unresolved_master));
  }

  Finding finish(const Model& model, const std::string& message, bool is_all) {
    if (is_only_waiting()) finding.own_severity = Severity::info;
    const bool is_alone = message.empty() && is_all && finding.own_severity != Severity::error;
    if (is_alone) finding.values.emplace_back("proof", "open");  // for the checks
    finding.message = message.empty() ? phrases_text(phrases, is_alone) : message;
    if (message.empty()) {
      finding.title = concat("A line says \"", excerpt(phrases.front(), 60), "\"");
      finding.values.emplace_back("headline", "quoted");
    }
    set_scope(model, std::move(processes), finding);
    if (!ranks.empty()) {
      std::ranges::sort(ranks);
      ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
      finding.ranks = std::move(ranks);
    }
    name_ranks(finding);
    return std::move(finding);
  }
};

/// Returns the rule that reports the incident by its wording, place or phrase alone. nullptr if there is none, if it is
/// internal-error and the incident is no phrase, if the rule for the kind of the incident has judged it already, or if
/// the process survived the incident.
const Rule* rule_of(const Incident& incident, const Topic& topic) {
  const bool is_phrase = incident.kind == IncidentKind::phrase_seen;
  const bool is_unnamed = topic.rule.empty() || (topic.rule == "internal-error" && !is_phrase);
  if (is_unnamed || topic.rule == "none" || is_judged(incident, topic) || incident.survived) return nullptr;
  return find_rule(topic.rule);
}

/// Whether the line names the signal that ended a process, as `Signal: Aborted (6)` of Open MPI does.
bool names_signal(const Incident& incident) {
  return incident.kind == IncidentKind::process_ended && incident.event.as<ProcessEnded>().signal > 0 &&
         !incident.evidence.lines.empty();
}

/// Whether the phrase only closes what Open MPI prints about a signal.
bool closes_signal(const Incident& incident) {
  return is_bare(incident) && incident.event.as<PhraseSeen>().phrase == "*** End of error message ***" &&
         !incident.evidence.lines.empty();
}

class Search {
 public:
  Search(const Model& model, const std::vector<bool>& claimed, std::span<const Finding> findings)
      : model_(model), claimed_(claimed), findings_(findings), errors_(model), exceptions_(lines_of_exceptions(model)) {
    for (const Incident& incident : model.incidents) {
      if (names_signal(incident)) signalled_.insert(incident.evidence.lines.front().source);
      nccl_failed_ = nccl_failed_ || is_failure_of_nccl(incident);
      others_failed_ = others_failed_ || is_other_failure(incident);
    }
  }

  /// Finds the cases of the rules. NCCL's warnings and the kernel's reports come first, then exceptions, then bare
  /// phrases, because a phrase adds nothing to what the others have reported.
  std::map<const Rule*, std::vector<Finding>> find() {
    for (bool (*const is_wanted)(const Incident&) : {is_printed, is_raised, is_bare})
      for (std::size_t i = 0; i < model_.incidents.size(); ++i)
        if (is_wanted(model_.incidents[i])) take(i);
    const bool is_found =
        std::ranges::any_of(findings_, [](const Finding& finding) { return finding.severity() != Severity::info; });
    const bool is_all = cases_.size() == 1 && !others_failed_ && !is_found;
    std::map<const Rule*, std::vector<Finding>> by_rule;
    for (auto& [key, one] : cases_) by_rule[key.first].push_back(one.finish(model_, key.second, is_all));
    return by_rule;
  }

 private:
  /// Whether a well-known phrase that `rule` reports adds nothing. True if a finding above severity info, or a case
  /// that is no phrase, belongs to `rule`. True also if one of these is a failure at the stage of `rule` or an earlier
  /// stage. True also for the rule internal-error if NCCL itself reports a failure.
  bool is_known(const Rule& rule) const {
    if (nccl_failed_ && rule.info.name == "internal-error") return true;
    const auto explains = [&](const RuleInfo& other, Stage stage) {
      return &other == &rule.info || (stage <= Stage::symptom && stage <= rule.info.stage);
    };
    return std::ranges::any_of(findings_,
                               [&](const Finding& finding) {
                                 return finding.severity() != Severity::info &&
                                        explains(*finding.rule, finding.stage());
                               }) ||
           std::ranges::any_of(printed_, [&](const Rule* other) { return explains(other->info, other->info.stage); });
  }

  void take(std::size_t i) {
    const Incident& incident = model_.incidents[i];
    if (claimed_[i] || !is_warning(incident)) return;
    const Topic topic = topic_of(incident);
    const Rule* const rule = rule_of(incident, topic);
    const bool is_phrase = incident.kind == IncidentKind::phrase_seen;
    if (rule == nullptr || (is_phrase && is_known(*rule))) return;
    if (closes_signal(incident) && signalled_.contains(incident.evidence.lines.front().source)) return;
    if (announces_exception(incident) && has_words_beside(exceptions_, incident.evidence.lines.front())) return;
    const auto same = raised_.find(rule);
    const bool goes_with_it = is_bare(incident) && same != raised_.end();
    Case& one = goes_with_it ? *same->second : cases_[{rule, message_of(model_, incident, topic)}];
    if (is_raised(incident)) raised_.emplace(rule, &one);
    if (!is_phrase) printed_.insert(rule);
    one.add(model_, i, topic);
    one.judge(model_, incident, *rule, errors_);
    if (rule->info.name != "launch-failed" || !follows_failure_of_nccl(incident)) return;
    one.finding.own_stage = Stage::symptom;
    one.finding.own_severity = Severity::warning;
  }

  /// Whether NCCL failed in an earlier line of the source. The processes had then been started.
  bool follows_failure_of_nccl(const Incident& incident) const {
    return std::ranges::any_of(model_.incidents, [&](const Incident& one) {
      return is_failure_of_nccl(one) && !one.evidence.lines.empty() && !incident.evidence.lines.empty() &&
             one.evidence.lines.front().source == incident.evidence.lines.front().source &&
             one.evidence.lines.front() < incident.evidence.lines.front();
    });
  }

  const Model& model_;
  const std::vector<bool>& claimed_;
  std::span<const Finding> findings_;
  RaisedErrors errors_;
  std::set<LineRef> exceptions_;  ///< Result of lines_of_exceptions().
  std::set<SourceId> signalled_;  ///< Sources with a line of which names_signal() is true.
  bool nccl_failed_ = false, others_failed_ = false;
  std::map<std::pair<const Rule*, std::string>, Case> cases_;
  std::map<const Rule*, Case*> raised_;  ///< Exceptions by rule; a bare phrase with the same rule joins their case.
  std::set<const Rule*> printed_;        ///< The rules of the cases that are no phrases.
};

}  // namespace

std::map<const Rule*, std::vector<Finding>> unspecific_findings(const Model& model, const std::vector<bool>& claimed,
                                                                std::span<const Finding> findings) {
  return Search(model, claimed, findings).find();
}

}  // namespace nccl_analyze
