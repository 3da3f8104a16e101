// NCA310 reports ranks of one communicator on different networks: they cannot connect to each other.

#include <utility>

#include "nccl_analyze/rule.h"
#include "rules/support/evidence.h"
#include "rules/support/hosts.h"
#include "rules/support/message_groups.h"
#include "rules/support/message_text.h"
#include "rules/support/ranks.h"

namespace nccl_analyze::nca310 {

namespace {

struct Group {
  std::vector<int> ranks;
  Evidence evidence;
};

Verdict check(const Model& model) {
  Verdict verdict;
  for (std::size_t i = 0; i < model.communicators.size(); ++i) {
    const Communicator& comm = model.communicators[i];
    if (comm.parent >= 0 || !spans_nodes(model, comm)) continue;
    MessageGroups<Group> groups;
    for (const Rank& rank : comm.ranks) {
      const Process* process = process_of(model, rank.process);
      if (process == nullptr || process->network.empty()) continue;
      Group& group = groups.of(process->network, [&] { return process->network.str(); });
      group.ranks.push_back(rank.rank);
      add_line(group.evidence, process->network_at);
    }
    if (groups.size() < 2) continue;
    Finding& finding = verdict.findings.emplace_back();
    std::vector<std::string> parts;
    for (auto& [network, group] : groups) {
      parts.push_back(concat(excerpt(network, 40), " on ", ranks_text(group.ranks)));
      finding.evidence.add(group.evidence);
      finding.ranks.insert(finding.ranks.end(), group.ranks.begin(), group.ranks.end());
    }
    finding.message = concat("The ranks chose different networks: ", list_text(parts));
    finding.communicators = {static_cast<Index>(i)};
  }
  return verdict;
}

constexpr std::string_view causes[] = {"net-plugin-failed", "ib-no-device"};

}  // namespace

extern constinit const Rule rule{
    {.id = "NCA310",
     .name = "network-differs",
     .severity = Severity::error,
     .stage = Stage::performance,
     .check = "network",
     .explained_by = causes,
     .title = "Ranks of one communicator use different networks",
     .explanation =
         R"(Each process chooses its network by itself. A rank on sockets cannot talk to a rank on InfiniBand or
EFA: the job hangs or fails when the first channel between them is connected. Somewhere a device, a plugin or a
setting is missing, on the ranks with the slower network.)",
     .fix =
         R"(1. Compare the two kinds of node: the same image, the same resource limits (`vpc.amazonaws.com/efa`,
   `rdma/...`), the same `NCCL_*` environment, the same driver.
2. On the ranks that took `Socket`, read the lines before `Using network`: they say why the other network was
   not taken.
3. Cordon the node when its adapter is gone: `ibv_devinfo`, `fi_info -p efa`, `dmesg`.
4. Set `NCCL_NET` to the wanted network on all ranks: the broken node then fails at once and by name.)"},
    check};

}  // namespace nccl_analyze::nca310
