#pragma once
// The log of a large healthy job: hosts with eight GPUs, rings and trees over all of them, and a communicator for each
// host and for each rail. Rings, trees and connections follow from simple arithmetic, which tests compare with the
// model.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

namespace nccl_analyze::test {

struct JobShape {
  int hosts = 2;
  int channels = 4;
  int local_ranks = 8;
  bool splits = true;  ///< Whether each host and each rail has a communicator too.
  int only_host = -1;  ///< The host whose lines are printed; -1: all.
  int ranks() const { return hosts * local_ranks; }
};

/// Rings visit the hosts in order. Channel c enters a host at GPU c mod 8 and leaves the host at the GPU before that
/// one.
inline int ring_next(const JobShape& shape, int rank, int channel) {
  const int host = rank / shape.local_ranks, gpu = rank % shape.local_ranks;
  const int entry = channel % shape.local_ranks;
  const int next = (gpu + 1) % shape.local_ranks;
  if (next != entry) return host * shape.local_ranks + next;
  return (host + 1) % shape.hosts * shape.local_ranks + entry;
}
inline int ring_prev(const JobShape& shape, int rank, int channel) {
  const int host = rank / shape.local_ranks, gpu = rank % shape.local_ranks;
  const int entry = channel % shape.local_ranks;
  const int before = (gpu + shape.local_ranks - 1) % shape.local_ranks;
  if (gpu != entry) return host * shape.local_ranks + before;
  return (host + shape.hosts - 1) % shape.hosts * shape.local_ranks + before;
}
/// Trees have a chain inside each host, and a binary tree over the first GPUs of all hosts.
inline int tree_parent(const JobShape& shape, int rank) {
  const int host = rank / shape.local_ranks, gpu = rank % shape.local_ranks;
  if (gpu > 0) return rank - 1;
  return host == 0 ? -1 : (host - 1) / 2 * shape.local_ranks;
}
inline std::string tree_children(const JobShape& shape, int rank) {
  const int host = rank / shape.local_ranks, gpu = rank % shape.local_ranks;
  const auto child = [&](bool there, int number) { return there ? std::to_string(number) : std::string("-1"); };
  const int left = 2 * host + 1, right = 2 * host + 2;
  return child(gpu + 1 < shape.local_ranks, rank + 1) + '/' +
         child(gpu == 0 && left < shape.hosts, left * shape.local_ranks) + '/' +
         child(gpu == 0 && right < shape.hosts, right * shape.local_ranks);
}

inline std::string host_address(int host) {
  return "10." + std::to_string(host / 62500) + '.' + std::to_string(host / 250 % 250) + '.' +
         std::to_string(host % 250 + 2);
}

/// Returns how many channels fit in the `Trees` line of a rank, which NCCL truncates.
inline int trees_shown(const JobShape& shape, int rank) {
  const std::size_t links = tree_children(shape, rank).size() + std::to_string(rank).size() +
                            std::to_string(tree_parent(shape, rank)).size() + 4;
  std::size_t size = 5;
  int channel = 0;
  for (; channel < shape.channels; ++channel) {
    size += std::to_string(channel).size() + 4 + links;
    if (size > 940) break;
  }
  return channel;
}

/// Prints the log line by line. Ranks take turns at every step, since no rank completes a step before all have begun
/// it.
template <class Emit>
class SimulatedJob {
 public:
  SimulatedJob(const JobShape& shape, Emit emit) : shape_(shape), emit_(std::move(emit)) {}

  void run() {
    each([this](int rank) { start(rank); });
    each([this](int rank) { build(rank); });
    each([this](int rank) { complete(rank); });
    each([this](int rank) { connect(rank); });
    if (!shape_.splits) return;
    each([this](int rank) { split(rank, "START"); });
    each([this](int rank) { split(rank, "COMPLETE"); });
  }

 private:
  template <class Step>
  void each(Step step) {
    const int first = std::max(shape_.only_host, 0) * shape_.local_ranks;
    const int end = shape_.only_host < 0 ? shape_.ranks() : first + shape_.local_ranks;
    for (int rank = first; rank < end; ++rank) step(rank);
  }

  static std::string hex(std::uint64_t number) {
    constexpr char digits[] = "0123456789abcdef";
    std::string text;
    for (; number != 0 || text.empty(); number >>= 4U) text.insert(text.begin(), digits[number & 15U]);
    return text;
  }
  static std::string two(int number) { return (number < 10 ? "0" : "") + std::to_string(number); }
  int gpu(int rank) const { return rank % shape_.local_ranks; }
  std::string pointer(int rank, int comm) const {
    return "0x55" + hex(0x10000000U + static_cast<unsigned>(rank) * 16U + static_cast<unsigned>(comm));
  }

  void line(int rank, int thread, const std::string& message) {
    const int pid = 1000 + gpu(rank);
    std::string text = "worker-" + std::to_string(rank / shape_.local_ranks) + ':' + std::to_string(pid) + ':' +
                       std::to_string(pid + 100 * thread) + " [" + std::to_string(gpu(rank)) + "] NCCL INFO ";
    text += message;
    text += '\n';
    emit_(text);
  }

  std::string identity(int rank, int comm, int number, int size) const {
    const std::string device = std::to_string(gpu(rank));
    return "comm " + pointer(rank, comm) + " rank " + std::to_string(number) + " nranks " + std::to_string(size) +
           " cudaDev " + device + " nvmlDev " + device + " busId " +
           hex(0x1000U * static_cast<unsigned>(gpu(rank) + 1));
  }
  std::string world(int rank, const std::string& what) const {
    return "ncclCommInitRankConfig " + identity(rank, 0, rank, shape_.ranks()) + " commId 0x5eed - Init " + what;
  }

  void start(int rank) {
    line(rank, 0, "NCCL version 2.27.3+cuda12.9");
    line(rank, 0, "cudaDriverVersion 12090");
    line(rank, 0, "Bootstrap: Using eth0:" + host_address(rank / shape_.local_ranks) + "<0>");
    line(rank, 0, "NCCL_SOCKET_IFNAME set by environment to ^docker0,lo");
    line(rank, 0, "NCCL_IB_HCA set to mlx5");
    line(rank, 1,
         "NET/IB : Using [0]mlx5_0:1/IB [1]mlx5_1:1/IB [2]mlx5_2:1/IB [3]mlx5_3:1/IB [RO]; OOB eth0:10.0.0.2<0>");
    line(rank, 1, "Initialized NET plugin IB");
    line(rank, 1, "Using network IB");
    line(rank, 1, world(rank, "START"));
  }

  void build(int rank) {
    line(rank, 1,
         "comm " + pointer(rank, 0) + " rank " + std::to_string(rank) + " nRanks " + std::to_string(shape_.ranks()) +
             " nNodes " + std::to_string(shape_.hosts) + " localRanks " + std::to_string(shape_.local_ranks) +
             " localRank " + std::to_string(gpu(rank)) + " MNNVL 0");
    std::string trees = "Trees";
    const std::string links =
        tree_children(shape_, rank) + "->" + std::to_string(rank) + "->" + std::to_string(tree_parent(shape_, rank));
    for (int c = 0; c < trees_shown(shape_, rank); ++c) trees += " [" + std::to_string(c) + "] " + links;
    line(rank, 1, trees);
    const std::string channels = std::to_string(shape_.channels);
    line(rank, 1,
         channels + " coll channels, " + channels + " collnet channels, 0 nvls channels, " + channels +
             " p2p channels, 2 p2p channels per peer");
  }

  void complete(int rank) {
    line(rank, 1, world(rank, "COMPLETE"));
    line(rank, 1,
         "Init timings - ncclCommInitRankConfig: rank " + std::to_string(rank) + " nranks " +
             std::to_string(shape_.ranks()) +
             " total 9.98 (kernels 0.13, alloc 0.01, bootstrap 9.83, allgathers 0.01, topo 0.00, graphs 0.00, "
             "connections 0.00, rest 0.00)");
  }

  void send(int rank, int channel, int from, int to, const char* direction) {
    const std::string ends = "Channel " + two(channel) + "/0 : " + std::to_string(from) + '[' +
                             std::to_string(gpu(from)) + "] -> " + std::to_string(to) + '[' + std::to_string(gpu(to)) +
                             ']';
    if (from / shape_.local_ranks == to / shape_.local_ranks) {
      if (from == rank) line(rank, 2, ends + " via P2P/CUMEM");
      return;
    }
    line(rank, 2, ends + " [" + direction + "] via NET/IB/" + std::to_string(channel % 4) + "/GDRDMA");
  }

  void connect(int rank) {
    for (int c = 0; c < shape_.channels; ++c) send(rank, c, ring_prev(shape_, rank, c), rank, "receive");
    for (int c = 0; c < shape_.channels; ++c) send(rank, c, rank, ring_next(shape_, rank, c), "send");
    line(rank, 2, "Connected all rings, use ring PXN 0 GDR 1");
    const int parent = tree_parent(shape_, rank);
    for (int c = 0; parent >= 0 && c < shape_.channels; ++c) send(rank, c, rank, parent, "send");
    line(rank, 2, "Connected all trees");
  }

  void split(int rank, const std::string& what) {
    const int host = rank / shape_.local_ranks;
    const std::string gap = what == "START" ? "- Init " : " - Init ";
    const auto child = [&](int comm, int number, int size, int color) {
      line(rank, 1 + comm,
           "ncclCommSplit " + identity(rank, comm, number, size) + " parent " + pointer(rank, 0) + " splitCount " +
               std::to_string(comm) + " color " + std::to_string(color) + " key " + std::to_string(rank) + gap + what);
    };
    child(1, gpu(rank), shape_.local_ranks, host);
    child(2, host, shape_.hosts, gpu(rank));
  }

  JobShape shape_;
  Emit emit_;
};

template <class Emit>
void simulate(const JobShape& shape, Emit emit) {
  SimulatedJob<Emit>(shape, std::move(emit)).run();
}

}  // namespace nccl_analyze::test
