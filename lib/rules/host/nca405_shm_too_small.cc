// NCA405 reports shared memory files that NCCL could not create, mostly because /dev/shm is too small.

#include <algorithm>
#include <cstdlib>
#include <iterator>

#include "nccl_analyze/events/external.h"
#include "nccl_analyze/rule.h"
#include "queries/benchmarks.h"
#include "queries/machine_values.h"
#include "rules/findings.h"
#include "rules/support/pods.h"
#include "text/lower_case.h"
#include "text/message_text.h"
#include "text/search.h"

namespace nccl_analyze::nca405 {

namespace {

constexpr std::string_view no_file = "NCCL could not make a shared memory file in /dev/shm";

/// Returns the finding's message; empty if NCCL goes on. The message omits the random file name, so that all ranks
/// with the same error share one finding.
std::string message_of(const Incident& incident) {
  if (!warns(incident.level)) return {};
  if (incident.error_number == 28) return "/dev/shm has no room left for NCCL's buffers (No space left on device)";
  const std::string error = excerpt(incident.error, 80);
  return concat(no_file, when(!error.empty(), ": ", error));
}

/// Whether NCCL did not print the reason.
bool is_bare(const Finding& finding) { return finding.message == no_file; }

bool share_process(const Finding& a, const Finding& b) {
  return std::ranges::find_first_of(a.processes, b.processes) != a.processes.end();
}

/// Joins the two findings about one failure of a process: the calling function prints the failure again, up to NCCL
/// 2.21 without the reason.
void join_repeated(std::vector<Finding>& findings) {
  const auto bare = std::ranges::find_if(findings, is_bare);
  if (bare == findings.end()) return;
  const auto named = std::ranges::find_if(
      findings, [&](const Finding& finding) { return !is_bare(finding) && share_process(finding, *bare); });
  if (named == findings.end()) return;
  named->evidence.add(bare->evidence);
  named->incidents.insert(named->incidents.end(), bare->incidents.begin(), bare->incidents.end());
  findings.erase(bare);
}

/// The size of /dev/shm in a container of Docker or Kubernetes that asks for none. NCCL needs more for several GPUs of
/// a host.
constexpr std::int64_t default_size = std::int64_t{64} << 20U;

/// Returns the document with the least room in /dev/shm, as far as that is no more than the default size, on the hosts
/// of the processes; null if the input shows no such room.
const MachineValue* least_room(const Model& model, const std::vector<Index>& processes) {
  const MachineValue* least = nullptr;
  for (const ShownValue& shown : values_about(model, processes, "shm_available"))
    if (shown.value->number <= default_size && (least == nullptr || shown.value->number < least->number))
      least = shown.value;
  return least;
}

/// Whether a failure without a reason of its own may come from a small /dev/shm: NCCL's system error, or a bus error.
bool may_lack_room(const Incident& incident) {
  if (incident.kind == IncidentKind::nccl_error_raised) return contains(lower_case(incident.error), "system error");
  if (incident.kind != IncidentKind::process_ended) return contains(incident.message, "Bus error");
  const auto& ended = incident.event.as<ProcessEnded>();
  return ended.signal == 7 || ended.code == -7 || contains(incident.message, "Bus error");
}

/// Whether NCCL itself warns of something, which then is why it failed.
bool tells_why(const Incident& incident) {
  constexpr IncidentKind echoes[] = {IncidentKind::error_propagated, IncidentKind::nccl_error_raised,
                                     IncidentKind::program_raised,   IncidentKind::process_ended,
                                     IncidentKind::job_cancelled,    IncidentKind::phrase_seen};
  return warns(incident.level) && incident.topic != "none" &&
         std::ranges::find(echoes, incident.kind) == std::end(echoes);
}

/// Reports a /dev/shm that is too small for NCCL: as the cause of a failure that nothing else explains, else as a note.
void add_shown_room(const Model& model, RuleResult& result) {
  const MachineValue* const least = least_room(model, {});
  if (least == nullptr || std::ranges::any_of(model.incidents, tells_why)) return;
  Finding finding;
  const auto failure = std::ranges::find_if(model.incidents, may_lack_room);
  const bool is_cause = failure != model.incidents.end();
  finding.message =
      concat("/dev/shm has ", least->number == 0 ? "no" : concat("only ", size_text(least->number), " of"), " room",
             is_cause ? ", where NCCL puts the buffers of the ranks of a host, and a rank failed by a "
                        "system error or a bus error, as it does when they do not fit"
                      : ". With several ranks on a host NCCL may need more");
  add_line(finding.evidence, least->at);
  if (is_cause) {
    if (failure->process >= 0) finding.processes = {failure->process};
    finding.values.emplace_back("room", "cause");
  } else {
    finding.own_severity = Severity::info;
    finding.own_stage = Stage::note;
    finding.values.emplace_back("room", "note");
  }
  result.findings.push_back(std::move(finding));
}

/// Adds the room that the input shows.
void add_room(const Model& model, Finding& finding) {
  const MachineValue* const least = least_room(model, finding.processes);
  if (least == nullptr) return;
  finding.message += concat("; the input shows ", size_text(least->number), " of room in it");
  add_line(finding.evidence, least->at);
}

}  // namespace

RuleResult check(const Model& model) {
  RuleResult result{topic_findings(model, "shm-too-small", message_of)};
  join_repeated(result.findings);
  if (result.findings.empty()) add_shown_room(model, result);
  for (Finding& finding : result.findings) {
    if (finding.ranks.size() >= finding.processes.size()) name_ranks(finding);
    if (!finding.incidents.empty()) add_room(model, finding);
    add_lack(lacks_shm(model, finding.processes), finding);
  }
  return result;
}

}  // namespace nccl_analyze::nca405
