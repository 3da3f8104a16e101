#pragma once
// The logs of the hosts of a large job, one at a time, with faults that a report must find.

#include <cstddef>
#include <string>
#include <string_view>

#include "simulated_job.h"

namespace nccl_analyze::test {

/// The hosts with a fault; -1: no host has it.
struct FleetFaults {
  int dead = -1;     ///< Has no log, and the hosts next to it in the rings report that it does not answer.
  int nic = -1;      ///< Lacks the NIC mlx5_1.
  int late = -1;     ///< Its first GPU's rank came so late that the others waited for it.
  int version = -1;  ///< Runs another NCCL.
};

class FleetLog {
 public:
  FleetLog(JobShape shape, const FleetFaults& faults) : shape_(shape), faults_(faults) {}

  /// The log of one host; empty for the dead one.
  std::string of(int host) const {
    if (host == faults_.dead) return {};
    std::string log;
    JobShape shape = shape_;
    shape.only_host = host;
    simulate(shape, [&](const std::string& line) { log += with_faults(host, line); });
    const bool is_neighbour = faults_.dead >= 0 && (host + 1 == faults_.dead || host == faults_.dead + 1);
    return is_neighbour ? log + timeout_of(host) : log;
  }

 private:
  std::string with_faults(int host, std::string line) const {
    if (host == faults_.version) replace(line, "2.27.3+cuda12.9", "2.26.2+cuda12.8");
    if (host == faults_.nic) {
      replace(line, "[1]mlx5_1:1/IB [2]mlx5_2:1/IB [3]mlx5_3:1/IB", "[1]mlx5_2:1/IB [2]mlx5_3:1/IB");
      replace(line, "NET/IB/3/", "NET/IB/0/");
    }
    const std::string first_rank = "rank " + std::to_string(host * shape_.local_ranks) + " ";
    if (host == faults_.late && line.find(first_rank) != std::string::npos) {
      replace(line, "total 9.98", "total 0.35");
      replace(line, "bootstrap 9.83", "bootstrap 0.20");
    }
    return line;
  }

  static void replace(std::string& line, std::string_view old, std::string_view by) {
    if (const std::size_t at = line.find(old); at != std::string::npos) line.replace(at, old.size(), by);
  }

  std::string timeout_of(int host) const {
    return "worker-" + std::to_string(host) + ":1000:1300 [0] NCCL WARN NET/IB: Got completion from peer " +
           host_address(faults_.dead) + "<41234> with status=12 opcode=0 len=0 vendor err 129 (Recv) hca mlx5_0\n";
  }

  JobShape shape_;
  FleetFaults faults_;
};

}  // namespace nccl_analyze::test
