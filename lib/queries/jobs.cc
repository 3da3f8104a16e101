// Tells which jobs an input is of: groups of processes by their communicators, and the ids of Slurm jobs.

#include "queries/jobs.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include "nccl_analyze/events/external.h"

namespace nccl_analyze {

namespace {

/// A union-find structure over processes; each communicator unites its processes.
class Joined {
 public:
  explicit Joined(const Model& model) : parents_(model.processes.size()) {
    std::iota(parents_.begin(), parents_.end(), std::size_t{0});
    for (const Communicator& comm : model.communicators) {
      Index first = -1;
      for (const Rank& rank : comm.ranks) {
        if (rank.process < 0) continue;
        if (first < 0) first = rank.process;
        parents_[root(rank.process)] = root(first);
      }
    }
  }
  std::size_t root(Index process) {
    auto i = static_cast<std::size_t>(process);
    while (parents_[i] != i) i = parents_[i] = parents_[parents_[i]];
    return i;
  }

 private:
  std::vector<std::size_t> parents_;
};

/// A GPU by its host and bus id.
using Gpu = std::pair<std::string_view, std::uint64_t>;

/// A set of processes that are connected by common communicators: the size of the largest communicator, and the sources
/// and GPUs of the processes.
struct Part {
  int nranks = -1;
  std::set<SourceId> sources;
  std::set<Gpu> gpus;
};

template <class T>
std::size_t count_common(const std::set<T>& a, const std::set<T>& b) {
  return static_cast<std::size_t>(std::count_if(a.begin(), a.end(), [&](const T& one) { return b.contains(one); }));
}

/// Whether two parts have equally large communicators and no common source, but use mostly the same GPUs, as two runs
/// on the same hosts do.
bool same_place(const Part& a, const Part& b) {
  return a.nranks == b.nranks && count_common(a.sources, b.sources) == 0 && !a.gpus.empty() &&
         count_common(a.gpus, b.gpus) * 2 > std::max(a.gpus.size(), b.gpus.size());
}

std::vector<Part> parts_of(const Model& model) {
  Joined joined(model);
  std::map<std::size_t, Part> parts;
  for (const Communicator& comm : model.communicators) {
    if (comm.inferred || comm.nranks < 2) continue;
    for (const Rank& rank : comm.ranks) {
      if (rank.process < 0) continue;
      const Process& process = model.processes[rank.process];
      Part& part = parts[joined.root(rank.process)];
      part.nranks = std::max(part.nranks, comm.nranks);
      part.sources.insert(process.source);
      if (rank.has_bus_id && !process.host.empty()) part.gpus.emplace(process.host.view(), rank.bus_id);
    }
  }
  std::vector<Part> found;
  for (auto& entry : parts) found.push_back(std::move(entry.second));
  return found;
}

/// Returns the number in the name of a file that Slurm writes by default, `slurm-77.out`; empty if there is none.
std::string_view slurm_job_in(std::string_view path) {
  constexpr std::string_view before = "slurm-";
  const std::string_view name = path.substr(path.rfind('/') + 1);
  if (!name.starts_with(before)) return {};
  const std::string_view rest = name.substr(before.size());
  return rest.substr(0, std::min(rest.find_first_not_of("0123456789"), rest.size()));
}

}  // namespace

bool Job::holds(SourceId source) const { return std::ranges::binary_search(sources, source); }

bool Job::holds(const Model& model, Index process) const {
  return process >= 0 && holds(model.processes[process].source);
}

bool concerns(const Model& model, const Finding& finding, const Job& job) {
  return std::ranges::any_of(finding.evidence.lines, [&](LineRef at) { return job.holds(at.source); }) ||
         std::ranges::any_of(finding.processes, [&](Index process) { return job.holds(model, process); });
}

std::vector<Job> find_jobs(const Model& model) {
  constexpr std::size_t most_parts = 64;  // the comparison of all pairs is quadratic
  if (model.sources.size() < 2) return {};
  const std::vector<Part> parts = parts_of(model);
  if (parts.size() < 2 || parts.size() > most_parts) return {};
  std::vector<Job> jobs;
  for (const Part& part : parts) {
    const bool apart =
        std::ranges::any_of(parts, [&](const Part& other) { return &other != &part && same_place(part, other); });
    if (apart) jobs.push_back({.nranks = part.nranks, .sources = {part.sources.begin(), part.sources.end()}});
  }
  std::sort(jobs.begin(), jobs.end(), [](const Job& a, const Job& b) { return a.sources < b.sources; });
  return jobs;
}

std::string slurm_job_of(const Model& model, const std::string& known) {
  std::set<std::string_view> jobs;
  for (const Incident& incident : model.incidents) {
    const std::string_view job = incident.event.as<JobCancelled>().job;
    jobs.insert(job.substr(0, job.find('.')));  // without the step
  }
  for (const Source& source : model.sources) jobs.insert(slurm_job_in(source.name));
  jobs.erase("");
  if (jobs.empty()) return known;
  return jobs.size() == 1 ? std::string{*jobs.begin()} : std::string{};
}

}  // namespace nccl_analyze
