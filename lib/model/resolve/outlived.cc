#include "model/resolve/outlived.h"

#include <algorithm>
#include <vector>

#include "nccl_analyze/events/external.h"

namespace nccl_analyze::builder {

namespace {

bool is_of_another_job(const Model& model, const Benchmark& benchmark) {
  if (benchmark.ranks.empty() || benchmark.communicator >= 0 || model.processes.empty()) return false;
  return std::ranges::all_of(benchmark.ranks, [](const BenchmarkRank& rank) { return rank.process < 0; });
}

}  // namespace

std::map<SourceId, LineRef> last_results(const Model& model) {
  std::map<SourceId, LineRef> last;
  for (const Benchmark& benchmark : model.benchmarks) {
    if (is_of_another_job(model, benchmark)) continue;
    for (const Measurement& one : benchmark.measurements)
      if (one.wrong <= 0) last[one.at.source] = std::max(last[one.at.source], one.at);
  }
  return last;
}

std::vector<SourceProgress> work_of_sources(const Model& model) {
  std::vector<SourceProgress> work(model.sources.size());
  for (const Process& process : model.processes) {
    const auto source = static_cast<std::size_t>(process.last.source);
    if (process.last.line == 0 || source >= work.size()) continue;
    SourceProgress& of_source = work[source];
    if (process.progress.source == process.last.source) of_source.last = std::max(of_source.last, process.progress);
    if (process.ended_in_order) continue;
    const LineRef stop =
        process.progress.source == process.last.source ? std::max(process.first, process.progress) : process.first;
    if (of_source.first_stop.line == 0 || stop < of_source.first_stop) of_source.first_stop = stop;
  }
  return work;
}

bool progressed_after(const std::vector<SourceProgress>& work, LineRef at) {
  const auto source = static_cast<std::size_t>(at.source);
  if (source >= work.size()) return false;
  const auto& [last, first_stop] = work[source];
  return at < last && (first_stop.line == 0 || at < first_stop);
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

bool job_survived(const Incident& incident, LineRef first_end) {
  // Lines about objects of Kubernetes may be anywhere in a source, so their position proves nothing.
  const bool is_of_kernel =
      incident.kind == IncidentKind::gpu_faulted || incident.kind == IncidentKind::device_faulted ||
      (incident.kind == IncidentKind::memory_killed && incident.event.as<ProcessEnded>().why == "Killed process");
  const bool is_of_host = incident.kind == IncidentKind::memory_killed || incident.kind == IncidentKind::node_lost;
  const LineRef last = incident.evidence.lines.back();
  return (is_of_kernel || is_of_host) && last.source == first_end.source && last < first_end;
}

}  // namespace nccl_analyze::builder
