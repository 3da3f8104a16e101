#include "model/host_table.h"

#include <algorithm>
#include <utility>

namespace nccl_analyze::builder {

namespace {

constexpr std::size_t max_nics = 256;  // Limit for one host.

bool is_same(const HostNic& known, const HostNic& listed) {
  if (known.network != listed.network) return false;
  if (listed.name.empty()) return known.index == listed.index;
  return known.name == listed.name && (known.port == listed.port || known.port < 0 || listed.port < 0);
}

void add_facts(HostNic& known, const HostNic& listed) {
  if (known.index < 0) known.index = listed.index;
  if (known.port < 0) known.port = listed.port;
  if (known.link.empty()) known.link = listed.link;
  if (listed.speed >= 0) known.speed = listed.speed;
  if (listed.gdr >= 0) known.gdr = listed.gdr;
  if (listed.bandwidth <= 0) return;
  known.bandwidth = listed.bandwidth;
  known.cpu = listed.cpu;
  known.bus_id = listed.bus_id;
  known.pci_switch = listed.pci_switch;
  known.guid = listed.guid;
}

std::size_t host_hash(const HostNames& host) {
  return spread(hash_of(host.name) * 31 + hash_of(host.pod) * 17 + hash_of(host.container));
}

}  // namespace

Index HostTable::find(const HostNames& host) const {
  const Index* const known = index_.find(host_hash(host), [&](Index index) { return hosts_[index] == host; });
  return known == nullptr ? -1 : *known;
}

Index HostTable::find_or_add(const HostNames& host) {
  if (const Index known = find(host); known >= 0) return known;
  const auto number = static_cast<Index>(hosts_.size());
  hosts_.push_back(host);
  index_.add(number, host_hash(host), [&](Index index) { return host_hash(hosts_[index]); });
  return number;
}

bool merge_nic(Host& host, const HostNic& listed) {
  bool known = false;
  for (HostNic& nic : host.nics) {
    if (!is_same(nic, listed)) continue;
    add_facts(nic, listed);
    known = true;
  }
  if (known) return true;
  const auto sibling = std::find_if(host.nics.begin(), host.nics.end(), [&](const HostNic& nic) {
    return nic.network == listed.network && nic.index == listed.index && listed.index >= 0;
  });
  if (sibling != host.nics.end() && sibling->name.empty()) {
    sibling->name = listed.name;
    add_facts(*sibling, listed);
    return true;
  }
  if (host.nics.size() >= max_nics) return false;
  HostNic made = listed;
  if (sibling != host.nics.end()) {  // In the topology dump, a device with merged ports is one NIC.
    made.bandwidth = sibling->bandwidth;
    made.cpu = sibling->cpu;
  }
  host.nics.push_back(std::move(made));
  return true;
}

std::string_view device_list_of(std::string_view name) { return name.starts_with("IB") ? "IB" : name; }

}  // namespace nccl_analyze::builder
