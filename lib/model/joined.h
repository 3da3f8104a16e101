#pragma once
// The lists of a model that hold what programs beside NCCL report, so that code which does the same with each of them
// names none.

#include <tuple>

#include "nccl_analyze/model.h"

namespace nccl_analyze {

/// Calls `use` with each list of what tools report whose output is in the input beside the log.
template <class AnyModel, class Use>
void each_tool_list(AnyModel& model, const Use& use) {
  // These are all members of Model: one that is added does not compile until it stands here, and below if it is a list
  // of a tool, or in each_joined_list() if it is what a framework or a launcher prints into the log.
  auto& [sources, versions, processes, hosts, communicators, ambiguities, unnamed_calls, incidents, stuck,
         launch_counts, ras_jobs, desynced, announced, all_registered, ras_reports, flight_records, inspected,
         durations, benchmarks, machines, pods, unrecognized, quotes, dropped, unreadable] = model;
  std::apply([&use](auto&... list) { (use(list), ...); }, std::tie(launch_counts, ras_jobs, ras_reports, flight_records,
                                                                   inspected, durations, benchmarks, machines, pods));
}

/// Calls `use` with each list of what tools, frameworks and launchers report.
template <class AnyModel, class Use>
void each_joined_list(AnyModel& model, const Use& use) {
  use(model.stuck);
  use(model.desynced);
  use(model.announced);
  each_tool_list(model, use);
}

}  // namespace nccl_analyze
