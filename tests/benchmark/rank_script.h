#pragma once
// The lines that NCCL 2.27 prints for one rank while a communicator is initialised and connected. Hosts have eight GPUs
// and NICs; rings and trees cover all hosts.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "random_text.h"

namespace nccl_analyze::benchmark {

struct JobShape {
  int ranks = 640, channels = 32, per_node = 8;
};

/// A rank of the job and the ids in the prefix of its lines.
struct Speaker {
  int rank, node, device, pid, tid;
  std::uint64_t comm;
};

/// A communicator. `members[i]` is the rank in the job of rank i in the communicator.
struct Group {
  std::uint64_t id;
  bool split;
  std::vector<int> members;
};

/// A line of the log. `proxy`: whether the proxy thread, which sets up connections, prints the line.
struct ScriptLine {
  bool proxy;
  std::string text;
};

class RankScript {
 public:
  RankScript(const JobShape& shape, const Group& group, int rank, const Speaker& speaker, Random& random)
      : group_(group),
        speaker_(speaker),
        random_(random),
        channels_(shape.channels),
        size_(static_cast<int>(group.members.size())),
        local_ranks_(std::min(shape.per_node, size_)),
        nodes_((size_ + local_ranks_ - 1) / local_ranks_),
        rank_(rank),
        local_(rank % local_ranks_),
        node_(rank / local_ranks_) {}

  /// Returns the lines in the order in which NCCL prints them.
  std::vector<ScriptLine> lines() {
    if (group_.split) {
      say("Comm config Blocking set to 1");
      say("Using network IB");
      say(identity(), "- Init START");
    } else {
      start();
      print_topology();
      search_graphs();
    }
    place();
    complete();
    connect();
    return std::move(lines_);
  }

 private:
  template <class... Parts>
  void put(bool proxy, const Parts&... parts) {
    append(lines_.emplace_back(ScriptLine{proxy, {}}).text, parts...);
  }
  template <class... Parts>
  void say(const Parts&... parts) {
    put(false, parts...);
  }

  static std::string_view bus(int gpu) {
    constexpr std::array<std::string_view, 8> ids = {"1b000", "43000", "52000", "61000",
                                                     "9d000", "c3000", "d1000", "df000"};
    return ids[static_cast<std::size_t>(gpu) % ids.size()];
  }

  std::string identity() const {
    std::string text;
    append(text, group_.split ? "ncclCommSplit" : "ncclCommInitRankConfig", " comm ", pointer(), " rank ", rank_,
           " nranks ", size_, " cudaDev ", speaker_.device, " nvmlDev ", speaker_.device, " busId ",
           bus(speaker_.device));
    if (group_.split)
      append(text, " parent ", Hex{0x55d0abcdef00}, " splitCount 1 color ",
             static_cast<std::uint32_t>(group_.id * 2654435761U), " key ", rank_);
    else
      append(text, " commId ", Hex{group_.id * 0x9E3779B97F4A7C15ULL});
    return text;
  }
  Hex pointer() const {
    const std::uint64_t spread = group_.id * 0x9E3779B97F4A7C15ULL + static_cast<std::uint64_t>(speaker_.rank) * 7919;
    return {0x55d000000000ULL + (spread & 0xffffffff0ULL)};
  }

  void start() {
    const std::string address = std::to_string(speaker_.node / 250) + "." + std::to_string(speaker_.node % 250 + 2);
    say("Bootstrap: Using eth0:10.0.", address, "<0>");
    for (const std::string_view text :
         {"cudaDriverVersion 13000", "NCCL version 2.27.3+cuda12.9", "Comm config Blocking set to 1",
          "NET/Plugin: Plugin name set by env to libnccl-net.so",
          "NET/Plugin: Failed to find ncclCollNetPlugin_v10 symbol.",
          "NET/Plugin: Failed to find ncclNetPlugin_v9 symbol.",
          "NCCL_SOCKET_IFNAME set by environment to ^docker0,lo"})
      say(text);
    std::string nics = "NET/IB : Using";
    for (int nic = 0; nic < 8; ++nic) append(nics, " [", nic, "]mlx5_", nic, ":1/IB");
    say(nics, " [RO]; OOB eth0:10.0.", address, "<0>");
    say("Initialized NET plugin IB");
    say("Assigned NET plugin IB to comm");
    say("Using network IB");
    say("DMA-BUF is available on GPU device ", speaker_.device);
    say(identity(), " - Init START");
    say("RAS client listening socket at ::1<28028>");
    fill(lines_.emplace_back().text, random_,
         "Bootstrap timings total <60>.<06:1000000> (create 0.000078, send 0.000189, recv <60>.<06:1000000>, ring "
         "0.005660, delay 0.000001)");
    say("MNNVL busId 0x", bus(speaker_.device), " fabric UUID 0.0 cliqueId 0x0 state 3 healthMask 0x0");
    say("Setting affinity for GPU ", speaker_.device, " to 0-31");
    for (const std::string_view text :
         {"NCCL_IB_HCA set to mlx5", "NCCL_DEBUG_SUBSYS set by environment to INIT,GRAPH,ENV",
          "NCCL_IB_TIMEOUT set by environment to 22.", "NCCL_CROSS_NIC set by environment to 0.",
          "NCCL_NVLS_ENABLE set by environment to 1.", "NCCL_CUMEM_ENABLE set by environment to 0.",
          "NCCL_MIN_NCHANNELS set by environment to 32."})
      say(text);
  }

  void print_topology() {
    say("=== System : maxBw 360.0 totalBw 360.0 ===");
    for (int gpu = 0; gpu < 8; ++gpu) {
      if (gpu % 4 == 0) say("CPU/0-", gpu / 4, " (1/1/2)");
      say("+ PCI[48.0] - PCI/0-", bus(gpu), " (15b3197b15b30020)");
      say("              + PCI[48.0] - GPU/0-", bus(gpu), " (", node_ * local_ranks_ + gpu, ")");
      say("                            + NVL[360.0] - NVS/0-0");
      say("              + PCI[48.0] - NIC/0-", bus(gpu));
    }
    say("==========================================");
    for (int gpu = 0; gpu < 8; ++gpu) {
      std::string paths;
      append(paths, "GPU/0-", bus(gpu), " :");
      for (int other = 0; other < 8; ++other)
        append(paths, "GPU/0-", bus(other), other == gpu ? " (0/5000.000000/LOC) " : " (2/360.000000/NVL) ");
      const bool first = gpu < 4;
      append(paths, "NVS/0-0 (1/360.000000/NVL) CPU/0-0 (", first ? 2 : 3, "/48.000000/", first ? "PHB" : "SYS",
             ") CPU/0-1 (", first ? 3 : 2, "/48.000000/", first ? "SYS" : "PHB", ") NET/0-", gpu,
             " (3/48.000000/PXB) ");
      say(paths);
    }
  }

  void search_graphs() {
    for (const int pattern : {4, 1, 3, 5}) {
      say("Pattern ", pattern, ", crossNic 0, nChannels ", channels_ / 2,
          ", bw 30.000000/30.000000, type NVL/PXB, sameChannels ", pattern == 4 ? 1 : 0);
      for (int channel = 0; channel < channels_ / 2; ++channel) {
        std::string path;
        append(path, Padded{static_cast<std::uint64_t>(channel), 2, ' '}, " : NET/0-", channel % 8);
        for (int gpu = 0; gpu < local_ranks_; ++gpu)
          append(path, " GPU/0-", bus(gpu + channel + 1), "-",
                 node_ * local_ranks_ + (gpu + channel + 1) % local_ranks_);
        append(path, " NET/0-", channel % 8);
        say(path);
      }
    }
  }

  /// The ring of channel c enters a host at local rank c modulo `local_ranks_`, and leaves it at the local rank before
  /// that.
  int entry(int channel) const { return channel % local_ranks_; }
  int exit(int channel) const { return (channel + local_ranks_ - 1) % local_ranks_; }
  int next(int channel) const {
    if (local_ == exit(channel)) return ((node_ + 1) % nodes_ * local_ranks_ + entry(channel)) % size_;
    return node_ * local_ranks_ + (local_ + 1) % local_ranks_;
  }
  int previous(int channel) const {
    if (local_ == entry(channel)) return (node_ + nodes_ - 1) % nodes_ * local_ranks_ + exit(channel);
    return node_ * local_ranks_ + (local_ + local_ranks_ - 1) % local_ranks_;
  }

  void place() {
    say("comm ", pointer(), " rank ", rank_, " nRanks ", size_, " nNodes ", nodes_, " localRanks ", local_ranks_,
        " localRank ", local_, " MNNVL 0");
    for (int channel = 0; rank_ == 0 && channel < channels_; ++channel) {
      std::string ring;
      append(ring, "Channel ", two(channel), "/", two(channels_), " :");
      for (int at = 0; at < size_ && ring.size() < 124; ++at)
        append(ring, " ", at / local_ranks_ * local_ranks_ + (at + channel) % local_ranks_);
      if (ring.size() >= 124) ring.replace(124, std::string::npos, "...");
      say(ring);
    }
    for (int channel = 0; !group_.split && channel < channels_; ++channel)
      say("Ring ", two(channel), " : ", previous(channel), " -> ", rank_, " -> ", next(channel));
    const int up = local_ > 0 ? rank_ - 1 : node_ > 0 ? (node_ - 1) / 2 * local_ranks_ : -1;
    const int down = local_ + 1 < local_ranks_ && rank_ + 1 < size_ ? rank_ + 1 : -1;
    const int left = local_ == 0 && 2 * node_ + 1 < nodes_ ? (2 * node_ + 1) * local_ranks_ : -1;
    const int right = local_ == 0 && 2 * node_ + 2 < nodes_ ? (2 * node_ + 2) * local_ranks_ : -1;
    std::string trees = "Trees";
    for (int channel = 0; channel < channels_; ++channel)
      append(trees, " [", channel, "] ", down, "/", left, "/", right, "->", rank_, "->", up);
    say(trees);
  }

  void complete() {
    for (const std::string_view text :
         {"P2P Chunksize set to 524288", "PROFILER/Plugin: Could not find: libnccl-profiler.so. ",
          "Check P2P Type isAllDirectP2p 0 directMode 0", "NVLS multicast support is available on dev 0",
          "threadThresholds 8/8/64 | 5120/8/64 | 512 | 512"})
      say(text);
    say(channels_, " coll channels, ", channels_, " collnet channels, 0 nvls channels, ", channels_,
        " p2p channels, 4 p2p channels per peer");
    say("CC Off, workFifoBytes 1048576");
    say("TUNER/Plugin: Could not find: libnccl-tuner.so. Using internal tuner plugin.");
    put(true, "[Proxy Service] Device ", speaker_.device, " CPU core ", random_.below(96));
    put(true, "[Proxy Progress] Device ", speaker_.device, " CPU core ", random_.below(96));
    say(identity(), " - Init COMPLETE");
    std::string timings;
    append(timings, "Init timings - ", group_.split ? "ncclCommSplit" : "ncclCommInitRankConfig", ": rank ", rank_,
           " nranks ", size_);
    fill(timings, random_,
         " total <60>.<02:100> (kernels 0.13, alloc 0.01, bootstrap <60>.<02:100>, allgathers 0.01, topo 0.52, graphs "
         "0.10, connections 0.40, rest 0.00)");
    say(timings);
  }

  void connect() {
    for (int channel = 0; channel < channels_; ++channel) {
      const int from = previous(channel), to = next(channel);
      if (nodes_ > 1 && local_ == entry(channel))
        put(true, ends(channel, from, rank_), " [receive] via NET/IB/", channel % 8, "/GDRDMA");
      if (nodes_ > 1 && local_ == exit(channel))
        put(true, ends(channel, rank_, to), " [send] via NET/IB/", channel % 8, local_ % 4 == 3 ? "(3)" : "",
            "/GDRDMA");
      else
        put(true, ends(channel, rank_, to), " via P2P/", group_.id % 3 == 2 ? "CUMEM/read" : "IPC");
    }
    put(true, "Connected all rings, use ring PXN 0 GDR 1");
    for (int channel = 0; channel < channels_; ++channel)
      if (local_ > 0)
        put(true, ends(channel, rank_, rank_ - 1), " via P2P/IPC");
      else if (node_ > 0)
        put(true, ends(channel, rank_, (node_ - 1) / 2 * local_ranks_), " [send] via NET/IB/", channel % 8,
            "/GDRDMA/Shared");
    put(true, "Connected all trees");
  }

  static Padded two(int number) { return {static_cast<std::uint64_t>(number), 2}; }
  std::string ends(int channel, int from, int to) const {
    std::string text;
    append(text, "Channel ", two(channel), "/0 : ", from, "[", from % local_ranks_, "] -> ", to, "[", to % local_ranks_,
           "]");
    return text;
  }

  const Group& group_;
  const Speaker& speaker_;
  Random& random_;
  int channels_, size_, local_ranks_, nodes_, rank_, local_, node_;
  std::vector<ScriptLine> lines_;
};

}  // namespace nccl_analyze::benchmark
