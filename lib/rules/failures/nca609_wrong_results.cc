// NCA609 reports runs of nccl-tests that received other values than the ones that were sent.

#include <set>
#include <utility>

#include "nccl_analyze/rule.h"
#include "rules/support/benchmarks.h"
#include "rules/support/evidence.h"
#include "rules/support/message_text.h"
#include "rules/support/paths.h"

namespace nccl_analyze::nca609 {

namespace {

/// The measurements with wrong values: how many values, at which sizes, of which operations.
struct WrongValues {
  std::int64_t most = 0;  ///< The largest number of one measurement.
  std::set<std::int64_t> sizes;
  std::set<std::string> kinds;  ///< `sum of float`; `float` for an operation without a reduction.
  bool in_place = false, out_of_place = false;
};

WrongValues collect(const Benchmark& benchmark, Evidence& evidence) {
  WrongValues found;
  for (const Measurement& one : benchmark.measurements) {
    if (one.wrong <= 0) continue;
    evidence.add(one.at);
    found.most = std::max(found.most, one.wrong);
    found.sizes.insert(one.size);
    const bool reduces = one.redop != "none" && !one.redop.empty();
    found.kinds.insert(reduces ? concat(excerpt(one.redop, 20), " of ", excerpt(one.type, 20)) : excerpt(one.type, 20));
    (one.in_place ? found.in_place : found.out_of_place) = true;
  }
  return found;
}

std::string sizes_text(const WrongValues& found, std::size_t measured) {
  std::vector<std::string> sizes;
  for (const std::int64_t size : found.sizes) sizes.push_back(size_text(size));
  return concat(" at ", sizes.size(), " of ", count_text(measured, "size"), ": ", list_text(sizes, 6));
}

std::size_t count_sizes(const Benchmark& benchmark) {
  std::set<std::int64_t> sizes;
  for (const Measurement& one : benchmark.measurements) sizes.insert(one.size);
  return sizes.size();
}

/// Returns `. The data went over P2P inside nodes and NET/IB between nodes`; empty if no connection is in the log.
std::string paths_text(const Model& model, const Benchmark& benchmark) {
  if (benchmark.communicator < 0) return {};
  const CommPaths paths = find_paths(model, model.communicators[benchmark.communicator]);
  std::vector<std::string> parts;
  if (!paths.inside.empty()) parts.push_back(concat(paths.inside, " inside nodes"));
  if (!paths.between.empty()) parts.push_back(concat(paths.between, " between nodes"));
  if (parts.empty()) return {};
  if (paths.gdr && *paths.gdr) parts.back() += " with GPUDirect RDMA";
  return concat(". The data went over ", list_text(parts));
}

std::string message_of(const Model& model, const Benchmark& benchmark, const WrongValues& found) {
  std::string text = concat(excerpt(name_of(benchmark), 60), " measured wrong values");
  if (found.sizes.empty())
    return concat(text, ": ", benchmark.out_of_bounds, " in all measurements together", paths_text(model, benchmark));
  const std::vector<std::string> kinds(found.kinds.begin(), found.kinds.end());
  text += concat(" (", list_text(kinds), ")", sizes_text(found, count_sizes(benchmark)), "; at most ",
                 count_text(static_cast<std::size_t>(found.most), "element"), " in one measurement");
  if (found.in_place != found.out_of_place) text += found.in_place ? ", only in place" : ", only out of place";
  return text + paths_text(model, benchmark);
}

Verdict check(const Model& model) {
  Verdict verdict;
  for (const Benchmark& benchmark : model.benchmarks) {
    Finding finding;
    const WrongValues found = collect(benchmark, finding.evidence);
    if (found.sizes.empty() && benchmark.out_of_bounds <= 0) continue;
    if (benchmark.out_of_bounds > 0) add_line(finding.evidence, benchmark.ended_at);
    finding.message = message_of(model, benchmark, found);
    set_scope(model, benchmark, finding);
    verdict.findings.push_back(std::move(finding));
  }
  return verdict;
}

}  // namespace

extern constinit const Rule rule{
    {.id = "NCA609",
     .name = "wrong-results",
     .severity = Severity::error,
     .stage = Stage::hardware,
     .title = "A collective delivered wrong values",
     .explanation =
         R"(nccl-tests fills each buffer with known values and compares the result with what the operation must give (column
`#wrong`, `Out of bounds values : N FAILED`, `nwrong` in the JSON). Elements differed: data were damaged, lost or mixed up
on their way, and NCCL did not notice. A training on this machine learns from such values without any error message.

Rounding is hardly an explanation: the test allows for it. Up to nccl-tests 2.11 it compares the largest difference with a
fixed limit of each type, which sums of `half` or `bfloat16` over many ranks may exceed.)",
     .fix =
         R"(1. Repeat it on each node alone, then on pairs: `all_reduce_perf -b 1M -e 1G -f 2 -g 8 -c 1 -n 100`. Wrong values on
   one node alone point to a GPU or to the way between its GPUs; on pairs with one node in common, to that node.
2. The GPU: `dmesg | grep -iE 'xid|sxid'`, `nvidia-smi -q -d ECC,ROW_REMAPPER,PAGE_RETIREMENT`, `nvidia-smi nvlink -e`
   (errors of NVLink), `dcgmi diag -r 3`. Drain a node that has any.
3. Inside a node, without NVLink: if `NCCL_P2P_DISABLE=1` gives right values, peer-to-peer over PCIe is at fault. ACS and an
   IOMMU in its way make it slow, hang or go wrong: turn off ACS on the switches, boot with `iommu=pt`, see "PCI Access
   Control Services" in NCCL's troubleshooting. GPUs for games do not support it on many boards.
4. Between nodes: `NCCL_NET_GDR_LEVEL=LOC` (no GPUDirect RDMA) gives right values? Then ordering on PCIe or the
   peer-memory driver is at fault: turn off ACS, install nvidia-peermem of the driver's version, remove
   `NCCL_NET_GDR_READ`, `NCCL_IB_PCI_RELAXED_ORDERING` and `NCCL_GDR_FLUSH_DISABLE` from the settings.
5. What is set by hand: `NCCL_PROTO=LL128` where NCCL itself does not choose it, a network or tuner plugin, another
   NCCL release (search its release notes for "data corruption").
6. Only `half`, `bfloat16` or `fp8` with sums, in nccl-tests up to 2.11: repeat with a current release first.

Sources: nccl-tests `src/common.cu` and `verifiable/` (how values are checked), NCCL's user guide, "Troubleshooting".)"},
    check};

}  // namespace nccl_analyze::nca609
