// NCA402 reports jobs with one GPU per pod or host: NCCL then sends all traffic over the network.

#include <utility>

#include "nccl_analyze/rule.h"
#include "nccl_analyze/rule_parts.h"
#include "queries/hosts.h"
#include "queries/nvlink.h"
#include "queries/ranks.h"
#include "text/message_text.h"

namespace nccl_analyze::nca402 {

namespace {

RuleResult check(const Model& model) {
  RuleResult result;
  for (std::size_t i = 0; i < model.communicators.size(); ++i) {
    const Communicator& comm = model.communicators[i];
    if (comm.parent >= 0 || comm.nranks < 2 || comm.nnodes != comm.nranks) continue;
    bool on_one_host = false;
    std::string platform;
    for (const Rank& rank : comm.ranks)
      if (const Process* process = process_of(model, rank.process); process != nullptr && platform.empty())
        platform = process->platform;
    // NCA410 reports ranks that share a host although NCCL counts them as separate nodes.
    for (std::size_t r = 1; r < comm.ranks.size(); ++r)
      on_one_host |= same_host(model, comm.ranks[r - 1], comm.ranks[r]);
    if (on_one_host) continue;
    Finding& finding = result.findings.emplace_back();
    finding.message = concat(comm.nranks, " ranks are ", comm.nnodes,
                             " nodes for NCCL: one GPU per pod or host, every connection goes over the network");
    if (!platform.empty()) finding.message += concat(" (instance ", excerpt(platform, 40), ")");
    if (has_nvlink(platform)) {
      finding.message += "; the GPUs of such an instance are joined by NVLink, which is not used";
      finding.values.emplace_back("why", "nvlink");
    }
    const Rank* first = comm.ranks.empty() ? nullptr : &comm.ranks.front();
    finding.evidence = evidence_at(first != nullptr && first->started_at.line > 0 ? first->started_at : comm.first);
    finding.communicators = {static_cast<Index>(i)};
    finding.ranks = logged_ranks(comm);
  }
  return result;
}

}  // namespace

extern constinit const RuleWords words;

extern constinit const Rule rule{{.id = "NCA402",
                                  .name = "one-gpu-per-host",
                                  .severity = Severity::info,
                                  .stage = Stage::performance,
                                  .words = &words},
                                 check};

}  // namespace nccl_analyze::nca402
