// Judges the GPUs of each host, and their NVLink and GPUDirect RDMA.

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "expect/places.h"
#include "nccl_analyze/rule_parts.h"
#include "queries/hosts.h"
#include "queries/nvlink.h"
#include "queries/ranks.h"
#include "text/message_text.h"
#include "text/search.h"

namespace nccl_analyze {

namespace {

bool on_one_node(const Model& model, const Communicator& comm, const Rank& a, const Rank& b) {
  if (a.node < 0 || b.node < 0) return same_host(model, a, b);
  return a.node == b.node && !comm.nodes[a.node].inferred;
}

/// What the sending connections of a process show about NVLink.
struct LinkUse {
  bool over_nvlink = false;  ///< A connection line has a `/read` that proves NVLink.
  std::string detour;  ///< The first transport other than P2P (SHM or a network) to a rank of the same node, which
                       ///< bypasses NVLink; empty if there is none.
};

std::vector<LinkUse> link_use(const Model& model) {
  std::vector<LinkUse> uses(model.processes.size());
  for (const Communicator& comm : model.communicators) {
    const bool proven = read_proves_nvlink(model, comm);
    for (const ConnectionGroup& group : comm.connections.groups()) {
      const Rank* const from = find_rank(comm, group.from);
      const Rank* const to = find_rank(comm, group.to);
      if (from == nullptr || to == nullptr || process_of(model, from->process) == nullptr) continue;
      LinkUse& use = uses[static_cast<std::size_t>(from->process)];
      use.over_nvlink = use.over_nvlink || (group.read && proven);
      const std::string& transport = comm.transports[group.transport];
      if (transport.starts_with("P2P/") || !on_one_node(model, comm, *from, *to)) continue;
      if (use.detour.empty()) use.detour = transport;
    }
  }
  return uses;
}

Subject nvlink_of(const Model& model, const Place& place, const std::vector<LinkUse>& uses,
                  const std::vector<int>& nvls) {
  constexpr std::array<std::string_view, 5> words{"", "no NVLink", "NVLink", "direct NVLink", "NVLink over NVSwitch"};
  Subject subject;
  subject.process = place.processes.front();
  subject.evidence = evidence_at(place.host->topology_at);
  subject.value = words[static_cast<std::size_t>(place.host->nvlink)];
  if (place.host->nvlink >= Nvlink::present) subject.status = CheckStatus::pass;
  if (place.host->nvlink == Nvlink::none) subject.status = CheckStatus::fail;
  for (const Index index : place.processes) {
    const LinkUse& use = uses[static_cast<std::size_t>(index)];
    const bool switched = nvls[static_cast<std::size_t>(index)] > 0;
    if (subject.status == CheckStatus::unknown && (use.over_nvlink || switched)) {
      subject.status = CheckStatus::pass;
      subject.value = words[static_cast<std::size_t>(switched ? Nvlink::switched : Nvlink::present)];
    }
    if (use.detour.empty()) continue;
    subject.status = CheckStatus::fail;
    subject.value += concat(subject.value.empty() ? "" : ", ", excerpt(use.detour, 40), " between its GPUs");
    subject.evidence = {};
    add_connections(model, use.detour, subject.evidence);
    return subject;
  }
  if (subject.status != CheckStatus::fail && place.host->gpus.size() > 1 && place.host->worst_path > PathType::nvb) {
    subject.status = CheckStatus::fail;
    subject.value +=
        concat(subject.value.empty() ? "" : ", ", "GPU paths as far as ", to_string(place.host->worst_path));
  }
  return subject;
}

Evidence gdr_evidence(const Model& model, const Place& place) {
  Evidence evidence;
  for (const Index index : place.processes) {
    const Process& process = model.processes[index];
    evidence.add(process.gdr().disabled);
    evidence.add(process.gdr().unable_nics);
  }
  // A choice of sockets proves that there is no GPUDirect RDMA. The choice of any other network proves nothing about
  // it.
  if (evidence.count == 0 && place.network == "Socket") add_choice(model, place, evidence);
  return evidence;
}

}  // namespace

ExpectationAnswer judge_gpus(const ExpectationCase& asked) {
  const Communicator* const largest = largest_communicator(asked.model);
  if (largest == nullptr) return unknown("no line tells the ranks of a communicator");
  const bool every_rank = has_every_rank(asked.model);
  std::vector<int> local_ranks(asked.model.processes.size(), -1);
  std::vector<LineRef> started(local_ranks.size());
  for (const Rank& rank : largest->ranks) {
    if (process_of(asked.model, rank.process) == nullptr) continue;
    const auto process = static_cast<std::size_t>(rank.process);
    local_ranks[process] = std::max(local_ranks[process], rank.local_ranks);
    started[process] = rank.started_at;
  }
  std::vector<std::set<Index>> used(asked.model.hosts.size());
  for (const GpuUse& use : gpu_uses(asked.model)) used[static_cast<std::size_t>(use.host)].insert(use.gpu);
  const auto measure = [&](const Place& place) {
    DeviceCount amount{.value = -1, .whole = true, .noun = "GPU", .evidence = {}};
    for (const Index index : place.processes) {
      amount.value = std::max<std::int64_t>(amount.value, local_ranks[static_cast<std::size_t>(index)]);
      add_line(amount.evidence, started[static_cast<std::size_t>(index)]);
    }
    if (amount.value > 0) return amount;
    const auto count = used[static_cast<std::size_t>(place.host - asked.model.hosts.data())].size();
    amount.value = count == 0 ? -1 : static_cast<std::int64_t>(count);
    amount.whole = every_rank;
    return amount;
  };
  return judge_device_counts(asked, measure, {"no line tells the GPUs"});
}

ExpectationAnswer judge_nvlink(const ExpectationCase& asked) {
  const std::vector<LinkUse> uses = link_use(asked.model);
  const std::vector<int> nvls = nvls_channels(asked.model);
  std::vector<Subject> subjects;
  for (const Place& place : places(asked.model)) subjects.push_back(nvlink_of(asked.model, place, uses, nvls));
  return sum_up(asked, std::move(subjects), "host",
                {"no line tells of NVLink", "NCCL_DEBUG_SUBSYS=INIT,GRAPH prints it"});
}

ExpectationAnswer judge_gdr(const ExpectationCase& asked) {
  const bool over_nodes = spans_nodes(asked.model);
  std::vector<Subject> subjects;
  for (const Place& place : places(asked.model)) {
    Subject& subject = subjects.emplace_back();
    subject.process = place.processes.front();
    subject.evidence = gdr_evidence(asked.model, place);
    const std::uint64_t ends = place.host->network_ends;
    const std::uint64_t direct = place.host->gdr_ends;
    if (ends > 0) {
      subject.status = status_of(direct == ends);
      subject.value = direct == ends ? "GPUDirect RDMA" : direct == 0 ? "no GPUDirect RDMA" : "GPUDirect RDMA in part";
    } else if (over_nodes && place.network == "Socket") {
      subject.status = CheckStatus::fail;
      subject.value = "sockets";
    }
  }
  return with_connections_as_evidence(
      asked.model, "NET/",
      sum_up(asked, std::move(subjects), "host",
             {"no connection over the network is in the log", "connections are made when the first collective runs"}));
}

}  // namespace nccl_analyze
