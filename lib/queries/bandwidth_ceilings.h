#pragma once
/// Computes the bus bandwidth that a collective can reach at best, from what the links carry. lib/queries/bandwidth.md
/// derives the formulas.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace nccl_analyze {

/// `broadcast` stands for Reduce too.
enum class Collective : std::uint8_t { all_reduce, all_gather, reduce_scatter, broadcast, all_to_all, send_recv };
/// Returns the name in NCCL's spelling: `AllReduce`.
std::string_view to_string(Collective collective);

/// What a link or several links carry together, in GB/s in one direction (0: not known), and what they are.
struct Figure {
  double gigabytes = 0;
  std::string way;
};

/// The links of a job. Hosts whose GPUs NVLink joins are one host here.
struct Roads {
  int hosts = 1, gpus = 1;  ///< `gpus`: in each host, the fewest.
  bool is_even = true;      ///< Whether all hosts have as many GPUs.
  bool nvls = false;        ///< Whether NVLink SHARP may be used.
  bool one_link = false;    ///< Whether what a GPU sends in its host and to the NICs shares one PCIe link, that of V.
  Figure inside;            ///< V: what a GPU can send to the other GPUs of its host.
  Figure network;           ///< N: what a host can send to others.
  Figure own;               ///< O: what one GPU can send to other hosts.

  int ranks() const { return hosts * gpus; }
};

/// Limits the bandwidth of the NICs of a host by the PCIe links of its GPUs, each of which carries `pcie` (0: not
/// known).
Figure behind_pcie(Figure nics, double pcie, int gpus);

/// The bus bandwidth that an algorithm can reach at best.
struct Ceiling {
  std::string_view algorithm;  ///< `ring`, `tree`, `NVLS`, `NVLS tree`; `direct` for sends and receives.
  std::string_view formula;    ///< `min(V, N)`
  double gigabytes = 0;        ///< GB/s; 0: nothing is known.
  std::string way;             ///< The links that limit it.
  std::string missing;         ///< The figures of the formula that are not known: `V`, `V, N`; empty if all are.
};

/// Returns the ceilings of a collective by algorithm, lowest first: that of rings, or of sends and receives, then those
/// that are higher. Latency, congestion and the protocol of the network are not counted.
std::vector<Ceiling> ceilings_of(Collective collective, const Roads& roads);

}  // namespace nccl_analyze
