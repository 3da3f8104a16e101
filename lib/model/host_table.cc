#include "model/host_table.h"

#include <algorithm>
#include <utility>

namespace nccl_analyze::builder {

namespace {

constexpr std::size_t max_nics = 256;  // of one host

bool is_same(const HostNic& known, const HostNic& told) {
  if (known.network != told.network) return false;
  if (told.name.empty()) return known.index == told.index;
  return known.name == told.name && (known.port == told.port || known.port < 0 || told.port < 0);
}

void add_facts(HostNic& known, const HostNic& told) {
  if (known.index < 0) known.index = told.index;
  if (known.port < 0) known.port = told.port;
  if (known.link.empty()) known.link = told.link;
  if (told.speed >= 0) known.speed = told.speed;
  if (told.gdr >= 0) known.gdr = told.gdr;
  if (told.bandwidth <= 0) return;
  known.bandwidth = told.bandwidth;
  known.cpu = told.cpu;
  known.bus_id = told.bus_id;
  known.pci_switch = told.pci_switch;
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

bool merge_nic(Host& host, const HostNic& told) {
  bool known = false;
  for (HostNic& nic : host.nics) {
    if (!is_same(nic, told)) continue;
    add_facts(nic, told);
    known = true;
  }
  if (known) return true;
  const auto sibling = std::find_if(host.nics.begin(), host.nics.end(), [&](const HostNic& nic) {
    return nic.network == told.network && nic.index == told.index && told.index >= 0;
  });
  if (sibling != host.nics.end() && sibling->name.empty()) {
    sibling->name = told.name;
    add_facts(*sibling, told);
    return true;
  }
  if (host.nics.size() >= max_nics) return false;
  HostNic made = told;
  if (sibling != host.nics.end()) {  // merged ports: the dump shows one device
    made.bandwidth = sibling->bandwidth;
    made.cpu = sibling->cpu;
  }
  host.nics.push_back(std::move(made));
  return true;
}

std::string_view device_list_of(std::string_view name) { return name.starts_with("IB") ? "IB" : name; }

}  // namespace nccl_analyze::builder
