#include "model/resolve/outlived.h"

#include <algorithm>
#include <vector>

#include "nccl_analyze/events/external.h"

namespace nccl_analyze::builder {

std::map<SourceId, LineRef> last_results(const Model& model) {
  std::map<SourceId, LineRef> last;
  for (const Benchmark& benchmark : model.benchmarks)
    for (const Measurement& one : benchmark.measurements)
      if (one.wrong <= 0) last[one.at.source] = std::max(last[one.at.source], one.at);
  return last;
}

LineRef first_orderly_end(const Model& model) {
  LineRef first;
  std::vector<LineRef> ends(model.processes.size());
  for (const Communicator& comm : model.communicators)
    for (const Rank& rank : comm.ranks) {
      if (rank.process < 0 || !model.processes[rank.process].ended_in_order) return {};
      if (rank.state != RankState::destroyed) continue;
      LineRef& end = ends[static_cast<std::size_t>(rank.process)];
      end = std::max(end, rank.ended_at);
    }
  for (const LineRef end : ends) {
    if (end.line == 0) continue;
    if (first.line > 0 && end.source != first.source) return {};
    first = first.line == 0 ? end : std::min(first, end);
  }
  return first;
}

bool is_outlived(const Incident& incident, LineRef first_end) {
  // Kubernetes' objects stand anywhere in a source.
  const bool is_of_kernel =
      incident.kind == IncidentKind::gpu_faulted ||
      (incident.kind == IncidentKind::memory_killed && incident.event.as<ProcessEnded>().why == "Killed process");
  const LineRef last = incident.evidence.lines.back();
  return is_of_kernel && last.source == first_end.source && last < first_end;
}

}  // namespace nccl_analyze::builder
