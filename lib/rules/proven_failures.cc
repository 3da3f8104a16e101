// Raises the finding before a proven failure to an error. Rules grade faults lower if they are often harmless.

#include "rules/proven_failures.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "rules/causes.h"
#include "rules/findings.h"
#include "rules/outcome.h"
#include "rules/suspects.h"
#include "text/message_text.h"

namespace nccl_analyze {

namespace {

bool may_fail_a_job(const Finding& finding) {
  return finding.severity() != Severity::info && finding.stage() <= Stage::symptom && !finding.survived;
}

/// Whether the finding is an exception that only says that its cause stands elsewhere.
bool is_pointer(const Finding& finding) {
  return std::ranges::find(finding.values, "points", [](const auto& value) { return value.first; }) !=
         finding.values.end();
}

enum class Reach : std::uint8_t { before, anywhere };

/// Whether the finding has a line in the source of the proof: up to the proof for Reach::before, else anywhere. False
/// if all processes of the finding are known to be other ones than that of the proof; a process without a pid is not
/// known.
bool leads_to(const Model& model, const Finding& finding, const FailureProof& proof, Reach place) {
  const auto is_other = [&](Index index) {
    const Process* const process = process_of(model, index);
    return process != nullptr && process->pid >= 0 && index != proof.process;
  };
  const std::vector<Index>& processes = finding.processes;
  if (proof.process >= 0 && !processes.empty() && std::ranges::all_of(processes, is_other)) return false;
  return std::ranges::any_of(finding.evidence.lines, [&](LineRef at) {
    return at.line > 0 && at.source == proof.at.source && (place == Reach::anywhere || at <= proof.at);
  });
}

std::string message_of(const Incident& incident) {
  return concat(
      incident.kind == IncidentKind::error_propagated ? "NCCL returned an error to the program: " : "The job failed: ",
      excerpt(incident.message, 160));
}

void add_failure(const Model& model, const std::vector<FailureProof>& proofs, std::vector<Finding>& findings) {
  const Incident& first = model.incidents[proofs.front().incident];
  const Rule* const rule = find_rule(first.kind == IncidentKind::phrase_seen ? first.topic : "internal-error");
  if (rule == nullptr) return;
  Finding& finding = findings.emplace_back();
  finding.rule = &rule->info;
  finding.message = message_of(first);
  finding.own_severity = Severity::error;
  finding.own_stage = Stage::symptom;
  std::vector<Index> processes;
  for (const FailureProof& proof : proofs) {
    const Incident& incident = model.incidents[proof.incident];
    if (incident.message != first.message) continue;
    processes.push_back(incident.process);
    claim(model, incident, finding);
  }
  set_scope(model, std::move(processes), finding);
  complete_suspects(model, finding);
}

}  // namespace

void ensure_error(const Model& model, const Attempts& attempts, std::vector<Finding>& findings) {
  const std::vector<FailureProof> proofs = find_failure_proofs(model, attempts);
  if (proofs.empty()) return;
  order_findings(findings);
  const auto is_error = [](const Finding& finding) {
    return may_fail_a_job(finding) && finding.severity() == Severity::error && !is_mere_end(finding);
  };
  if (std::ranges::any_of(findings, is_error)) return;
  for (const Reach place : {Reach::before, Reach::anywhere}) {  // The proof may be printed before its cause.
    for (Finding& finding : findings) {
      const auto is_cause = [&](const FailureProof& proof) { return leads_to(model, finding, proof, place); };
      if (!may_fail_a_job(finding) || !std::ranges::any_of(proofs, is_cause)) continue;
      if (place == Reach::before && is_pointer(finding)) continue;
      finding.own_severity = Severity::error;
      return;
    }
  }
  add_failure(model, proofs, findings);
}

}  // namespace nccl_analyze
