// The formulas of bandwidth ceilings, one row for each collective and algorithm.

#include "queries/bandwidth_ceilings.h"

#include <algorithm>
#include <array>

namespace nccl_analyze {

namespace {

/// The numbers in the formulas: ranks, GPUs of a host, hosts.
struct Shape {
  double n, g, h;
};

/// Factors by which V and N are multiplied; 0: the link is not used.
struct Factors {
  double inside, network;
};

/// A formula. `own`: it has O instead of N.
struct CeilingRow {
  std::array<bool, 6> collectives;  ///< By Collective.
  bool across;                      ///< Between hosts, or inside one.
  bool nvls;                        ///< Needs NVLink SHARP.
  std::string_view algorithm, formula;
  Factors (*factors)(const Shape&);
  bool own = false;
};

constexpr std::array<bool, 6> only_reduce{true}, rings{true, true, true, true}, other_rings{false, true, true, true},
    all_to_all{false, false, false, false, true}, send_recv{false, false, false, false, false, true},
    sends{false, false, false, false, true, true};

Factors on_ring(const Shape&) { return {1, 1}; }
Factors with_nvls(const Shape& s) { return {2 * (s.n - 1) / (s.n + 1), 0}; }
/// Two over what the busiest host sends in both of NCCL's trees, in units of S (src/graph/trees.cc, ncclGetDtree): from
/// four hosts on, one that has two children in one tree is a leaf of the other.
double trees_of(double hosts) { return hosts < 3 ? 2 : hosts < 4 ? 4.0 / 3 : 1; }
Factors on_tree(const Shape& s) {
  const double part = (s.n - 1) / s.n;
  return {s.g > 1 ? part * s.g / (s.g - 1) : 0, part * trees_of(s.h)};
}
Factors with_nvls_tree(const Shape& s) {
  const double part = (s.n - 1) / s.n;
  return {2 * part * s.g / (s.g + 1), part * trees_of(s.h)};
}
Factors to_all(const Shape& s) { return {0, (s.n - 1) / (s.n - s.g) / s.g}; }

constexpr std::array<CeilingRow, 9> ceiling_rows{{
    {only_reduce, false, false, "ring, tree", "V", on_ring},
    {other_rings, false, false, "ring", "V", on_ring},
    {sends, false, false, "direct", "V", on_ring},
    {only_reduce, false, true, "NVLS", "V × 2(n−1)/(n+1)", with_nvls},
    {rings, true, false, "ring", "min(V, N)", on_ring},
    {only_reduce, true, false, "tree", "min(V × g/(g−1), N × t) × (n−1)/n", on_tree},
    {only_reduce, true, true, "NVLS tree", "min(2V × g/(g+1), N × t) × (n−1)/n", with_nvls_tree},
    {all_to_all, true, false, "direct", "N/g × (n−1)/(n−g)", to_all},
    {send_recv, true, false, "direct", "min(V, O)", on_ring, true},
}};

void limit_by(char letter, const Figure& figure, double factor, Ceiling& ceiling) {
  if (factor <= 0) return;
  if (figure.gigabytes <= 0) {
    ceiling.missing += ceiling.missing.empty() ? "" : ", ";
    ceiling.missing += letter;
    return;
  }
  const double gigabytes = figure.gigabytes * factor;
  if (ceiling.gigabytes > 0 && ceiling.gigabytes <= gigabytes) return;
  ceiling.gigabytes = gigabytes;
  ceiling.way = figure.way;
}

Ceiling ceiling_of(const CeilingRow& row, const Roads& roads) {
  const Shape shape{static_cast<double>(roads.ranks()), static_cast<double>(roads.gpus),
                    static_cast<double>(roads.hosts)};
  const Factors factors = row.factors(shape);
  Ceiling ceiling{.algorithm = row.algorithm, .formula = row.formula, .gigabytes = 0, .way = {}, .missing = {}};
  if (!row.across || roads.gpus > 1) limit_by('V', roads.inside, factors.inside, ceiling);
  if (row.across) limit_by(row.own ? 'O' : 'N', row.own ? roads.own : roads.network, factors.network, ceiling);
  if (roads.one_link && roads.inside.gigabytes > 0) limit_by('V', roads.inside, 1, ceiling);
  return ceiling;
}

}  // namespace

std::string_view to_string(Collective collective) {
  constexpr std::array<std::string_view, 6> names{"AllReduce", "AllGather", "ReduceScatter",
                                                  "Broadcast", "AlltoAll",  "SendRecv"};
  return names[static_cast<std::size_t>(collective)];
}

Figure behind_pcie(Figure nics, double pcie, int gpus) {
  if (nics.gigabytes <= 0 || pcie <= 0 || pcie * gpus >= nics.gigabytes) return nics;
  return {pcie * gpus, "PCIe between GPUs and NICs"};
}

std::vector<Ceiling> ceilings_of(Collective collective, const Roads& roads) {
  std::vector<Ceiling> ceilings;
  for (const CeilingRow& row : ceiling_rows) {
    const bool is_exact = row.factors == on_ring || roads.is_even;
    if (row.across != (roads.hosts > 1) || !row.collectives[static_cast<std::size_t>(collective)] || !is_exact ||
        (row.nvls && !roads.nvls))
      continue;
    Ceiling own = ceiling_of(row, roads);
    if (ceilings.empty() || own.gigabytes > ceilings.back().gigabytes * 1.005) ceilings.push_back(std::move(own));
  }
  return ceilings;
}

}  // namespace nccl_analyze
