// NCA102 reports communicators whose first lines (version, settings, network, Init START) are not in the input.

#include <algorithm>

#include "nccl_analyze/rule.h"
#include "nccl_analyze/rule_parts.h"
#include "rules/findings.h"
#include "text/message_text.h"

namespace nccl_analyze::nca102 {

namespace {

/// Whether the input has the head of an inferred communicator's log. NCCL before 2.18.3 prints no Init START, so the
/// version, bootstrap and network lines of a process are accepted as proof.
bool has_head(const Model& model, const Communicator& comm) {
  return std::ranges::any_of(comm.ranks, [&](const Rank& rank) {
    const Process* const process = process_of(model, rank.process);
    return process != nullptr &&
           (!process->version.empty() || process->bootstrap_at.line != 0 || process->network_at.line != 0);
  });
}

/// Lists what this input lacks because NCCL prints it at the start of a communicator.
std::string missing_text(const Model& model, const Communicator& comm, bool is_size_shown) {
  const bool has_settings = std::ranges::any_of(model.processes, [](const Process& one) { return !one.env.empty(); });
  const bool has_network =
      std::ranges::any_of(comm.transports, [](const auto& one) { return one.starts_with("NET/"); });
  std::vector<std::string> missing{"NCCL's version", has_settings ? "some of its settings" : "the settings"};
  if (!has_network) missing.emplace_back("the choice of the network");
  if (!is_size_shown) missing.emplace_back("the number of ranks");
  missing.emplace_back("the identity of the communicator");
  return list_text(missing, missing.size());
}

}  // namespace

RuleResult check(const Model& model) {
  // The lines of an inferred communicator may belong to a communicator whose size other lines show.
  const bool is_size_shown =
      std::ranges::any_of(model.communicators, [](const Communicator& comm) { return comm.nranks > 0; });
  return {each_communicator(model, [&](const Communicator& comm, Finding& finding) -> std::string {
    if (!comm.inferred || comm.first.line == 0 || has_head(model, comm)) return {};
    finding.evidence = evidence_at(comm.first);
    finding.ranks = logged_ranks(comm);
    return concat("This input has lines of a communicator, but not those that start it: ",
                  missing_text(model, comm, is_size_shown), " are not shown");
  })};
}

}  // namespace nccl_analyze::nca102
