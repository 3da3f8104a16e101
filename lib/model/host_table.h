#pragma once
// Hosts by their names, and the NICs of one host.

#include <string>
#include <string_view>

#include "model/flat_tables.h"
#include "nccl_analyze/containers.h"
#include "nccl_analyze/model.h"

namespace nccl_analyze::builder {

/// Adds facts of a NIC to the one of the same name, or of the same index where it has no name. False beyond the limit
/// of one host.
bool merge_nic(Host& host, const HostNic& nic);

/// The network whose list of devices `name` uses: the SHARP plugin (IBext_v8) and NCCL's own share theirs.
std::string_view device_list_of(std::string_view name);

/// What distinguishes hosts.
struct HostNames {
  Text name, pod, container;
  friend bool operator==(const HostNames&, const HostNames&) = default;
};

/// Hosts by their names, numbered as they come.
class HostTable {
 public:
  /// -1 when it is not there.
  Index find(const HostNames& host) const;
  Index find_or_add(const HostNames& host);
  const Table<HostNames>& hosts() const { return hosts_; }

 private:
  Table<HostNames> hosts_;
  IndexTable index_;
};

}  // namespace nccl_analyze::builder
