#pragma once
/// Collects the facts of one run. Facts of processes, hosts and connections are stored by rank, because two runs may
/// have different host names and pids.

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "nccl_analyze/compare.h"

namespace nccl_analyze {

/// The subject of a fact. `rank` is a rank of the main communicator; -1: the whole job, or a process that is no rank of
/// the main communicator.
struct Subject {
  int rank = -1;
  bool is_rank() const { return rank >= 0; }
};

class FactCollector {
 public:
  /// Adds a fact with the value `text`. Has no effect if `text` is empty, which means an unknown value. The ranks of a
  /// fact must be added in ascending order; adding the same value of a rank again has no effect. `at`: a line that
  /// shows the value; only the first line is kept for each value.
  void add(Topic topic, std::string_view name, Subject subject, std::string_view text, LineRef at = {});
  /// Adds a fact of the whole job.
  void add(Topic topic, std::string_view name, std::string_view text, LineRef at = {}) {
    add(topic, name, Subject{}, text, at);
  }
  /// Returns the facts, sorted by topic and name.
  std::vector<Fact> take() &&;

 private:
  /// The values of one fact, by text.
  using Values = std::map<std::string, FactValue, std::less<>>;
  struct ByName {
    using is_transparent = void;
    template <class A, class B>
    bool operator()(const A& a, const B& b) const {
      return std::pair<Topic, std::string_view>(a.first, a.second) <
             std::pair<Topic, std::string_view>(b.first, b.second);
    }
  };
  std::map<std::pair<Topic, std::string>, Values, ByName> facts_;
};

/// The name of a fact that depends on the placement of ranks on hosts. It is compared only if no fact of Topic::job
/// differs.
inline constexpr std::string_view gpu_of_rank = "GPU of the rank";

/// Returns the main communicator, which has the most ranks; among equals, the one with the most logged ranks, then the
/// first one. -1: no communicator has a rank with a log.
Index find_main_communicator(const Model& model);

/// The model of a run with its main communicator, for the functions below.
struct RunView {
  const Model& model;
  Index main = -1;  ///< The result of find_main_communicator().
  const Communicator* main_communicator() const { return model.communicators.find(main); }
};

/// Adds the number of ranks and the ranks without a log; if all ranks have a log, also the number of hosts and which
/// ranks share a host.
void add_job_facts(const RunView& run, FactCollector& into);
/// Adds the network, plugins, versions and settings of a process.
void add_process_facts(const Process& process, Subject subject, FactCollector& into);
/// Adds the machine and the NICs of the process's host.
void add_host_facts(const Model& model, const Process& process, Subject subject, FactCollector& into);
/// Adds the GPU of a rank, the GPU's links and the NICs that it uses.
void add_gpu_facts(const Model& model, const Rank& rank, FactCollector& into);
/// Adds the transports of each rank inside hosts and between hosts, and whether it uses GPUDirect RDMA.
void add_edge_facts(const RunView& run, FactCollector& into);
/// Adds the sizes of the communicators. For the main communicator, also adds its channels, rings and trees, and for
/// each rank the connected algorithms and the phase that its initialisation reached.
void add_communicator_facts(const RunView& run, FactCollector& into);
/// Returns the duration of the initialisation and of each of its phases, for the rank on which it was longest.
/// Durations that no rank shows are left out.
std::vector<Measure> init_times(const Communicator& communicator);

}  // namespace nccl_analyze
