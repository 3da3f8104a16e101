// NCA103 reports logs with too little detail to judge the job: no INFO lines, or no lines of the subsystem INIT.

#include <algorithm>

#include "model/versions.h"
#include "nccl_analyze/rule.h"
#include "nccl_analyze/rule_parts.h"
#include "rules/support/failure.h"

namespace nccl_analyze::nca103 {

namespace {

constexpr std::string_view recommended = "NCCL_DEBUG=INFO NCCL_DEBUG_SUBSYS=INIT,BOOTSTRAP,ENV,GRAPH,NET";

std::uint64_t nccl_lines(const Model& model) {
  std::uint64_t lines = 0;
  for (const Source& source : model.sources) lines += source.stats.nccl_lines;
  return lines;
}

/// Whether a line of the subsystem INIT is here, so that the level is not too low: `Using network`, `NVLS multicast
/// support`, `cudaDriverVersion`, `Bootstrap : Using` (init.cc, nvls.cc, bootstrap.cc).
bool shows_init(const Process& process) {
  // Since 2.23 `Bootstrap : Using` belongs to the subsystem BOOTSTRAP.
  const bool is_old = !process.version.empty() && lower_version(process.version.view(), "2.23");
  return !process.network.empty() || process.nvls >= 0 || process.driver >= 0 ||
         (is_old && process.bootstrap_at.line > 0);
}

/// Whether lines of a communicator are here, whose start is not.
bool shows_work(const Model& model) {
  return !model.unnamed_calls.empty() || std::any_of(model.processes.begin(), model.processes.end(),
                                                     [](const Process& process) { return process.progress.line > 0; });
}

std::string why(const Model& model, bool info_seen, bool init_seen) {
  if (!info_seen && std::ranges::any_of(model.incidents, [](const Incident& one) { return warns(one.level); }))
    return "No line of the level INFO is in this input: NCCL_DEBUG was WARN, or these lines are an excerpt";
  if (!info_seen)
    return "No line of the level INFO is in this input: NCCL_DEBUG was WARN or VERSION, or these lines are an excerpt";
  if (model.dropped == 0 && shows_work(model))
    return "No line of this input starts a communicator, though some come from one: these lines are an excerpt, or the "
           "subsystem INIT was off";
  if (model.dropped == 0 && init_seen)
    return "No line of this input starts a communicator: the log ends before the first one, or these lines are an "
           "excerpt";
  if (model.dropped == 0)
    return "No line of this input starts a communicator: the subsystem INIT was off, or the log ends before the first "
           "communicator, or these lines are an excerpt";
  return "No communicator of this input is kept: lines that start one are missing, or a limit of this program leaves "
         "them out (facts left out: " +
         std::to_string(model.dropped) + "), as it does a damaged line that claims 2,000,000,000 ranks";
}

RuleResult check(const Model& model) {
  RuleResult verdict;
  if (model.processes.empty() && nccl_lines(model) == 0) return verdict;
  const bool info_seen = std::any_of(model.processes.begin(), model.processes.end(),
                                     [](const Process& process) { return process.info_seen; });
  if (info_seen && !model.communicators.empty()) return verdict;
  const bool init_seen = std::any_of(model.processes.begin(), model.processes.end(), shows_init);

  LineRef first;
  for (const Process& process : model.processes)
    if (first.line == 0 || (process.first.line > 0 && process.first < first)) first = process.first;
  verdict.not_evaluated.push_back({"", "the communicators, their networks and transports are not in the log",
                                   std::string(init_seen ? "the whole log of every rank" : recommended)});
  if (first.line == 0) return verdict;  // The input has only version lines, which belong to no process.
  Finding& finding = verdict.findings.emplace_back();
  finding.message = why(model, info_seen, init_seen);
  finding.evidence = evidence_at(first);
  return verdict;
}

}  // namespace

extern constinit const RuleWords words;

extern constinit const Rule rule{{.id = "NCA103",
                                  .name = "debug-level-too-low",
                                  .severity = Severity::info,
                                  .only_if_unexplained = true,
                                  .provisional = true,
                                  .words = &words},
                                 check};

}  // namespace nccl_analyze::nca103
