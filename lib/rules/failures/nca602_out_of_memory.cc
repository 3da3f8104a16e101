// NCA602 reports exhausted GPU or host memory, separately for NCCL's buffers and for the program's own allocations.

#include <algorithm>
#include <set>
#include <utility>

#include "nccl_analyze/events/external.h"
#include "nccl_analyze/events/fault.h"
#include "nccl_analyze/rule.h"
#include "rules/findings.h"
#include "rules/support/external_failures.h"
#include "rules/support/failure.h"
#include "rules/topics.h"
#include "text/message_text.h"
#include "text/search.h"

namespace nccl_analyze::nca602 {

namespace {

bool is_memory(const Incident& incident) {
  return is_about(incident, "out-of-memory") && warns(incident.level) && is_printed_by_nccl(incident);
}

/// Whether CUDA refused memory of the GPU.
bool is_on_device(const Incident& incident) {
  return incident.cuda_error != 0 ||
         one_of(incident.event.as<AllocationFailed>().what, {"CUDA malloc", "CUDA calloc", "CUDA calloc async"});
}

/// Whether NCCL asked CUDA for memory of the host, for a transport over shared memory (ncclCuMemHostAlloc, which
/// include/alloc.h has since 2.23.4).
bool is_host_by_cumem(const Model& model, const Incident& incident) {
  if (incident.cuda_error == 0 || !contains(incident.place, "alloc.h:") || incident.error_trace < 0) return false;
  const Incident& trail = model.incidents[static_cast<std::size_t>(incident.error_trace)];
  return contains(trail.event.as<ErrorPropagated>().file, "shm.cc") || contains(trail.place, "shm.cc");
}

/// Returns the processes with a CUDA error other than a lack of memory. Such an error makes every later allocation
/// fail.
std::set<Index> failed_otherwise(const Model& model) {
  constexpr int no_memory = 2;
  std::set<Index> processes;
  for (const Incident& incident : model.incidents)
    if (incident.kind == IncidentKind::cuda_failed && incident.cuda_error > 0 && incident.cuda_error != no_memory &&
        warns(incident.level) && !incident.survived && incident.process >= 0)
      processes.insert(incident.process);
  return processes;
}

/// Adds a finding for failed allocations of the program itself. NCCL errors that follow on other ranks are symptoms.
void add_program(const Model& model, RuleResult& result) {
  Finding finding = claimed(model, [&](const Incident& incident) {
    const bool own = incident.kind == IncidentKind::program_raised && incident.topic == "out-of-memory";
    return own && stage_of_end(model, incident) == Stage::program;
  });
  if (finding.evidence.count == 0) return;
  std::set<int> named;
  for (const Index index : finding.incidents)
    if (model.incidents[index].rank >= 0) named.insert(model.incidents[index].rank);
  // The ranks that the program names take precedence over the ranks of the processes in the input.
  if (!named.empty() && !std::ranges::equal(named, finding.ranks)) {
    finding.ranks.assign(named.begin(), named.end());
    finding.processes.clear();
    finding.communicators.clear();
  }
  const Incident& first = model.incidents[finding.incidents.front()];
  finding.message =
      concat("The program itself ran out of memory", when(!finding.ranks.empty(), " on ", ranks_text(finding.ranks)),
             ": ", excerpt(concat(first.event.as<ProgramRaised>().exception, ": ", first.error), 160));
  result.findings.push_back(std::move(finding));
}

/// Returns the purpose of the memory: `kernels` where CUDA loads them, `buffers` where NCCL allocates; empty if
/// unknown.
std::string_view use_of(const Incident& incident) {
  if (contains(incident.place, "enqueue")) return "kernels";
  return contains(incident.place, "alloc") || incident.event.as<AllocationFailed>().bytes > 0 ? "buffers" : "";
}

std::string_view use_text(std::string_view use) {
  if (use == "kernels") return "CUDA could not load NCCL's kernels";
  return use == "buffers" ? "NCCL could not allocate its buffers" : "NCCL could not get what it needs";
}

/// The failed allocations of NCCL, in one finding, because CUDA and NCCL may both report the same failure.
struct Shortage : ProcessGroup {
  bool on_device = false, by_cumem = false, went_on = true;
  bool has_reason = false;  ///< Whether a warning says that memory was lacking; false if warnings give only sizes.
  bool refused = true;      ///< Whether only connections from outside NCCL asked for memory, and NCCL refused.
  std::string_view use;

  void add(const Model& model, const Incident& incident) {
    const bool is_of_host = is_host_by_cumem(model, incident);
    by_cumem |= is_of_host;
    on_device |= is_on_device(incident) && !is_of_host;
    has_reason |= !hides_cuda_error(incident);
    went_on &= incident.survived;
    refused &= incident.aspect == "stranger";
    const std::string_view found = use_of(incident);
    if (use.empty() || (use == "kernels" && !found.empty())) use = found;
    ProcessGroup::add(model, incident);
  }

  std::string what_failed(const std::string& where) const {
    if (!has_reason)
      return concat("NCCL could not allocate ", on_device ? "memory of the GPU" : "pinned memory of the host", where,
                    "; the warning that says why is not in this input, and mostly none is left");
    if (by_cumem && !on_device)
      return concat("CUDA gave NCCL no memory of the host", where,
                    ": NCCL could not allocate a buffer in shared memory");
    return concat(on_device ? "GPU memory is exhausted" : "Memory is exhausted", where, ": ", use_text(use));
  }

  Finding finish(const Model& model) {
    const std::vector<std::string> hosts = hosts_of(model, processes);
    Finding finding = finding_of(model, {}, std::move(*this));
    const std::string ranks = when(!finding.ranks.empty(), " on ", ranks_text(finding.ranks));
    finding.message = what_failed(ranks + when(!hosts.empty(), " (", list_text(hosts), ")"));
    finding.values = {{"use", std::string(use)}, {"memory", on_device ? "device" : by_cumem ? "cumem" : "host"}};
    if (!has_reason) finding.values.emplace_back("reason", "none");
    if (went_on) {
      finding.survived = true;
      finding.own_severity = Severity::info;
      finding.message = concat(
          "A call for memory failed", ranks,
          refused ? ": a connection that is none of NCCL's asked for it, and NCCL refused" : "; the process went on");
    }
    return finding;
  }
};

/// Adds the lines in which NCCL refuses the request of a connection from outside NCCL.
void add_refusals(const Model& model, Finding& finding) {
  finding.values.emplace_back("asked", "stranger");
  const auto is_refusal = [](const Incident& one) {
    return one.message.starts_with("[Rem Allocator] Allocation failed");
  };
  claim_all(model, is_refusal, finding);
}

}  // namespace

RuleResult check(const Model& model) {
  RuleResult result;
  add_program(model, result);
  Shortage shortage;
  const std::set<Index> others = failed_otherwise(model);
  for (const Incident& incident : model.incidents)
    if (is_memory(incident) && !(hides_cuda_error(incident) && others.contains(incident.process)))
      shortage.add(model, incident);
  if (shortage.evidence.count == 0) return result;
  result.findings.push_back(shortage.finish(model));
  if (shortage.refused) add_refusals(model, result.findings.back());
  return result;
}

}  // namespace nccl_analyze::nca602
