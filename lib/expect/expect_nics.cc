// Judges the NICs of each host: how many it has, how many its connections use, how fast they are.

#include <algorithm>
#include <bit>
#include <set>
#include <tuple>
#include <utility>

#include "expect/places.h"
#include "nccl_analyze/rule_parts.h"
#include "queries/ranks.h"
#include "text/message_text.h"
#include "text/search.h"

namespace nccl_analyze {

namespace {

bool is_fused(const HostNic& nic) { return contains(nic.name, "+"); }

/// Whether `nics` are all NICs of the host in its network. Lists of devices and topology dumps show all NICs;
/// connections show only the NICs that they use.
bool knows_all_nics(const Model& model, const Place& place, const std::vector<const HostNic*>& nics) {
  if (nics.empty()) return false;
  if (place.host->topology_at.line > 0) return true;
  if (place.network == "IB" || place.network == "Socket")
    return std::any_of(place.processes.begin(), place.processes.end(), [&](Index index) {
      const Process& process = model.processes[index];
      return !(place.network == "IB" ? process.ib_devices : process.socket_devices).empty();
    });
  // With subsystem NET, plugins print for every device whether it supports GPUDirect RDMA: a complete list of devices.
  return std::all_of(nics.begin(), nics.end(), [](const HostNic* nic) { return nic->gdr >= 0; });
}

std::vector<const HostNic*> nics_of(const Place& place) {
  std::vector<const HostNic*> nics;
  for (const HostNic& nic : place.host->nics)
    if (nic.network == place.network && !is_fused(nic)) nics.push_back(&nic);
  return nics;
}

DeviceCount count_nics(const Model& model, const Place& place) {
  const std::vector<const HostNic*> nics = nics_of(place);
  if (nics.empty() || place.network.empty()) return {};
  std::set<std::tuple<std::string_view, int, int>> different;
  for (const HostNic* nic : nics) different.insert({nic->name, nic->port, nic->name.empty() ? nic->index : -1});
  DeviceCount amount{.value = static_cast<std::int64_t>(different.size()),
                     .whole = knows_all_nics(model, place, nics),
                     .noun = "NIC",
                     .evidence = {}};
  if (place.host->topology_at.line > 0) amount.evidence = evidence_at(place.host->topology_at);
  if (place.network == "IB")
    for (const Index index : place.processes) add_line(amount.evidence, model.processes[index].ib_at);
  if (amount.evidence.count == 0) add_choice(model, place, amount.evidence);
  return amount;
}

/// The NICs that the connections of a process use, as a bit set of device numbers. `connected`: a line shows that an
/// algorithm was connected, so that the log has all connections of that algorithm.
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

DeviceCount count_used(const Place& place, const std::vector<NicUse>& uses, bool every_rank) {
  std::uint64_t nics = 0;
  bool connected = every_rank;
  for (const Index index : place.processes) {
    nics |= uses[static_cast<std::size_t>(index)].nics;
    connected = connected && uses[static_cast<std::size_t>(index)].connected;
  }
  if (nics == 0) return {};
  std::set<std::pair<std::string_view, int>>
      named;  // A fused device has one number but consists of several named NICs.
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
    const DeviceCount all = count_nics(asked.model, place);
    const DeviceCount used = count_used(place, uses, every_rank);
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
  return with_connections_as_evidence(
      asked.model, "NET/",
      sum_up(asked, std::move(subjects), "host",
             {"no connection over the network is in the log", "connections are made when the first collective runs"}));
}

}  // namespace

ExpectationAnswer judge_nics(const ExpectationCase& asked) {
  return judge_device_counts(asked, [&](const Place& place) { return count_nics(asked.model, place); },
                             {"no line lists the NICs of the network", "NCCL_DEBUG_SUBSYS=INIT,NET,GRAPH prints them"});
}

ExpectationAnswer judge_nics_used(const ExpectationCase& asked) {
  if (asked.expected.comparison == Comparison::present) return judge_all_used(asked);
  const std::vector<NicUse> uses = nic_use(asked.model);
  const bool every_rank = has_every_rank(asked.model);
  return with_connections_as_evidence(
      asked.model, "NET/",
      judge_device_counts(
          asked, [&](const Place& place) { return count_used(place, uses, every_rank); },
          {"no connection over the network is in the log", "connections are made when the first collective runs"}));
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
  return sum_up(asked, std::move(subjects), "host",
                {"no line tells the speed of the NICs", "NCCL 2.27.3+ prints it with NCCL_DEBUG_SUBSYS=INIT,NET"});
}

}  // namespace nccl_analyze
