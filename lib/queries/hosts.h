#pragma once
/// Decides whether ranks and jobs span several hosts.

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "nccl_analyze/model.h"

namespace nccl_analyze {

/// Whether two ranks of one apparent process have the same GPU. NCCL refuses two ranks on one GPU of a host, so these
/// ranks belong to different processes on different hosts, whose prefixes were lost or replaced by the same text.
bool shares_gpus(const Communicator& comm);
/// Whether both ranks run on the same machine: their processes print the same host name, neither different bootstrap
/// addresses nor the same GPU.
bool same_host(const Model& model, const Rank& a, const Rank& b);
/// Whether two processes print the same host name into the same source.
bool share_host_name(const Model& model, Index one, Index other);
/// Counts hosts by the names that processes print, and by their bootstrap addresses. NCCL takes the first address of an
/// interface, so two addresses of one interface under one name belong to two hosts, or to containers that have networks
/// of their own. A name without an address counts once.
class HostCount {
 public:
  void add(const Process& process);
  std::size_t names() const { return names_.size(); }
  std::size_t hosts() const;

 private:
  using Interface = std::pair<std::string_view, bool>;  ///< Name, and whether the address is an IPv6 address.
  std::map<std::string_view, std::map<Interface, std::set<std::string_view>>> names_;
  const Process* last_ = nullptr;  ///< The last process added; the next one usually has the same host.
};

/// Whether ranks bootstrap over different addresses of one interface, although they print one host name (HostCount).
bool has_two_addresses(const Model& model, const Communicator& comm);

/// Returns the number of nodes that NCCL printed, else the number of host names of the communicator's logged ranks.
std::size_t node_count(const Model& model, const Communicator& comm);

/// Whether the communicator has several nodes, by NCCL's own count. Without that count, true if its ranks have
/// different host names, or if shares_gpus() is true.
bool spans_nodes(const Model& model, const Communicator& comm);
/// Whether any communicator spans nodes.
bool spans_nodes(const Model& model);

/// Whether the input proves a statement, disproves it, or leaves it open. If it is open, a rule may warn and add a
/// condition to its message, such as if_it_spans_hosts.
enum class Proof : std::uint8_t { disproven, open, proven };
/// Whether one communicator spans hosts: proven if spans_nodes() is true. Disproven if it has several ranks, and either
/// NCCL counted a single node, or the input has all its ranks and has_two_addresses() is false.
Proof spans_hosts(const Model& model, const Communicator& comm);
/// Whether the jobs of processes span hosts, found in one pass over all ranks.
class JobHostSpans {
 public:
  explicit JobHostSpans(const Model& model);
  /// Whether the job of the process spans hosts, by the communicators of the process that were not split from another
  /// one. Proven if any of them spans nodes. Otherwise disproven if any of them has several ranks, and either NCCL
  /// counted a single node, or the input has all its ranks on a single host.
  Proof of(Index process) const;
  /// Proven if it is proven for any of the processes; disproven if it is disproven for all; open for an empty list.
  Proof of(const std::vector<Index>& processes) const;

 private:
  std::vector<Proof> by_process_;
};
/// Ends the message of a conditional warning (Proof::open).
inline constexpr std::string_view if_it_spans_hosts =
    ". It matters if the job spans hosts, which this input does not prove";

}  // namespace nccl_analyze
