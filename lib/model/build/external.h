#pragma once
// What frameworks, launchers, the kernel and NCCL's RAS client print of the job.

#include <cstddef>
#include <map>
#include <string>
#include <tuple>

#include "model/build/context.h"

namespace nccl_analyze::builder {

class External {
 public:
  void apply(Context& context, const CollectiveTimedOut& event);
  void apply(Context& context, const WatchdogReported& event);
  void apply(Context& context, const ProgramRaised& event);
  void apply(Context& context, const ProcessEnded& event);
  void apply(Context& context, const JobCancelled& event);
  void apply(Context& context, const GpuFaulted& event);
  void apply(Context& context, const RasCountsDiffer& event);
  void apply(Context& context, const RasRanksCounted& event);
  void apply(Context& context, const RasRankListed& event);
  void apply(Context& context, const PhraseSeen& event);

 private:
  /// What PyTorch's watchdog printed of the rank that the line names; null beyond the limit.
  WatchdogTimeout* watchdog_timeout(Context& context);
  /// The RAS report that the line continues; null when it is part of none.
  RasOpCounts* open_counts(Context& context);

  /// Model::stuck by group and rank.
  std::map<std::tuple<SourceId, std::string, int, int>, std::size_t> timeout_index_;
  LineRef counts_end_;  ///< Last line of the newest RAS report.
};

}  // namespace nccl_analyze::builder
