// Finds restarted processes by equal hosts and pids within a source, and logs of previous containers by their names.

#include "queries/attempts.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <string_view>
#include <tuple>

#include "queries/ranks.h"

namespace nccl_analyze {

namespace {

constexpr std::uint64_t never = std::numeric_limits<std::uint64_t>::max();

/// Returns the name of the log of the current container, if `name` is the log of a previous one; else empty. `kubectl
/// logs --previous` is kept as `trainer.previous.log` beside `trainer.log`.
std::string current_name(std::string_view name) {
  constexpr std::string_view mark = ".previous";
  const std::size_t at = name.rfind(mark);
  if (at == std::string_view::npos || name.find('/', at) != std::string_view::npos) return {};
  return std::string(name.substr(0, at)).append(name.substr(at + mark.size()));
}

/// A rank of a job: host, rank, size of the communicator.
using Place = std::tuple<std::string_view, int, int>;

/// The processes of a source that all printed their last line before the next generation began. If the source has
/// several generations, also their ranks, in communicators that have several ranks and were not split from another one.
struct Generation {
  std::uint64_t first_line = 0;
  std::vector<Index> processes;
  std::set<Place> places;
  std::set<Index> communicators;
};

/// Returns a list with an element for each source: its generations, in order. A source whose processes print at the
/// same time has only one generation.
std::vector<std::vector<Generation>> generations_of(const Model& model) {
  std::vector<std::vector<Generation>> by_source(model.sources.size());
  std::vector<std::uint64_t> last(model.sources.size());
  std::map<Index, Generation*> of;
  for (std::size_t i = 0; i < model.processes.size(); ++i) {  // sorted by source, then first line
    const Process& process = model.processes[i];
    const auto source = static_cast<std::size_t>(process.source);
    if (source >= by_source.size()) continue;
    std::vector<Generation>& generations = by_source[source];
    if (generations.empty() || last[source] < process.first.line)
      generations.emplace_back().first_line = process.first.line;
    last[source] = std::max(last[source], std::uint64_t{process.last.line});
    generations.back().processes.push_back(static_cast<Index>(i));
  }
  for (std::vector<Generation>& generations : by_source)
    if (generations.size() > 1)
      for (Generation& generation : generations)
        for (const Index process : generation.processes) of[process] = &generation;
  if (of.empty()) return by_source;
  for (std::size_t i = 0; i < model.communicators.size(); ++i) {
    const Communicator& comm = model.communicators[i];
    if (comm.parent >= 0 || comm.split_count >= 0 || comm.nranks < 2) continue;
    for (const Rank& rank : comm.ranks) {
      const auto found = of.find(rank.process);
      if (found == of.end()) continue;
      found->second->places.emplace(model.processes[rank.process].host.view(), rank.rank, comm.nranks);
      found->second->communicators.insert(static_cast<Index>(i));
    }
  }
  return by_source;
}

bool ended_in_order(const Model& model, const Generation& generation) {
  return std::ranges::all_of(generation.processes,
                             [&](Index process) { return model.processes[process].ended_in_order; });
}

/// Whether the second generation is the job of the first one, started again: both have the same ranks on the same
/// hosts, but no communicator in common, and the processes of the first one did not end in order.
bool is_begun_again(const Model& model, const Generation& first, const Generation& second) {
  if (first.places.empty() || first.places != second.places || ended_in_order(model, first)) return false;
  return std::ranges::none_of(first.communicators, [&](Index comm) { return second.communicators.contains(comm); });
}

/// A process of a source: source, pid, host, pod.
using Name = std::tuple<SourceId, std::int64_t, std::string_view, std::string_view>;
Name name_of(const Process& process) { return {process.source, process.pid, process.host.view(), process.pod.view()}; }

/// Whether several processes have one name, which few jobs have.
bool has_namesakes(const Model& model) {
  std::set<Name> of_source;
  const Process* before = nullptr;
  for (const Process& process : model.processes) {  // sorted by source
    if (before != nullptr && before->source != process.source) of_source.clear();
    before = &process;
    if (process.pid >= 0 && !of_source.insert(name_of(process)).second) return true;
  }
  return false;
}

}  // namespace

Attempts::Attempts(const Model& model) : model_(model), begins_(model.sources.size()) {
  find_restarts(model);
  find_successors(model);
  find_previous_logs(model);
}

void Attempts::find_restarts(const Model& model) {
  if (!has_namesakes(model)) return;
  std::map<Name, const Process*> newest;
  for (const Process& process : model.processes) {  // sorted by source, then first line
    if (process.pid < 0 || static_cast<std::size_t>(process.source) >= begins_.size()) continue;
    const Process*& last = newest[name_of(process)];
    if (last != nullptr) ends_.insert(last->last);
    last = &process;
  }
  if (ends_.empty()) return;
  const auto is_replaced = [&](const Process& process) { return ends_.contains(process.last); };
  std::set<Name> restarted;
  for (const Process& process : model.processes)
    if (is_replaced(process)) restarted.insert(name_of(process));
  for (const auto& [name, process] : newest) {
    if (!restarted.contains(name)) continue;
    std::uint64_t& begin = begins_[static_cast<std::size_t>(process->source)];
    begin = begin == 0 ? std::uint64_t{process->first.line} : std::min(begin, std::uint64_t{process->first.line});
  }
  for (const Process& process : model.processes) {  // A process that continues was not restarted with the others.
    if (static_cast<std::size_t>(process.source) >= begins_.size()) continue;
    std::uint64_t& begin = begins_[static_cast<std::size_t>(process.source)];
    if (!is_replaced(process) && process.first.line < begin && process.last.line >= begin) begin = 0;
  }
}

void Attempts::find_successors(const Model& model) {
  const std::vector<std::vector<Generation>> by_source = generations_of(model);
  for (std::size_t i = 0; i < by_source.size(); ++i)
    for (std::size_t j = 1; j < by_source[i].size(); ++j)
      if (is_begun_again(model, by_source[i][j - 1], by_source[i][j]))
        begins_[i] = std::max(begins_[i], by_source[i][j].first_line);
}

void Attempts::find_previous_logs(const Model& model) {
  std::set<std::string_view> names;
  for (const Source& source : model.sources) names.insert(source.name);
  for (std::size_t i = 0; i < begins_.size(); ++i)
    if (const std::string current = current_name(model.sources[i].name); !current.empty() && names.contains(current))
      begins_[i] = never;
}

bool Attempts::is_earlier(LineRef at) const {
  const auto source = static_cast<std::size_t>(at.source);
  return source < begins_.size() && (at.line < begins_[source] || (begins_[source] > 0 && ends_.contains(at)));
}

bool Attempts::is_earlier(SourceId source) const {
  const auto index = static_cast<std::size_t>(source);
  return index < begins_.size() && begins_[index] == never;
}

bool Attempts::are_earlier(const std::vector<LineRef>& lines) const {
  return !lines.empty() && std::ranges::all_of(lines, [&](LineRef at) { return is_earlier(at); });
}

bool Attempts::is_earlier_process(Index process) const {
  const Process* const known = process_of(model_, process);
  return known == nullptr || is_earlier(known->last);
}

// Evidence keeps only its first lines, so lines of the current attempt may be missing. Therefore the processes decide.
bool Attempts::is_earlier(const Incident& incident) const {
  const Evidence& evidence = incident.evidence;
  return are_earlier(evidence.lines) &&
         (incident.process >= 0 ? is_earlier_process(incident.process) : evidence.count <= evidence.lines.size());
}

bool Attempts::is_earlier(const Finding& finding) const {
  const Evidence& evidence = finding.evidence;
  if (!are_earlier(evidence.lines)) return false;
  if (finding.processes.empty()) return evidence.count <= evidence.lines.size();
  return std::ranges::all_of(finding.processes, [&](Index process) { return is_earlier_process(process); });
}

void set_earlier_attempts_aside(const Attempts& attempts, std::vector<Finding>& findings) {
  for (Finding& finding : findings) {
    if (finding.severity() == Severity::info || !attempts.is_earlier(finding)) continue;
    finding.own_severity = Severity::info;
    finding.own_stage = Stage::note;
    finding.survived = true;
    finding.message = "In an earlier attempt: " + finding.message;
  }
}

}  // namespace nccl_analyze
