// Compiles the loops of line_scan_loops.h for each instruction set, and lists the instruction sets of this machine.

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

// Instruction sets that would not be faster, as measured. AVX-512 is as fast as AVX2 with blocks of 32 bytes, and
// slower with blocks of 64 bytes, because most lines are short. SSSE3 is as fast as SSE4. SVE cannot move a mask to a
// general register, and on Grace its vectors are not wider than NEON's.
#define HWY_DISABLED_TARGETS (HWY_AVX3 | HWY_SSSE3 | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128)
#define HWY_TARGET_INCLUDE "text/line_scan_loops.h"

#include "text/line_scan.h"
#include "text/line_scan_bytewise.h"

namespace nccl_analyze {

namespace {

/// The loops for an instruction set, which Highway identifies by a number; null if they are not compiled.
template <std::int64_t target>
constexpr const LineScan* scan_for = nullptr;

}  // namespace

}  // namespace nccl_analyze

#include <hwy/foreach_target.h>  // compiles the loops for all instruction sets except the static target

#include "text/line_scan_loops.h"  // compiles the loops for the static target (the one set by compiler flags)

namespace nccl_analyze {

namespace {

/// Whether this machine has an instruction set. Highway's library has a function for this, but a program that is linked
/// with the library measures the CPU clock when it starts, which takes a third of a short run.
bool machine_has([[maybe_unused]] std::int64_t target) {
#if HWY_ARCH_X86
  if (target == HWY_AVX2)
    return __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("bmi") != 0 &&
           __builtin_cpu_supports("bmi2") != 0 && __builtin_cpu_supports("fma") != 0;
  return __builtin_cpu_supports("sse4.2") != 0;
#else
  return true;  // elsewhere, only the baseline instruction set is compiled
#endif
}

template <std::size_t... bit>
std::vector<const LineScan*> scans_of_machine(std::index_sequence<bit...>) {
  std::vector<const LineScan*> scans;
  const auto add = [&](std::int64_t target, const LineScan* scan) {
    if (scan != nullptr && machine_has(target)) scans.push_back(scan);
  };
  // Highway gives better instruction sets lower numbers, so the best scan comes first.
  (add(std::int64_t{1} << bit, scan_for<std::int64_t{1} << bit>), ...);
  scans.push_back(&bytewise_scan);
  return scans;
}

}  // namespace

std::span<const LineScan* const> line_scans() {
  static const std::vector<const LineScan*> scans = scans_of_machine(std::make_index_sequence<63>());
  return scans;
}

}  // namespace nccl_analyze
