// NCA311 reports hosts of one job with different numbers of NICs: the host with the fewest slows all others.

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "nccl_analyze/events/lists.h"
#include "nccl_analyze/events/nic.h"
#include "nccl_analyze/rule.h"
#include "nccl_analyze/rule_parts.h"
#include "queries/hosts.h"
#include "rules/findings.h"
#include "text/message_text.h"

namespace nccl_analyze::nca311 {

namespace {

/// NICs of one host that belong to the network in use, collected from all processes of the host.
struct HostNics {
  std::set<std::string> names;
  std::size_t ranks = 0;  ///< Number of distinct ranks; a host with fewer ranks may have fewer NICs.
  int last_rank = -1;
  Evidence evidence;
  const Process* heard = nullptr;  ///< Process whose list was added last. An equal list adds nothing and is skipped.
};

/// Cache of the last list that was parsed, because hosts of the same machine type print equal lists.
struct ReadList {
  Text list;
  std::set<std::string> names;
};

/// Adds the NICs from NCCL's lists of all NICs. Connections are ignored, because they show only the NICs in use.
void add_names(const Model& model, Index index, ReadList& last, HostNics& into) {
  const Process& process = model.processes[index];
  if (process.network.view().starts_with("IB")) {
    if (into.heard != nullptr && into.heard->ib_devices == process.ib_devices) return;
    into.heard = &process;
    if (last.list != process.ib_devices) {
      last = {process.ib_devices, {}};
      NicList nics(process.ib_devices);
      for (Nic nic; nics.next(nic);) last.names.insert(concat(nic.device, ":", nic.port));
    }
    if (into.names.empty())
      into.names = last.names;
    else
      into.names.insert(last.names.begin(), last.names.end());
    return;
  }
  const Host* host = model.host_of(index);
  if (host == nullptr || process.network == "Socket") return;
  for (const HostNic& nic : host->nics)
    if (nic.gdr >= 0 && process.network == std::string_view(nic.network))
      into.names.insert(nic.name.empty() ? std::to_string(nic.index) : nic.name);
}

using Hosts = std::map<Index, HostNics>;

Hosts nics_of(const Model& model, const Communicator& comm) {
  Hosts hosts;
  ReadList last;
  for (const auto& [rank, process] : known_ranks(model, comm)) {
    if (process.host_index < 0 || process.network.empty()) continue;
    HostNics& host = hosts[process.host_index];
    add_names(model, rank.process, last, host);
    if (host.ranks == 0 || host.last_rank != rank.rank) ++host.ranks;
    host.last_rank = rank.rank;
    if (host.evidence.count == 0) host.evidence = evidence_at(process.network_at);
  }
  std::erase_if(hosts, [](const auto& item) { return item.second.names.empty(); });
  return hosts;
}

/// Whether two hosts have equally many NICs, in total or per rank. A host with fewer ranks may have fewer NICs by
/// design.
bool are_alike(const HostNics& a, const HostNics& b) {
  return a.names.size() == b.names.size() || a.names.size() * b.ranks == b.names.size() * a.ranks;
}

struct Group {
  std::vector<std::string> hosts;
  Evidence evidence;
};

std::string network_of(const Model& model, const Communicator& comm) {
  for (const auto& [rank, process] : known_ranks(model, comm))
    if (!process.network.empty()) return excerpt(process.network, 40);
  return {};
}

std::string judge(const Model& model, const Communicator& comm, Finding& finding) {
  if (comm.parent >= 0 || comm.inferred || !spans_nodes(model, comm)) return {};
  const Hosts hosts = nics_of(model, comm);
  if (hosts.size() < 2) return {};
  const HostNics& first = hosts.begin()->second;
  if (std::ranges::all_of(hosts, [&](const auto& item) { return are_alike(first, item.second); })) return {};
  std::map<std::size_t, Group> groups;
  for (const auto& [place, nics] : hosts) {
    Group& group = groups[nics.names.size()];
    group.hosts.push_back(excerpt(model.hosts[place].name, 60));
    group.evidence.add(nics.evidence);
  }
  std::vector<std::string> parts;
  for (auto& [count, group] : groups) {  // Hosts with the fewest NICs come first.
    parts.push_back(concat(count_text(count, "NIC"), " on ", list_text(group.hosts)));
    finding.evidence.add(group.evidence);
  }
  finding.ranks = logged_ranks(comm);
  return concat("Hosts of one job show different numbers of NICs for the network ", network_of(model, comm), ": ",
                list_text(parts));
}

std::string stop_text(const Incident& incident) {
  if (!warns(incident.level)) return {};
  const auto& event = incident.event.as<NicCountsMismatched>();
  return concat("NCCL stops: ranks see different numbers of local NICs, from ", event.min, " to ", event.max);
}

/// Reports that NCCL stopped because ranks see different numbers of NICs, which NCCL 2.30.3 and later check. Since NCCL
/// prints no host names, the stop is merged into a finding that names the hosts, if one exists.
void add_stops(const Model& model, RuleResult& result) {
  for (Finding& stop : incident_findings(model, {IncidentKind::nic_counts_mismatched}, stop_text)) {
    if (result.findings.empty()) {
      stop.own_severity = Severity::error;
      result.findings.push_back(std::move(stop));
      continue;
    }
    Finding& known = result.findings.front();
    known.own_severity = Severity::error;
    known.message = concat(stop.message, ". ", known.message);
    stop.evidence.add(known.evidence);
    known.evidence = std::move(stop.evidence);
    known.incidents.insert(known.incidents.end(), stop.incidents.begin(), stop.incidents.end());
  }
}

}  // namespace

RuleResult check(const Model& model) {
  RuleResult result{each_communicator(model, judge)};
  add_stops(model, result);
  return result;
}

}  // namespace nccl_analyze::nca311
