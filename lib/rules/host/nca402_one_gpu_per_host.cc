// NCA402 reports jobs with one GPU per pod or host: NCCL then sends all traffic over the network.

#include "nccl_analyze/rule.h"
#include "nccl_analyze/rule_parts.h"
#include "queries/hosts.h"
#include "queries/nvlink.h"
#include "rules/findings.h"
#include "text/message_text.h"

namespace nccl_analyze::nca402 {

RuleResult check(const Model& model) {
  return {each_communicator(model, [&](const Communicator& comm, Finding& finding) -> std::string {
    if (comm.parent >= 0 || comm.nranks < 2 || comm.nnodes != comm.nranks) return {};
    std::string platform;
    for (const auto& [rank, process] : known_ranks(model, comm))
      if (platform.empty()) platform = process.platform;
    // NCA410 reports ranks that share a host although NCCL counts them as separate nodes.
    for (std::size_t r = 1; r < comm.ranks.size(); ++r)
      if (same_host(model, comm.ranks[r - 1], comm.ranks[r])) return {};
    if (has_nvlink(platform)) finding.values.emplace_back("why", "nvlink");
    const Rank* first = comm.ranks.empty() ? nullptr : &comm.ranks.front();
    finding.evidence = evidence_at(first != nullptr && first->started_at.line > 0 ? first->started_at : comm.first);
    finding.ranks = logged_ranks(comm);
    return concat(comm.nranks, " ranks are ", comm.nnodes,
                  " nodes for NCCL: one GPU per pod or host, every connection goes over the network",
                  when(!platform.empty(), " (instance ", excerpt(platform, 40), ")"),
                  has_nvlink(platform) ? "; the GPUs of such an instance are joined by NVLink, which is not used" : "");
  })};
}

}  // namespace nccl_analyze::nca402
