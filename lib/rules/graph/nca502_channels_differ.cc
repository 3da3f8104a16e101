// NCA502 reports ranks of one communicator with different numbers of channels, and communicators with far too few.

#include <algorithm>

#include "nccl_analyze/rule.h"
#include "nccl_analyze/rule_parts.h"
#include "queries/completeness.h"
#include "queries/nvlink.h"
#include "queries/settings.h"
#include "rules/findings.h"
#include "text/message_text.h"

namespace nccl_analyze::nca502 {

namespace {

/// A communicator with at most this many channels wastes NVSwitch, which has bandwidth for a dozen or more.
constexpr int few_channels = 4;

bool has_nvswitch(const Model& model, const Communicator& comm) {
  return std::ranges::all_of(comm.ranks, [&](const Rank& rank) {
    const Host* host = model.host_of(rank.process);
    const Process* process = process_of(model, rank.process);
    return process != nullptr && !goes_over_pcie(*process) &&
           (process->nvls == 1 || (host != nullptr && host->nvlink == Nvlink::switched));
  });
}

/// Returns the name of the setting that limits the communicator to its number of channels; empty if there is none. Adds
/// the line of the setting to `evidence`.
std::string_view limit_of(const Model& model, const Communicator& comm, Evidence& evidence) {
  const std::string limit = std::to_string(comm.channels);
  for (const auto& [rank, process] : known_ranks(model, comm))
    for (const std::string_view variable : {"NCCL_MAX_NCHANNELS", "NCCL_MAX_NRINGS", "NCCL_MAX_CTAS"})
      if (const EnvValue* set = setting(process, variable); set != nullptr && set->value == limit) {
        evidence.add(set->at);
        return variable;
      }
  return {};
}

/// Reports a single-node communicator on NVSwitch that a setting limits to few channels.
std::string few_text(const Model& model, const Communicator& comm, Finding& finding) {
  if (comm.inferred || comm.parent >= 0 || comm.nnodes != 1 || comm.nranks < 2 || comm.channel_counts.size() != 1 ||
      comm.channels < 1 || comm.channels > few_channels || comm.ranks.empty() || !has_nvswitch(model, comm))
    return {};
  finding.evidence = evidence_at(comm.channel_counts.front().first);
  const std::string_view limit = limit_of(model, comm, finding.evidence);
  if (limit.empty()) return {};  // The program may limit the channels itself (maxCTAs).
  finding.own_severity = Severity::warning;
  finding.values = {{"why", "few"}, {"var", std::string(limit)}, {"value", std::to_string(comm.channels)}};
  finding.ranks = logged_ranks(comm);
  return concat("NVSwitch joins the GPUs, which would feed a dozen channels or more, but ", limit, "=", comm.channels,
                " limits the communicator to ", comm.channels);
}

}  // namespace

RuleResult check(const Model& model) {
  return {each_communicator(model, [&](const Communicator& comm, Finding& finding) -> std::string {
    if (comm.channel_counts.size() < 2) return few_text(model, comm, finding);
    if (!has_unambiguous_lines(model, comm)) return {};
    std::vector<std::string> groups;
    for (const ChannelCount& count : comm.channel_counts) {
      std::vector<int> ranks;
      for (const Rank& rank : comm.ranks)
        if (rank.channels == count.channels) ranks.push_back(rank.rank);
      groups.push_back(concat(count.channels, " on ", ranks_text(ranks)));
      finding.evidence.add(count.first);
    }
    finding.ranks = logged_ranks(comm);
    return concat("Ranks of one communicator have different numbers of channels: ", list_text(groups));
  })};
}

}  // namespace nccl_analyze::nca502
