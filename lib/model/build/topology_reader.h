#pragma once
// Reads one topology dump, line by line, and fills a Host from it.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "nccl_analyze/event.h"
#include "nccl_analyze/model.h"

namespace nccl_analyze::builder {

class TopologyReader {
 public:
  /// Starts a new dump at line `head`. `rank` is the printing rank, -1 = unknown. If NVLink spans hosts, the dump lists
  /// all of them, and `rank` determines which system in the dump is this host.
  void start(LineRef head, int rank);
  void add(const TopologyNodePrinted& line);
  void add(const PathsPrinted& line);
  /// Whether lines are missing, belong to another dump or exceed a limit. A broken dump is not used.
  bool broken() const { return broken_; }
  /// Whether the paths of every GPU were read.
  bool whole() const { return !broken_ && !gpus_.empty() && paths_seen_ == gpus_.size(); }
  /// Writes the GPUs, the CPUs and the NICs of this host to `host`; the NICs belong to `network`. Returns false if the
  /// dump is incomplete, or if it is unknown which system of the dump is this host.
  bool put_into(Host& host, std::string_view network) const;

 private:
  enum class Kind : std::uint8_t { cpu, pci, nic, gpu };
  /// A node that may be the parent of the next line. `column` is the position of its `+`.
  struct Level {
    std::ptrdiff_t column;
    Kind kind;
    std::uint64_t id;  ///< NUMA node, bus id, or index into gpus_.
  };
  struct Gpu {
    std::uint64_t system = 0;
    int rank = -1;
    HostGpu facts;
    PathType worst_path = PathType::unknown;
    bool paths_seen = false;
  };
  /// A direct NVLink to another GPU, as printed below the GPU `from`.
  struct Link {
    std::uint64_t system = 0, to = 0;
    std::size_t from = 0;  ///< Index in gpus_.
    double bandwidth = 0;
  };
  struct Net {
    std::uint64_t system = 0;
    HostNic facts;
  };
  struct Cpu {
    std::uint64_t system = 0, id = 0;
  };

  void add_cpu(const TopologyNodePrinted& line);
  void add_gpu(const TopologyNodePrinted& line);
  void add_nvlink(const TopologyNodePrinted& line);
  void add_net(const TopologyNodePrinted& line);
  /// Sets the CPU and the PCI switch above the current line.
  template <class Facts>
  void locate(Facts& facts) const;
  Gpu* find_gpu(std::uint64_t system, std::uint64_t bus_id);
  /// Finds the system of the printing rank, or the only system in the dump; false if there is neither.
  bool find_system(std::uint64_t& system) const;

  LineRef head_;
  int rank_ = -1;
  bool broken_ = true;
  bool direct_ = false, switched_ = false;
  std::size_t paths_seen_ = 0;
  std::string cpu_;
  std::vector<Level> levels_;
  std::vector<Cpu> cpus_;
  std::vector<Gpu> gpus_;
  std::vector<Net> nets_;
  std::vector<Link> links_;
};

}  // namespace nccl_analyze::builder
