// NCA212 reports NVIDIA drivers that are too old for the CUDA version that NCCL was built with.

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "nccl_analyze/rule.h"
#include "rules/findings.h"
#include "rules/support/failure.h"
#include "rules/words/table.h"
#include "text/message_text.h"
#include "text/search.h"

namespace nccl_analyze::nca212 {

namespace {

/// Formats a CUDA version number: `12.8` for 12080.
std::string cuda_version(int version) { return concat(version / 1000, ".", version % 1000 / 10); }

/// Whether a CUDA error shows that the driver of the host is too old or does not fit.
bool is_driver_too_old(const Incident& incident) {
  constexpr std::array<int, 5> errors = {35, 36, 222, 803, 804};
  return incident.kind == IncidentKind::cuda_failed && std::ranges::find(errors, incident.cuda_error) != errors.end();
}

std::string message_of(const Incident& incident) {
  if (!warns(incident.level)) return {};
  if (is_driver_too_old(incident))
    return concat("CUDA refuses to work with this driver: ", excerpt(incident.error, 100), driver_code_text(incident));
  return std::string(incident.topic == "driver-too-old" ? table_text("NCA212", incident.aspect) : "");
}

/// Returns the first number of a version, 12 for `12.4`; -1 if there is none.
int major_of(std::string_view version) {
  int major = -1;
  const auto [end, error] = std::from_chars(version.data(), version.data() + version.size(), major);
  return error == std::errc{} ? major : -1;
}

/// Returns one flag per process: whether it completed the initialisation of a communicator, which proves that CUDA
/// works.
std::vector<bool> finished_processes(const Model& model) {
  std::vector<bool> finished(model.processes.size());
  for (const Communicator& comm : model.communicators)
    for (const Rank& rank : comm.ranks)
      if (rank.phase == InitPhase::complete && process_of(model, rank.process) != nullptr)
        finished[static_cast<std::size_t>(rank.process)] = true;
  return finished;
}

/// Whether the driver's CUDA major version is lower than that of NCCL's build. Minor versions are compatible both ways.
bool is_a_major_behind(const Process& process) {
  const int toolkit = major_of(process.toolkit);
  return process.library == "NCCL" && process.driver > 0 && toolkit > 0 && process.driver / 1000 < toolkit;
}

/// Lists the distinct pairs of the driver's CUDA version and NCCL's CUDA version among these processes.
std::string versions_text(const Model& model, const std::vector<Index>& processes) {
  std::vector<std::string> pairs;
  for (const Process* process : known_processes(model, processes)) {
    if (process->driver <= 0) continue;
    std::string pair = concat("the driver knows CUDA ", cuda_version(process->driver));
    if (!process->toolkit.empty()) pair += concat(", NCCL was built with ", excerpt(process->toolkit, 20));
    add_once(pairs, std::move(pair));
  }
  return when(!pairs.empty(), "; ", list_text(pairs));
}

}  // namespace

RuleResult check(const Model& model) {
  RuleResult result{incident_findings(model, {IncidentKind::cuda_failed, IncidentKind::other_warning}, message_of)};
  for (Finding& finding : result.findings) {
    finding.message += versions_text(model, finding.processes);
    const Incident& incident = model.incidents[finding.incidents.front()];
    if (!is_driver_too_old(incident)) finding.values = {{"feature", incident.aspect}};
  }
  if (!result.findings.empty()) return result;

  Finding behind;
  std::vector<Index> processes;
  const std::vector<bool> finished = finished_processes(model);
  for (std::size_t i = 0; i < model.processes.size(); ++i) {
    if (finished[i] || !is_a_major_behind(model.processes[i])) continue;
    processes.push_back(static_cast<Index>(i));
    behind.evidence.add(model.processes[i].driver_at);
    behind.evidence.add(model.processes[i].version_at);
  }
  if (processes.empty()) return result;
  set_scope(model, std::move(processes), behind);
  behind.message = concat("The driver is of an older CUDA generation than NCCL was built for: CUDA calls fail",
                          versions_text(model, behind.processes));
  result.findings.push_back(std::move(behind));
  return result;
}

}  // namespace nccl_analyze::nca212
