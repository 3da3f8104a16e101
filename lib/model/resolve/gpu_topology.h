#pragma once
// Where ranks sit: hosts with their GPUs and NICs, and NCCL's nodes. Pure functions of the finished model.

#include <string>
#include <string_view>
#include <vector>

#include "model/flat_tables.h"
#include "nccl_analyze/model.h"

namespace nccl_analyze::draft {

/// Adds what is told of a NIC: by its name when it has one, else by its index. False beyond the limit of one host.
bool merge_nic(Host& host, const HostNic& told);

/// The network whose list of devices `name` uses: the SHARP plugin (IBext_v8) and NCCL's own share theirs.
std::string_view device_list_of(std::string_view name);

/// What tells hosts apart.
struct HostNames {
  Text name, pod, container;
  friend bool operator==(const HostNames&, const HostNames&) = default;
};

/// Hosts by their names, numbered as they come.
class HostTable {
 public:
  /// -1 when it has not come yet.
  Index find(const HostNames& host) const;
  Index find_or_add(const HostNames& host);
  const std::vector<HostNames>& hosts() const { return hosts_; }

 private:
  std::vector<HostNames> hosts_;
  IndexTable index_;
};

/// Gives every process its host and fills the hosts; those of `model` hold what the processes told of them.
void place_hosts(Model& model);

/// Joins the ranks of each communicator into nodes, as far as they can be told; after place_hosts().
void place_nodes(Model& model);

}  // namespace nccl_analyze::draft
