// NCA607 reports warnings and error traces of NCCL that no other rule explains.

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>

#include "messages/meanings.h"
#include "nccl_analyze/events/fault.h"
#include "nccl_analyze/events/ras.h"
#include "nccl_analyze/rule.h"
#include "queries/completeness.h"
#include "queries/network.h"
#include "queries/platform.h"
#include "queries/settings.h"
#include "rules/code_places.h"
#include "rules/findings.h"
#include "rules/support/external_failures.h"
#include "rules/support/failure.h"
#include "rules/support/rdma_fault.h"
#include "rules/topics.h"
#include "text/message_text.h"
#include "text/search.h"

namespace nccl_analyze::nca607 {

namespace {

/// Returns the path below NCCL's own folder of sources: `include/net.h`. Builds of RCCL print the whole path.
std::string_view below_source(std::string_view file) {
  constexpr std::string_view folder = "/src/";
  const std::size_t at = file.rfind(folder);
  return at == std::string_view::npos ? file : file.substr(at + folder.size());
}

std::string_view result_text(std::int64_t result) {
  constexpr std::array<std::string_view, 9> names = {"success",        "unhandled CUDA error", "unhandled system error",
                                                     "internal error", "invalid argument",     "invalid usage",
                                                     "remote error",   "in progress",          "timeout"};
  return result >= 0 && result < static_cast<std::int64_t>(names.size()) ? names[static_cast<std::size_t>(result)]
                                                                         : std::string_view("unknown result");
}

/// Whether the incident is only the report of a launcher or a parent that a process failed, which explains nothing.
bool only_ends(const Model& model, const Incident& incident) {
  if (incident.kind == IncidentKind::program_raised) return tells_of_child(incident);
  return incident.kind == IncidentKind::process_ended && stage_of_end(model, incident) == Stage::symptom;
}

/// Returns `0` for `[Service thread] Could not receive type from localRank 0, res=3`: the local rank whose connection
/// the thread lost. Empty for other messages.
std::string lost_local_rank(const Incident& incident) {
  constexpr std::string_view words = "Could not receive type from localRank ";
  const std::size_t at = incident.message.find(words);
  if (incident.kind != IncidentKind::proxy_failed || at == std::string::npos) return {};
  const std::string rest = incident.message.substr(at + words.size());
  return rest.substr(0, std::min(rest.find_first_not_of("0123456789"), rest.size()));
}

constexpr std::string_view rank_requested = "Invalid rank requested : ";

/// Notes the rank and the number of ranks of `Invalid rank requested : 2/2`.
void note_rank(std::string_view warning, Finding& finding) {
  const std::size_t slash = warning.starts_with(rank_requested) ? warning.find('/') : std::string_view::npos;
  if (slash == std::string_view::npos) return;
  const std::string_view size = warning.substr(slash + 1);
  finding.values.emplace_back("asked", warning.substr(rank_requested.size(), slash - rank_requested.size()));
  finding.values.emplace_back("size", size.substr(0, size.find_first_not_of("0123456789")));
}

/// What the warning of a proxy thread says happened. The thread closes the connection and serves the other ranks.
std::string proxy_text(const Incident& incident) {
  const std::string rank = lost_local_rank(incident);
  return rank.empty() ? std::string("NCCL's proxy thread could not serve a rank")
                      : concat("NCCL's service thread lost the connection of local rank ", rank);
}

/// The title of a failure that a program, RAS or the proxy thread reports.
std::string echo_title(const Incident& incident) {
  if (incident.event.as<RasRankFailed>().error > 0)
    return concat("NCCL's RAS reports an error: ", excerpt(incident.error, 80));
  if (incident.kind == IncidentKind::nccl_error_raised)
    return concat("The program reports an error of NCCL: ", excerpt(incident.error, 80));
  return lost_local_rank(incident).empty() ? concat(proxy_text(incident), ": \"", excerpt(incident.message, 90), "\"")
                                           : proxy_text(incident);
}

/// Returns the message of a failure for echo_title(). `is_all`: whether no recognised line shows another failure.
std::string echo_text(const Incident& incident, bool is_all) {
  const std::string_view no_words = is_all ? "; NCCL's own words are not in this input" : "";
  if (incident.event.as<RasRankFailed>().error > 0)
    return concat("NCCL's RAS reports an asynchronous error of the communicator (", excerpt(incident.error, 80), ")",
                  no_words);
  if (incident.kind == IncidentKind::nccl_error_raised)
    return concat("The program reports an error of NCCL (", excerpt(incident.error, 80), ")", no_words);
  return concat(proxy_text(incident), ": ", excerpt(incident.message), ". That follows from another failure",
                is_all ? ", which no recognised line of this input shows" : "");
}

/// A failure that no other rule explains: warnings with equal text, symptoms of one process, or an error trace.
struct Failure : ProcessGroup {
  Severity severity = Severity::warning;
  Stage stage = Stage::network;
  bool is_sentence = false;  ///< Whether the failure's key in Search::failures_ is the finding's message. If not, the
                             ///< key is NCCL's warning, and findings() makes a sentence of it.
  std::string_view warning;  ///< NCCL's warning as printed; empty if the key is a sentence.
  std::string title;         ///< Title of the finding if the key is a sentence; else NCCL's warning is the title.
  std::string local_rank;    ///< See lost_local_rank().
};

class Search {
 public:
  Search(const Model& model, const std::vector<bool>& claimed) : model_(model), claimed_(claimed), raised_(model) {
    for (std::size_t i = 0; i < claimed.size(); ++i) {
      if (!claimed[i] || only_ends(model, model.incidents[i])) continue;
      const Incident& incident = model.incidents[i];
      explained_.insert(incident.process);
      only_closed_ = only_closed_ && topic_of(incident).rule == "peer-closed";
      if (incident.evidence.lines.empty()) continue;
      const LineRef at = incident.evidence.lines.front();
      const auto [first, is_new] = explained_from_.emplace(incident.process, at);
      if (!is_new) first->second = std::min(first->second, at);
    }
  }

  std::vector<Finding> find() {
    add_warnings();
    if (failures_.empty() && explained_.empty()) add_flushes();
    add_trails(failures_.empty() && explained_.empty());
    if (failures_.empty() && explained_.empty()) add_echoes();
    if (failures_.empty() && only_closed_) add_misuse();
    return findings();
  }

 private:
  /// Whether the incident is a warning of NCCL that no other rule explains, that is not known to be harmless, and after
  /// which its process made no progress. Error traces and failures of the proxy thread are handled elsewhere.
  bool is_open(std::size_t index) const {
    const Incident& incident = model_.incidents[index];
    if (claimed_[index] || !is_warning(incident) || !is_printed_by_nccl(incident)) return false;
    return incident.kind != IncidentKind::error_propagated && incident.kind != IncidentKind::proxy_failed &&
           topic_of(incident).rule != "none" && !incident.survived &&
           one_of(topic_of(incident).rule, {"", "internal-error"});
  }

  const Incident* trail_of(const Incident& warning) const {
    return warning.error_trace < 0 ? nullptr : &model_.incidents[warning.error_trace];
  }

  /// Adds a warning to the failure that has the same text. The failure is an error if an error trace, or an exception
  /// of the program, shows that NCCL failed because of the warning.
  Failure& add(const Incident& warning) {
    const Incident* trail = trail_of(warning);
    Failure& failure = failures_[excerpt(warning.message)];
    failure.warning = warning.message;
    failure.add(model_, warning);
    if (raised_.after(warning) || warning.failed) failure.severity = Severity::error;
    if (trail == nullptr || trail->survived) return failure;
    failure.severity = Severity::error;
    failure.add(model_, *trail);
    return failure;
  }

  /// Returns the earlier failure of the process if the warning only passes a failure on; null for other warnings, and
  /// if the process has no failure yet.
  Failure* failure_before(const Incident& warning) {
    const auto found = last_failures_.find(warning.process);
    if (warning.process < 0 || found == last_failures_.end()) return nullptr;
    const Meaning* const meaning = meaning_of(warning.message);
    return meaning != nullptr && meaning->kind == MessageClass::echo ? found->second : nullptr;
  }

  void add_warnings() {
    for (std::size_t i = 0; i < model_.incidents.size(); ++i) {
      if (!is_open(i)) continue;
      const Incident& warning = model_.incidents[i];
      if (Failure* const before = failure_before(warning)) {
        before->add(model_, warning);
        continue;
      }
      // If another rule explains why the process failed, a warning without an error trace is probably harmless.
      if (trail_of(warning) != nullptr || !explained_.contains(warning.process))
        last_failures_[warning.process] = &add(warning);
    }
  }

  /// Adds flushed RDMA requests. A flush follows from an earlier failure of the connection, whose own error is not in
  /// the input.
  void add_flushes() {
    for (const Incident& incident : model_.incidents)
      if (is_warning(incident) && rdma_fault(incident) == RdmaFault::flush && !incident.survived)
        add(incident).stage = Stage::symptom;
  }

  /// Returns another line of the process's error trace; nullptr if there is none. A trace of one line is an error that
  /// the caller handled, since NCCL returns a fatal error through several functions.
  const Incident* next_function(const Incident& trail) const {
    const auto found = std::find_if(model_.incidents.begin(), model_.incidents.end(), [&](const Incident& incident) {
      return incident.kind == IncidentKind::error_propagated && incident.process == trail.process &&
             incident.message != trail.message;
    });
    return found == model_.incidents.end() ? nullptr : &*found;
  }

  /// Explains in a clause why the finding names no cause: the process printed no warning, or only warnings that give no
  /// reason.
  std::string why_unknown(const Incident& trail) const {
    for (const Incident& incident : model_.incidents)
      if (incident.process == trail.process && is_printed_by_nccl(incident) && is_warning(incident) &&
          incident.kind != IncidentKind::error_propagated)
        return concat("its warning \"", excerpt(incident.message, 80), "\" does not say why");
    return "this input holds no warning that says why";
  }

  /// Whether the error trace precedes every line of its process for which another rule accounts, so that it is no
  /// consequence of them. False without such lines. Only failed system calls and CUDA calls count; other results follow
  /// from earlier errors.
  bool is_first(const Incident& trail) const {
    constexpr int cuda_error = 1, system_error = 2;
    const auto result = trail.event.as<ErrorPropagated>().result;
    const auto found = explained_from_.find(trail.process);
    return (result == cuda_error || result == system_error) && found != explained_from_.end() &&
           trail.evidence.lines[0] < found->second;
  }

  /// Adds at most one error trace per process, unless its cause is known. The finding is weak, because a trace shows
  /// where NCCL failed, but not why. Unless `nothing_is_known`, adds only traces that no failure precedes.
  void add_trails(bool nothing_is_known) {
    std::set<Index> done;
    for (const Incident& trail : model_.incidents) {
      if (trail.kind != IncidentKind::error_propagated || !done.insert(trail.process).second) continue;
      if (trail.survived || trail.evidence.lines.empty() || follows_program_abort(trail) ||
          next_function(trail) == nullptr || is_socket_error_trace(model_, trail) ||
          (!nothing_is_known && !is_first(trail)))
        continue;
      const auto& event = trail.event.as<ErrorPropagated>();
      const CodePurpose* const code = code_purpose_at(event.file);
      std::string title =
          concat(library_, " failed with ", result_text(event.result), " in ",
                 excerpt(below_source(event.file.empty() ? std::string_view(trail.place) : event.file), 60));
      Failure& failure = failures_[concat(
          title, code == nullptr ? std::string() : concat(", its code for ", code->what), "; ", why_unknown(trail))];
      failure.title = std::move(title);
      failure.severity = Severity::error;
      failure.stage = nothing_is_known ? Stage::symptom : Stage::network;
      failure.is_sentence = true;
      failure.add(model_, trail);
      if (const Incident* next = next_function(trail)) failure.add(model_, *next);
    }
  }

  /// Whether all warnings and exceptions of the input only pass on a failure.
  bool has_only_echoes() const {
    return std::ranges::none_of(model_.incidents, [](const Incident& incident) {
      return is_warning(incident) && incident.kind != IncidentKind::proxy_failed &&
             incident.kind != IncidentKind::nccl_error_raised;
    });
  }

  /// Adds symptoms that the proxy thread or the program reports. All symptoms of one process are merged into one
  /// failure.
  void add_echoes() {
    std::map<Index, Failure*> told;  // Failures by process.
    const bool is_all = has_only_echoes();
    for (const Incident& incident : model_.incidents) {
      const bool passed_on = incident.kind == IncidentKind::nccl_error_raised;
      if (incident.survived || (!passed_on && incident.kind != IncidentKind::proxy_failed)) continue;
      Failure* nobodys = nullptr;  // Incidents without a process are merged only if their messages are equal.
      Failure*& failure = incident.process >= 0 ? told[incident.process] : nobodys;
      if (failure == nullptr) {
        failure = &failures_[echo_text(incident, is_all)];
        failure->title = echo_title(incident);
        failure->local_rank = lost_local_rank(incident);
      }
      failure->is_sentence = true;
      failure->severity = Severity::error;
      // A wrong call of NCCL is the program's own failure, and others wait for this process.
      const bool is_misuse = passed_on && contains(incident.error, "invalid usage");
      failure->stage = is_misuse ? Stage::program : Stage::symptom;
      failure->add(model_, incident);
    }
  }

  /// Adds what processes tell about a wrong call of NCCL (ncclInvalidUsage), as one failure. Such a process ends and
  /// closes its connections. No closed connection makes a call wrong: NCCL returns 2, 3 or 6 for it.
  void add_misuse() {
    constexpr int invalid_usage = 5;
    Failure* failure = nullptr;
    for (const Incident& incident : model_.incidents) {
      const bool is_raised =
          incident.kind == IncidentKind::nccl_error_raised && contains(incident.error, result_text(invalid_usage));
      if (incident.survived || (!is_raised && incident.event.as<ErrorPropagated>().result != invalid_usage)) continue;
      if (failure == nullptr) {
        failure = &failures_
                      ["A process reports that NCCL was called wrongly (invalid usage); the closed connections "
                       "of the others follow from its end"];
        failure->title = "A process called NCCL wrongly: invalid usage";
        failure->is_sentence = true;
        failure->severity = Severity::error;
        failure->stage = Stage::program;
      }
      failure->add(model_, incident);
    }
  }

  /// Notes the value of NCCL_SOCKET_IFNAME. Where a process that has it names no interface of its bootstrap, the value
  /// is the likeliest reason for an address that is none.
  void note_interfaces(Finding& finding) const {
    const std::string names = chosen_interfaces(model_);
    finding.values.emplace_back("ifname", names);
    const bool is_open = std::ranges::any_of(model_.processes, [](const Process& process) {
      return setting(process, "NCCL_SOCKET_IFNAME") != nullptr && process.bootstrap_interface.empty();
    });
    if (!names.empty() && is_open)
      finding.title =
          concat(library_, " has no valid address: NCCL_SOCKET_IFNAME=", excerpt(names, 40), " may fit no interface");
  }

  /// If a function returned what is no result of NCCL, says so in message and title instead of what the warning means:
  /// the memory that the library read is then not laid out as it expects. Returns whether it did.
  bool note_foreign_result(Finding& finding) const {
    constexpr std::int64_t highest = 8;
    for (const Incident& incident : model_.incidents) {
      const auto result = incident.event.as<ErrorPropagated>().result;
      const bool is_own =
          std::ranges::find(finding.processes, incident.process) != finding.processes.end() && !incident.survived;
      if (incident.kind != IncidentKind::error_propagated || result <= highest || !is_own) continue;
      finding.evidence.add(incident.evidence);
      finding.values.emplace_back("result", std::to_string(result));
      finding.title = concat(library_, " returns ", result, ", which is none of its results");
      finding.message +=
          concat(". Its functions then return ", result,
                 ", which is no result of NCCL (0 to 8): what they read as a communicator is mostly not laid "
                 "out as this library expects, so that the warning itself may mean nothing");
      return true;
    }
    return false;
  }

  std::vector<Finding> findings() {
    std::vector<Finding> found;
    for (auto& [words, failure] : failures_) {
      Finding& finding = found.emplace_back(finding_of(model_, {}, ProcessGroup(failure)));
      const bool failed = failure.severity == Severity::error;
      finding.message =
          failure.is_sentence
              ? words
              : concat(library_, failed ? " failed: " : " warned, and nothing shows that the process went on: ", words);
      finding.title = failure.is_sentence
                          ? std::move(failure.title)
                          : concat(library_, failed ? " failed" : " warns", ": \"", excerpt(words, 90), "\"");
      finding.own_severity = failure.severity;
      finding.own_stage = failure.stage;
      if (contains(finding.message, "neither AF_INET")) note_interfaces(finding);
      if (!failure.local_rank.empty()) finding.values.emplace_back("local_rank", failure.local_rank);
      note_rank(failure.warning, finding);
      if (!is_initialised(model_)) finding.values.emplace_back("init", "open");
      name_ranks(finding);
      const Meaning* const meaning = meaning_of(failure.warning);
      const bool is_foreign = note_foreign_result(finding);
      if (meaning != nullptr && !is_foreign) finding.message += concat(". ", plain_text(*meaning));
      if (!failure.is_sentence && (meaning == nullptr || meaning->kind != MessageClass::echo))
        finding.values.emplace_back("why", "here");
    }
    return found;
  }

  const Model& model_;
  const std::string_view library_ = runs_rccl(model_) ? "RCCL" : "NCCL";
  const std::vector<bool>& claimed_;
  RaisedErrors raised_;
  bool only_closed_ = true;                  ///< Whether all these incidents are connections that a peer closed.
  std::set<Index> explained_;                ///< Processes with an incident for which another rule accounts.
  std::map<Index, LineRef> explained_from_;  ///< The first line of such an incident, for each process.
  std::map<Index, Failure*> last_failures_;  ///< The last failure in `failures_` of each process that warned.
  std::map<std::string, Failure> failures_;  ///< Keyed by NCCL's warning or the message; see `is_sentence`.
};

}  // namespace

RuleResult check(const Model& model, const std::vector<bool>& claimed) { return {Search(model, claimed).find()}; }

}  // namespace nccl_analyze::nca607
