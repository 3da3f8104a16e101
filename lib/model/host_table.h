#pragma once
// A table of hosts by name, and functions that merge the NICs of a host.

#include <string>
#include <string_view>

#include "model/flat_tables.h"
#include "nccl_analyze/containers.h"
#include "nccl_analyze/model.h"

namespace nccl_analyze::builder {

/// Merges `nic` into the host's NICs of the same network and name, and of the same port unless one port is unknown. If
/// one of the NICs has no name, compares the index instead. Adds the NIC if there is none; false if the host has too
/// many.
bool merge_nic(Host& host, const HostNic& nic);

/// Returns the network under which Host::nics lists the NICs of the network `name`: `IB` for the SHARP plugin
/// (`IBext_v8`), which uses the devices of NCCL's InfiniBand network; `name` itself for any other network.
std::string_view device_list_of(std::string_view name);

/// The names that identify a host.
struct HostNames {
  Text name, pod, container;
  friend bool operator==(const HostNames&, const HostNames&) = default;
};

/// Maps the names of hosts to indices, in order of insertion.
class HostTable {
 public:
  /// Returns the index of the host; -1 if the host is not in the table.
  Index find(const HostNames& host) const;
  Index find_or_add(const HostNames& host);
  const Table<HostNames>& hosts() const { return hosts_; }

 private:
  Table<HostNames> hosts_;
  IndexTable index_;
};

}  // namespace nccl_analyze::builder
