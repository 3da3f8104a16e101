#pragma once
/// Collects the facts of one run. Facts come from processes, hosts and connections, but are kept by rank.

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "nccl_analyze/compare.h"

namespace nccl_analyze {

/// The rank of the main communicator that a fact is of, or a process that is none of its ranks.
struct Subject {
  int rank = -1;
  bool is_rank() const { return rank >= 0; }
};

class FactCollector {
 public:
  /// An empty text is a value that was not seen, which is no fact. Subjects must come in order of their ranks; a second
  /// value of a subject is dropped.
  void add(Topic topic, std::string_view name, Subject subject, std::string_view text, LineRef at = {});
  /// Adds a fact of the whole job.
  void add(Topic topic, std::string_view name, std::string_view text, LineRef at = {}) {
    add(topic, name, Subject{}, text, at);
  }
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

/// The fact that depends on which rank runs on which host, so that it is only compared if those are equal.
inline constexpr std::string_view gpu_of_rank = "GPU of the rank";

/// The communicator with the most ranks, of several the one with the most logs, of these the first; -1: there is none.
Index find_main(const Model& model);

/// What the collectors of the topics need to know of a model.
struct RunView {
  const Model& model;
  Index main = -1;  ///< The communicator with the most ranks; -1: none has two ranks.
  const Communicator* main_communicator() const { return model.communicators.find(main); }
};

/// The number of ranks and hosts, and which ranks share a host.
void add_job_facts(const RunView& run, FactCollector& into);
/// Network, plugins, versions and settings of a process.
void add_process_facts(const Process& process, Subject subject, FactCollector& into);
/// The machine and the NICs of the process's host.
void add_host_facts(const Model& model, const Process& process, Subject subject, FactCollector& into);
/// The GPU of a rank, its links and its NICs.
void add_gpu_facts(const Model& model, const Rank& rank, FactCollector& into);
/// Transports by kind of edge, and GPUDirect RDMA.
void add_edge_facts(const RunView& run, FactCollector& into);
/// Channels, algorithms, rings, trees, and how far ranks came.
void add_communicator_facts(const RunView& run, FactCollector& into);
/// How long the slowest rank took for each part of its initialisation.
std::vector<Measure> init_times(const Communicator& communicator);

}  // namespace nccl_analyze
