// NCA103 reports logs with too little detail to judge the job: no INFO lines, or no lines of the subsystem INIT.

#include <algorithm>

#include "model/versions.h"
#include "nccl_analyze/rule.h"
#include "nccl_analyze/rule_parts.h"
#include "text/message_text.h"

namespace nccl_analyze::nca103 {

namespace {

constexpr std::string_view recommended = "NCCL_DEBUG=INFO NCCL_DEBUG_SUBSYS=INIT,BOOTSTRAP,ENV,GRAPH,NET";

std::uint64_t nccl_lines(const Model& model) {
  std::uint64_t lines = 0;
  for (const Source& source : model.sources) lines += source.stats.nccl_lines;
  return lines;
}

/// Whether at least half of the NCCL lines of some source lost their prefixes. INIT lines may then be in the input
/// without being recognised.
bool lacks_prefixes(const Model& model) {
  return std::ranges::any_of(model.sources, [](const Source& source) {
    return source.stats.malformed > 0 && source.stats.malformed * 2 >= source.stats.nccl_lines;
  });
}

/// Whether a line of the subsystem INIT is here, so that the level is not too low: `Using network`, `NVLS multicast
/// support`, `cudaDriverVersion`, `Bootstrap : Using` (init.cc, nvls.cc, bootstrap.cc).
bool shows_init(const Process& process) {
  // Since 2.23 `Bootstrap : Using` belongs to the subsystem BOOTSTRAP.
  const bool is_old = !process.version.empty() && lower_version(process.version.view(), "2.23");
  return process.init_seen || !process.network.empty() || process.nvls >= 0 || process.driver >= 0 ||
         (is_old && process.bootstrap_at.line > 0);
}

/// Whether the input has lines from the setup or the work of a communicator.
bool shows_work(const Model& model) {
  return !model.unnamed_calls.empty() || std::ranges::any_of(model.processes, [](const Process& process) {
    return process.progress.line > 0 || process.setup_seen;
  });
}

/// Whether the input has a line that starts a communicator without naming it, as NCCL up to 2.4 prints.
bool shows_start(const Model& model) {
  return std::ranges::any_of(model.processes, [](const Process& process) { return process.announced_ranks > 0; });
}

std::string why_no_info(const Model& model) {
  const bool warned = std::ranges::any_of(model.incidents, [](const Incident& one) { return warns(one.level); });
  return concat("No line of the level INFO is in this input: NCCL_DEBUG was ",
                nccl_lines(model) == 0 ? "unset, VERSION or WARN"
                : warned               ? "WARN"
                                       : "WARN or VERSION",
                ", or these lines are an excerpt");
}

/// Describes what is missing, and the reasons that are possible by the other lines of the input.
std::string why(const Model& model, bool info_seen, bool init_seen) {
  if (!info_seen) return why_no_info(model);
  if (model.dropped > 0)
    return "No communicator of this input is kept: lines that start one are missing, or a limit of this program leaves "
           "them out (facts left out: " +
           std::to_string(model.dropped) + "), as it does a damaged line that claims 2,000,000,000 ranks";
  if (shows_start(model))
    return "A communicator begins in this input; the lines that name it and its connections are not here";
  const std::string_view none = "No line of this input starts a communicator";
  if (shows_work(model))
    return concat(none, ", though some come from one: these lines are an excerpt",
                  init_seen ? "" : ", or the subsystem INIT was off");
  if (init_seen) return concat(none, ", though the subsystem INIT was on");
  if (lacks_prefixes(model))
    return "No recognised line of this input starts a communicator; most lines have lost their prefixes, without which "
           "not all are recognised";
  return concat(none, ": the subsystem INIT was off, or the lines that start one are not here");
}

std::string what_is_missing(const Model& model) {
  const bool has_network =
      std::ranges::any_of(model.processes, [](const Process& process) { return !process.network.empty(); });
  return concat("the communicators", has_network ? " and their" : ", their networks and",
                " transports are not in the log");
}

}  // namespace

RuleResult check(const Model& model) {
  RuleResult result;
  if (model.processes.empty() && nccl_lines(model) == 0) return result;
  const bool info_seen = std::ranges::any_of(model.processes, [](const Process& process) { return process.info_seen; });
  if (info_seen && !model.communicators.empty()) return result;
  const bool init_seen = std::ranges::any_of(model.processes, shows_init);

  LineRef first;
  for (const Process& process : model.processes)
    if (first.line == 0 || (process.first.line > 0 && process.first < first)) first = process.first;
  result.not_evaluated.push_back(
      {"", what_is_missing(model), std::string(init_seen ? "the whole log of every rank" : recommended)});
  if (first.line == 0) return result;  // The input has only version lines, which belong to no process.
  Finding& finding = result.findings.emplace_back();
  finding.message = why(model, info_seen, init_seen);
  finding.evidence = evidence_at(first);
  return result;
}

}  // namespace nccl_analyze::nca103
