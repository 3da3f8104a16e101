#pragma once
/// The counts of a report that monitoring systems keep, for every format of metrics.

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "nccl_analyze/model.h"
#include "nccl_analyze/rule.h"

namespace nccl_analyze {

/// Where a process runs, as the log names it. Unknown names are empty.
struct Location {
  std::string_view host, pod, container;
  Index host_index = -1;  ///< Index into Model::hosts; -1: no process of the input runs there.

  friend bool operator<(const Location& a, const Location& b) {
    return std::tie(a.host, a.pod, a.container) < std::tie(b.host, b.pod, b.container);
  }
};
/// Returns the locations to look at for a finding: those of its suspects, or without suspects those of its processes.
/// Unknown locations are left out.
std::set<Location> locations_of(const Model& model, const Finding& finding);

/// A value with the labels that tell it from the other values of a metric. Labels are not escaped.
struct Count {
  std::vector<std::pair<std::string_view, std::string>> labels;
  std::uint64_t value = 0;
};
struct Metric {
  std::string_view name;  ///< Words with underscores, without the name of the program.
  std::string_view unit;  ///< In the notation of UCUM, such as `{finding}`.
  std::string_view about;
  std::vector<Count> counts;
};
/// Returns the metrics of a report. The number of counts is bounded.
std::vector<Metric> list_metrics(const Model& model, const Report& report);

}  // namespace nccl_analyze
