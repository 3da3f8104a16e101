// NCA602 reports exhausted GPU or host memory, separately for NCCL's buffers and for the program's own allocations.

#include <algorithm>
#include <set>
#include <utility>

#include "nccl_analyze/events/external.h"
#include "nccl_analyze/rule.h"
#include "rules/support/external_failures.h"
#include "rules/support/failure.h"
#include "rules/support/findings.h"
#include "rules/support/message_text.h"
#include "rules/support/ranks.h"
#include "rules/support/search.h"
#include "rules/topics.h"

namespace nccl_analyze::nca602 {

namespace {

bool is_memory(const Incident& incident) {
  return is_about(incident, "out-of-memory") && warns(incident.level) && is_printed_by_nccl(incident);
}

/// Adds a finding for failed allocations of the program itself. NCCL errors that follow on other ranks are symptoms.
void add_program(const Model& model, Verdict& verdict) {
  Finding finding;
  std::vector<Index> processes;
  std::string words;
  for (const Incident& incident : model.incidents) {
    const bool own = incident.kind == IncidentKind::program_raised && incident.topic == "out-of-memory";
    if (!own || stage_of_end(model, incident) != Stage::program) continue;
    if (words.empty()) words = excerpt(concat(incident.event.as<ProgramRaised>().exception, ": ", incident.error), 160);
    if (incident.process >= 0) processes.push_back(incident.process);
    if (incident.rank >= 0) finding.ranks.push_back(incident.rank);
    claim(model, incident, finding);
  }
  if (finding.evidence.count == 0) return;
  std::sort(finding.ranks.begin(), finding.ranks.end());
  finding.ranks.erase(std::unique(finding.ranks.begin(), finding.ranks.end()), finding.ranks.end());
  const std::vector<int> named = std::exchange(finding.ranks, {});
  if (!processes.empty()) set_scope(model, std::move(processes), finding);
  // The program names ranks that have no process in the input, or other ranks.
  if (!named.empty() && named != finding.ranks) {
    finding.ranks = named;
    finding.processes.clear();
    finding.communicators.clear();
  }
  finding.message =
      concat("The program itself ran out of memory",
             finding.ranks.empty() ? std::string() : concat(" on ", ranks_text(finding.ranks)), ": ", words);
  verdict.findings.push_back(std::move(finding));
}

/// All failed allocations of NCCL's buffers share one finding, because CUDA and NCCL may both report the same failure.
Verdict check(const Model& model) {
  Verdict verdict;
  add_program(model, verdict);
  Finding finding;
  std::vector<Index> processes;
  bool on_device = false, went_on = true;
  for (const Incident& incident : model.incidents) {
    if (!is_memory(incident)) continue;
    on_device |= incident.cuda_error != 0;
    went_on &= incident.survived;
    processes.push_back(incident.process);
    claim(model, incident, finding);
  }
  if (finding.evidence.count == 0) return verdict;
  std::vector<std::string> places;
  for (const Index index : processes)
    if (const Process* process = process_of(model, index))
      if (!process->host.empty()) add_once(places, process->host.str());
  set_scope(model, std::move(processes), finding);
  finding.message = concat(on_device ? "GPU memory is exhausted" : "Memory is exhausted",
                           finding.ranks.empty() ? std::string() : concat(" on ", ranks_text(finding.ranks)),
                           places.empty() ? std::string() : concat(" (", list_text(places), ")"),
                           ": NCCL could not allocate its buffers");
  if (went_on) {
    finding.survived = true;
    finding.own_severity = Severity::info;
    finding.message = concat("A call for memory failed",
                             finding.ranks.empty() ? std::string() : concat(" on ", ranks_text(finding.ranks)),
                             "; the process went on");
  }
  verdict.findings.push_back(std::move(finding));
  return verdict;
}

}  // namespace

extern constinit const RuleWords words;

extern constinit const Rule rule{{.id = "NCA602",
                                  .name = "out-of-memory",
                                  .severity = Severity::error,
                                  .stage = Stage::program,
                                  .check = "init",
                                  .words = &words},
                                 check};

}  // namespace nccl_analyze::nca602
