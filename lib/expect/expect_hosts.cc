// Judges the expectations of each host: GPUs, NICs, GPUDirect RDMA, NVLink.

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <set>
#include <tuple>
#include <utility>

#include "expect/expect.h"
#include "rules/support/evidence.h"
#include "rules/support/hosts.h"
#include "rules/support/message_text.h"
#include "rules/support/ranks.h"
#include "rules/support/search.h"

namespace nccl_analyze {

namespace {

/// A host with its processes that are ranks of a communicator.
struct Place {
  const Host* host = nullptr;
  std::vector<Index> processes;
  std::string network;  ///< Network name as in Host::nics; empty if unknown or if the processes use several.
  bool mixed = false;
};

std::vector<Place> places(const Model& model) {
  const std::vector<char> working = working_processes(model);
  std::vector<Place> all(model.hosts.size());
  for (std::size_t i = 0; i < model.processes.size(); ++i) {
    const Host* const host = model.host_of(static_cast<Index>(i));
    if (host == nullptr || working[i] == 0) continue;
    Place& place = all[static_cast<std::size_t>(host - model.hosts.data())];
    place.host = host;
    place.processes.push_back(static_cast<Index>(i));
    // InfiniBand plugins have names such as IBext_v8, but Host::nics lists their NICs under IB.
    const std::string_view told = model.processes[i].network;
    const std::string_view network = told.starts_with("IB") ? "IB" : told;
    if (network.empty() || network == place.network) continue;
    place.mixed = place.mixed || !place.network.empty();
    place.network = network;
  }
  std::erase_if(all, [](const Place& place) { return place.host == nullptr; });
  for (Place& place : all)
    if (place.mixed) place.network.clear();
  return all;
}

const Process& process_at(const Model& model, Index index) { return model.processes[index]; }

/// A count of things on a host. Unless `whole` is set, the count is a lower bound: the log may not show everything.
struct Amount {
  std::int64_t value = -1;  ///< -1 if the log shows nothing.
  bool whole = false;
  std::string noun;
  Evidence evidence;
};

/// A lower bound can prove `>` and `>=`, and disprove `=`, `<` and `<=`. Everything else stays unknown.
CheckStatus judge_amount(const Expectation& expected, const Amount& amount) {
  if (amount.value < 0) return CheckStatus::unknown;
  const bool fits = fits_number(expected, amount.value);
  if (amount.whole) return status_of(fits);
  switch (expected.comparison) {
    case Comparison::at_least:
    case Comparison::greater:
      return fits ? CheckStatus::pass : CheckStatus::unknown;
    case Comparison::equal: {
      Expectation above = expected;
      above.comparison = Comparison::at_least;
      const bool exceeds = std::all_of(expected.values.begin(), expected.values.end(), [&](const std::string& value) {
        above.values = {value};
        return fits_number(above, amount.value - 1);
      });
      return exceeds ? CheckStatus::fail : CheckStatus::unknown;
    }
    case Comparison::less:
    case Comparison::at_most:
      return fits ? CheckStatus::unknown : CheckStatus::fail;
    case Comparison::present:
    case Comparison::not_equal:
      break;
  }
  return CheckStatus::unknown;
}

template <class Measure>
ExpectationAnswer judge_amounts(const ExpectationCase& asked, Measure measure, const Silence& silence) {
  std::vector<Subject> subjects;
  for (const Place& place : places(asked.model)) {
    const Amount amount = measure(place);
    Subject& subject = subjects.emplace_back();
    subject.process = place.processes.front();
    subject.status = judge_amount(asked.expected, amount);
    subject.evidence = amount.evidence;
    if (amount.value >= 0)
      subject.value =
          concat(amount.whole ? "" : "at least ", count_text(static_cast<std::size_t>(amount.value), amount.noun));
  }
  return sum_up(asked, subjects, "host", silence);
}

bool is_fused(const HostNic& nic) { return contains(nic.name, "+"); }

/// Whether the log shows every NIC: a list of devices or a topology dump is complete, connections show only used NICs.
bool knows_all_nics(const Model& model, const Place& place, const std::vector<const HostNic*>& nics) {
  if (nics.empty()) return false;
  if (place.host->topology_at.line > 0) return true;
  if (place.network == "IB" || place.network == "Socket")
    return std::any_of(place.processes.begin(), place.processes.end(), [&](Index index) {
      const Process& process = process_at(model, index);
      return !(place.network == "IB" ? process.ib_devices : process.socket_devices).empty();
    });
  // Plugins print for every device whether GPUDirect RDMA is enabled (subsystem NET), which amounts to a complete list.
  return std::all_of(nics.begin(), nics.end(), [](const HostNic* nic) { return nic->gdr >= 0; });
}

/// Adds the first connection over each transport whose name begins with `transport`.
void add_connections(const Model& model, std::string_view transport, Evidence& evidence) {
  for (const Communicator& comm : model.communicators)
    for (std::size_t i = 0; i < comm.transport_evidence.size(); ++i)
      if (comm.transports[i].starts_with(transport) && !comm.transport_evidence[i].lines.empty())
        add_line(evidence, comm.transport_evidence[i].lines.front());
}

/// Adds the lines that show which network the processes of the host chose.
void add_choice(const Model& model, const Place& place, Evidence& evidence) {
  for (const Index index : place.processes) add_line(evidence, process_at(model, index).network_at);
}

/// Adds connections over this transport as evidence to a failed answer whose subjects have no lines of their own.
ExpectationAnswer proven_by(const Model& model, std::string_view transport, ExpectationAnswer answer) {
  if (answer.status == CheckStatus::fail && answer.evidence.count == 0)
    add_connections(model, transport, answer.evidence);
  return answer;
}

std::vector<const HostNic*> nics_of(const Place& place) {
  std::vector<const HostNic*> nics;
  for (const HostNic& nic : place.host->nics)
    if (nic.network == place.network && !is_fused(nic)) nics.push_back(&nic);
  return nics;
}

Amount count_nics(const Model& model, const Place& place) {
  const std::vector<const HostNic*> nics = nics_of(place);
  if (nics.empty() || place.network.empty()) return {};
  std::set<std::tuple<std::string_view, int, int>> different;
  for (const HostNic* nic : nics) different.insert({nic->name, nic->port, nic->name.empty() ? nic->index : -1});
  Amount amount{.value = static_cast<std::int64_t>(different.size()),
                .whole = knows_all_nics(model, place, nics),
                .noun = "NIC",
                .evidence = {}};
  if (place.host->topology_at.line > 0) amount.evidence = evidence_at(place.host->topology_at);
  if (place.network == "IB")
    for (const Index index : place.processes) add_line(amount.evidence, process_at(model, index).ib_at);
  if (amount.evidence.count == 0) add_choice(model, place, amount.evidence);
  return amount;
}

/// NICs that the connections of a process use, as a bit set of device numbers. `connected` is set once an algorithm is
/// connected, because all its connections are in the log by then.
struct NicUse {
  std::uint64_t nics = 0;
  bool connected = false;
};

std::vector<NicUse> nic_use(const Model& model) {
  std::vector<NicUse> uses(model.processes.size());
  for (const Communicator& comm : model.communicators) {
    for (const Rank& rank : comm.ranks) {
      if (process_of(model, rank.process) == nullptr) continue;
      NicUse& use = uses[static_cast<std::size_t>(rank.process)];
      use.nics |= rank.nics;
      use.connected = use.connected || rank.connected != 0;
    }
  }
  return uses;
}

bool has_every_rank(const Model& model) {
  const Communicator* const largest = largest_communicator(model);
  return largest != nullptr && largest->ranks.size() == static_cast<std::size_t>(largest->nranks);
}

Amount count_used(const Place& place, const std::vector<NicUse>& uses, bool every_rank) {
  std::uint64_t nics = 0;
  bool connected = every_rank;
  for (const Index index : place.processes) {
    nics |= uses[static_cast<std::size_t>(index)].nics;
    connected = connected && uses[static_cast<std::size_t>(index)].connected;
  }
  if (nics == 0) return {};
  std::set<std::pair<std::string_view, int>> named;  // A fused device has one number, but several NICs with names.
  for (const HostGpu& gpu : place.host->gpus)
    for (const Index at : gpu.nics)
      if (const HostNic& nic = place.host->nics[at]; nic.network == place.network && !is_fused(nic))
        named.insert({nic.name, nic.name.empty() ? nic.index : nic.port});
  const auto count = std::max<std::size_t>(static_cast<std::size_t>(std::popcount(nics)), named.size());
  return {.value = static_cast<std::int64_t>(count), .whole = connected, .noun = "NIC", .evidence = {}};
}

/// Judges `nics-used` without a number: the host must use all its NICs.
ExpectationAnswer judge_all_used(const ExpectationCase& asked) {
  const std::vector<NicUse> uses = nic_use(asked.model);
  const bool every_rank = has_every_rank(asked.model);
  std::vector<Subject> subjects;
  for (const Place& place : places(asked.model)) {
    const Amount all = count_nics(asked.model, place);
    const Amount used = count_used(place, uses, every_rank);
    Subject& subject = subjects.emplace_back();
    subject.process = place.processes.front();
    if (used.value < 0) continue;
    subject.value = concat(used.value, all.value >= used.value && all.whole ? concat(" of ", all.value) : "", " NICs");
    if (!all.whole) continue;
    if (used.value >= all.value)
      subject.status = CheckStatus::pass;
    else if (used.whole)
      subject.status = CheckStatus::fail;
  }
  return proven_by(
      asked.model, "NET/",
      sum_up(asked, subjects, "host",
             {"no connection over the network is in the log", "connections are made when the first collective runs"}));
}

bool on_one_node(const Model& model, const Communicator& comm, const Rank& a, const Rank& b) {
  if (a.node < 0 || b.node < 0) return same_host(model, a, b);
  return a.node == b.node && !comm.nodes[a.node].inferred;
}

/// Signs of NVLink in the connections between GPUs of one node, kept for the sending rank's process.
struct LinkUse {
  bool over_nvlink = false;  ///< NCCL printed `/read`, which it does for A100s connected by NVLink.
  std::string detour;        ///< Transport that bypasses NVLink, SHM or a network; empty if there is none.
};

std::vector<LinkUse> link_use(const Model& model) {
  std::vector<LinkUse> uses(model.processes.size());
  for (const Communicator& comm : model.communicators) {
    for (const ConnectionGroup& group : comm.connections.groups()) {
      const Rank* const from = find_rank(comm, group.from);
      const Rank* const to = find_rank(comm, group.to);
      if (from == nullptr || to == nullptr || process_of(model, from->process) == nullptr) continue;
      LinkUse& use = uses[static_cast<std::size_t>(from->process)];
      use.over_nvlink = use.over_nvlink || group.read;
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
    const Process& process = process_at(model, index);
    evidence.add(process.gdr().disabled);
    evidence.add(process.gdr().unable_nics);
  }
  // Only sockets prove the absence of GPUDirect RDMA; any other network may have it.
  if (evidence.count == 0 && place.network == "Socket") add_choice(model, place, evidence);
  return evidence;
}

}  // namespace

ExpectationAnswer judge_gpus(const ExpectationCase& asked) {
  const Communicator* const largest = largest_communicator(asked.model);
  if (largest == nullptr) return unknown("no line tells the ranks of a communicator");
  const bool every_rank = has_every_rank(asked.model);
  std::vector<int> told(asked.model.processes.size(), -1);
  std::vector<LineRef> started(told.size());
  for (const Rank& rank : largest->ranks) {
    if (process_of(asked.model, rank.process) == nullptr) continue;
    const auto process = static_cast<std::size_t>(rank.process);
    told[process] = std::max(told[process], rank.local_ranks);
    started[process] = rank.started_at;
  }
  std::vector<std::set<Index>> used(asked.model.hosts.size());
  for (const GpuUse& use : gpu_uses(asked.model)) used[static_cast<std::size_t>(use.host)].insert(use.gpu);
  const auto measure = [&](const Place& place) {
    Amount amount{.value = -1, .whole = true, .noun = "GPU", .evidence = {}};
    for (const Index index : place.processes) {
      amount.value = std::max<std::int64_t>(amount.value, told[static_cast<std::size_t>(index)]);
      add_line(amount.evidence, started[static_cast<std::size_t>(index)]);
    }
    if (amount.value > 0) return amount;
    const auto count = used[static_cast<std::size_t>(place.host - asked.model.hosts.data())].size();
    amount.value = count == 0 ? -1 : static_cast<std::int64_t>(count);
    amount.whole = every_rank;
    return amount;
  };
  return judge_amounts(asked, measure, {"no line tells the GPUs"});
}

ExpectationAnswer judge_nics(const ExpectationCase& asked) {
  return judge_amounts(asked, [&](const Place& place) { return count_nics(asked.model, place); },
                       {"no line lists the NICs of the network", "NCCL_DEBUG_SUBSYS=INIT,NET,GRAPH prints them"});
}

ExpectationAnswer judge_nics_used(const ExpectationCase& asked) {
  if (asked.expected.comparison == Comparison::present) return judge_all_used(asked);
  const std::vector<NicUse> uses = nic_use(asked.model);
  const bool every_rank = has_every_rank(asked.model);
  return proven_by(asked.model, "NET/",
                   judge_amounts(asked, [&](const Place& place) { return count_used(place, uses, every_rank); },
                                 {"no connection over the network is in the log",
                                  "connections are made when the first collective runs"}));
}

ExpectationAnswer judge_nic_speed(const ExpectationCase& asked) {
  std::vector<Subject> subjects;
  for (const Place& place : places(asked.model)) {
    std::set<int> speeds;  // In Mbit/s.
    for (const HostNic* nic : nics_of(place))
      if (nic->speed > 0) speeds.insert(nic->speed);
    Subject& subject = subjects.emplace_back();
    subject.process = place.processes.front();
    subject.evidence = count_nics(asked.model, place).evidence;
    if (speeds.empty()) continue;
    const auto fits = [&](int speed) { return fits_number(asked.expected, speed / 1000); };
    const bool all = std::all_of(speeds.begin(), speeds.end(), fits);
    subject.status = status_of(all);
    subject.value = concat(*speeds.begin() / 1000, " Gbit/s");
    if (speeds.size() > 1) subject.value = concat(*speeds.begin() / 1000, " to ", *speeds.rbegin() / 1000, " Gbit/s");
  }
  return sum_up(asked, subjects, "host",
                {"no line tells the speed of the NICs", "NCCL 2.27.3+ prints it with NCCL_DEBUG_SUBSYS=INIT,NET"});
}

ExpectationAnswer judge_nvlink(const ExpectationCase& asked) {
  const std::vector<LinkUse> uses = link_use(asked.model);
  const std::vector<int> nvls = nvls_channels(asked.model);
  std::vector<Subject> subjects;
  for (const Place& place : places(asked.model)) subjects.push_back(nvlink_of(asked.model, place, uses, nvls));
  return sum_up(asked, subjects, "host", {"no line tells of NVLink", "NCCL_DEBUG_SUBSYS=INIT,GRAPH prints it"});
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
  return proven_by(
      asked.model, "NET/",
      sum_up(asked, subjects, "host",
             {"no connection over the network is in the log", "connections are made when the first collective runs"}));
}

}  // namespace nccl_analyze
