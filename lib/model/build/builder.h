#pragma once
// Builds the state of the model: finds the process of each record and passes its event to the domain that handles it.

#include <cstdint>
#include <string_view>

#include "model/build/benchmarks.h"
#include "model/build/collectives.h"
#include "model/build/communicators.h"
#include "model/build/connections.h"
#include "model/build/context.h"
#include "model/build/dispatch.h"
#include "model/build/external.h"
#include "model/build/graph.h"
#include "model/build/hosts.h"
#include "model/build/incidents.h"
#include "model/build/machines.h"
#include "model/build/plugins.h"
#include "model/build/pods.h"
#include "model/build/processes.h"
#include "model/build/recordings.h"
#include "model/build/senders.h"

namespace nccl_analyze::builder {

class Builder {
 public:
  explicit Builder(const ModelLimits& limits) : context_(limits) {}

  void add(const Record& record);
  void add(const Record& record, const ReplayedRecord& replayed) {
    context_.replayed = replayed;
    add(record);
    context_.replayed = {};
  }
  /// Makes room for further sources, in case that these have as many processes and ranks each as those so far: tables
  /// that grow step by step are copied several times. `read`: how many of `all` sources have been added.
  void expect_sources(std::size_t read, std::size_t all);
  void leave_out(std::uint64_t facts) { context_.state.model.dropped += facts; }
  void add_source(SourceId source, std::string_view name, const ParseStats& stats);
  /// Returns the state for resolve(). The builder cannot be used afterwards.
  BuilderState finish();

 private:
  void add_external();
  void give_event();

  Context context_;
  Senders senders_;
  Dispatch<Processes, Plugins, Hosts, Communicators, Graph, Connections, Collectives, Incidents, External, Benchmarks,
           Machines, Pods, Recordings>
      domains_;
};

}  // namespace nccl_analyze::builder

namespace nccl_analyze {

struct ModelBuilder::Impl : builder::Builder {
  using Builder::Builder;
};

}  // namespace nccl_analyze
