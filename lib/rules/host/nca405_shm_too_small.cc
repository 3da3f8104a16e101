// NCA405 reports shared memory files that NCCL could not create, mostly because /dev/shm is too small.

#include <algorithm>
#include <cstdlib>

#include "nccl_analyze/rule.h"
#include "rules/findings.h"
#include "rules/support/pods.h"
#include "text/message_text.h"

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

}  // namespace

RuleResult check(const Model& model) {
  RuleResult result{topic_findings(model, "shm-too-small", message_of)};
  join_repeated(result.findings);
  for (Finding& finding : result.findings) {
    if (finding.ranks.size() >= finding.processes.size()) name_ranks(finding);
    add_lack(lacks_shm(model, finding.processes), finding);
  }
  return result;
}

}  // namespace nccl_analyze::nca405
