// Describes the processes and jobs of the input in words. Lists of different values are shortened.

#include "report/sentences/job.h"

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "nccl_analyze/rule_parts.h"
#include "queries/hosts.h"
#include "queries/jobs.h"
#include "queries/network.h"
#include "queries/places.h"
#include "queries/ranks.h"
#include "report/sentences/verdict.h"
#include "text/host_list.h"
#include "text/phrases.h"

namespace nccl_analyze {
namespace {

constexpr std::size_t most_values = 4;

using Processes = std::vector<const Process*>;

/// Lists the values; those beyond `most_values` are only counted.
std::string list_some(const std::set<std::string, std::less<>>& values) {
  return joined(values, ", ", most_values, ", ");
}

/// Lists the distinct non-empty values of `get`, sorted; values beyond `most_values` are only counted. `facts` returns
/// the data from which `get` builds a value. Consecutive processes mostly have equal facts, so `get` is called once for
/// them.
template <class Get, class Facts>
std::string distinct(const Processes& processes, Get get, Facts facts) {
  std::set<std::string, std::less<>> values;
  const Process* last = nullptr;
  for (const Process* process : processes) {
    if (last != nullptr && facts(*last) == facts(*process)) continue;
    last = process;
    const auto& value = get(*process);
    if (!values.contains(std::string_view{value})) values.emplace(std::string_view{value});
  }
  values.erase("");
  return list_some(values);
}

std::string distinct(const Processes& processes, Text Process::*fact) {
  const auto get = [fact](const Process& process) -> const Text& { return process.*fact; };
  return distinct(processes, get, get);
}

std::string labelled(std::string_view label, const std::string& text) {
  return text.empty() ? std::string{} : std::string{label} + text;
}

std::string software_of(const Process& process) {
  if (process.version.empty()) return process.library.str();
  const std::string library = process.library.empty() ? "NCCL" : process.library.str();
  const std::string other = process.second_version.empty() ? std::string() : " and " + process.second_version.str();
  return library + " " + process.version + other +
         (process.toolkit.empty() ? "" : (library == "RCCL" ? " (HIP " : " (CUDA ") + process.toolkit + ")");
}

/// Lists the releases that are inferred from the places in NCCL's source that messages name: `NCCL 2.18.3 to 2.18.6`.
/// Empty if no release is inferred.
std::string inferred_software_of(const Processes& processes) {
  std::vector<const InferredVersion*> inferred;
  for (const Process* const process : processes)
    if (process->inferred_version) inferred.push_back(&*process->inferred_version);
  std::set<std::string, std::less<>> texts;
  for (const InferredVersion& one : merged_versions(inferred)) {
    std::string text = one.library.str().append(" ").append(one.versions.front());
    if (one.versions.size() > 1) text.append(" to ").append(one.versions.back());
    texts.insert(std::move(text));
  }
  return list_some(texts);
}

/// Leaves out each process that prints no toolkit, if another process prints the same version with one: the line of the
/// former is not NCCL's own, such as `nccl==2.27.5` of vLLM.
Processes with_toolkit(Processes processes) {
  std::set<std::pair<std::string_view, std::string_view>> built;
  for (const Process* one : processes)
    if (!one->toolkit.empty()) built.emplace(one->library, one->version);
  std::erase_if(processes, [&](const Process* one) {
    return one->toolkit.empty() && built.contains({one->library.view(), one->version.view()});
  });
  return processes;
}

/// Describes library and version. If no process prints its version, gives the inferred versions instead.
std::string describe_software(const Processes& processes) {
  std::string text = distinct(with_toolkit(processes), software_of,
                              [](const Process& p) { return std::tie(p.library, p.version, p.toolkit); });
  if (std::ranges::any_of(processes, [](const Process* one) { return !one->version.empty(); })) return text;
  const std::string inferred = inferred_software_of(processes);
  if (!inferred.empty()) return inferred + " (not shown: inferred from the places in its source that messages name)";
  return (text.empty() ? std::string("NCCL") : text) + " version not shown";
}

/// Formats a CUDA driver version: 13000 is 13.0.
std::string driver_of(const Process& process) {
  if (process.driver < 0) return {};
  return std::to_string(process.driver / 1000) + "." + std::to_string(process.driver % 1000 / 10);
}

/// Whether the host or pid of the process is known. Lines without either may be from any number of processes.
bool is_named(const Process* process) { return process->pid >= 0 || !process->host.empty(); }

/// Counts the hosts: `2 hosts`; empty if no line names a host.
std::string count_hosts(const Processes& processes) {
  HostCount count;
  for (const Process* process : processes) count.add(*process);
  if (count.names() == 0) return {};
  std::string text = count_text(count.hosts(), "host");
  if (count.hosts() == count.names()) return text;
  return text +
         (count.names() == 1 ? " of one name, or containers of one" : ", some of one name, or containers of one");
}

/// Counts the processes with a known host or pid, and their hosts: `8 processes on 2 hosts`; empty if there are none.
std::string count_processes(const Processes& processes) {
  const auto named = static_cast<std::uint64_t>(std::ranges::count_if(processes, is_named));
  if (named == 0) return {};
  std::string text = count_text(named, "process");
  append_item(text, count_hosts(processes), " on ");
  if (named < processes.size()) text += ", and lines that name no process";
  return text;
}

/// Returns the network; with Libfabric also the provider: `AWS Libfabric (provider efa)`.
std::string network_of(const Process& process) {
  const std::string_view provider = libfabric_provider(process);
  return provider.empty() || process.network.empty() || process.network == "Socket" || process.network == "IB"
             ? process.network.str()
             : process.network.str().append(" (provider ").append(provider).append(")");
}

/// Describes the processes in one sentence.
std::string describe_processes(const Processes& processes) {
  std::string text = describe_software(processes);
  append_item(text,
              labelled("driver for CUDA ", distinct(processes, driver_of, [](const Process& p) { return p.driver; })),
              "; ");
  append_item(text, count_processes(processes), "; ");
  append_item(text, labelled("network ", distinct(processes, network_of, network_of)), "; ");
  append_item(text, labelled("bootstrap over ", distinct(processes, &Process::bootstrap_interface)), "; ");
  append_item(text, labelled("platform ", distinct(processes, &Process::platform)), "; ");
  return text;
}

/// Returns the status of a job, then the rules of its errors and warnings: `warning: NCA302 socket-fallback, …`. If no
/// error or warning concerns the job, the headline of its report follows instead.
std::string faults_in(const Model& model, const Report& report, const Job& job) {
  const Judgement judgement = judge(model, report, job);
  std::string names;
  for (const Finding& finding : report.findings)
    if (finding.severity() != Severity::info && concerns(model, finding, job))
      append_item(names, std::string{finding.rule->id}.append(" ").append(finding.rule->name));
  return std::string{to_string(judgement.status)} + ": " + (names.empty() ? judgement.headline : names);
}

/// Says of which pods of manifests no process is in this input; empty if there are none, or if no pod has a process.
std::string describe_silent_pods(const Model& model) {
  std::set<std::string_view> silent;
  std::size_t pods = 0;
  for (const Pod& pod : model.pods) {
    if (pod.kind != "Pod") continue;
    ++pods;
    if (pod.hosts.empty()) silent.insert(pod.name);
  }
  if (silent.empty() || silent.size() == pods) return {};
  return "no NCCL line of " + std::to_string(silent.size()) + " of the " + std::to_string(pods) +
         " pods in the manifests: " + fold_host_list({silent.begin(), silent.end()}, most_values);
}

}  // namespace

std::string describe_processes(const Model& model) {
  Processes all;
  for (const Process& process : model.processes) all.push_back(&process);
  const std::string size =
      model.ras_jobs.empty() ? std::string() : "by NCCL's RAS " + ras_job_text(model.ras_jobs.back());
  std::string text = describe_processes(all);
  append_item(text, size, "; ");
  return text;
}

std::string describe_pods(const Model& model) {
  std::set<std::string_view> pods;
  for (const Process& process : model.processes) pods.insert(process.pod);
  pods.erase("");
  std::string text;
  if (!pods.empty())
    text = (pods.size() == 1 ? "pod " : "pods ") + fold_host_list({pods.begin(), pods.end()}, most_values);
  append_item(text, describe_silent_pods(model), "; ");
  return text;
}

std::vector<std::string> describe_jobs(const Model& model, const Report& report) {
  const std::vector<Job> jobs = find_jobs(model);
  if (jobs.size() < 2) return {};
  std::vector<std::string> texts = {std::to_string(jobs.size()) + " jobs in this input, on the same GPUs"};
  const std::size_t shown = std::min(jobs.size(), most_values);
  for (std::size_t i = 0; i < shown; ++i) {
    const Job& job = jobs[i];
    std::string text = "job " + std::to_string(i + 1) + ": " + count_text(job.nranks, "rank") + " in ";
    text += model.sources[static_cast<std::size_t>(job.sources.front())].name;
    if (job.sources.size() > 1) text += " and " + count_text(job.sources.size() - 1, "other source");
    Processes own;
    for (const Process& process : model.processes)
      if (job.holds(process.source)) own.push_back(&process);
    texts.push_back(text + ": " + faults_in(model, report, job) + ". " + describe_processes(own));
  }
  if (shown < jobs.size()) texts.push_back("and " + std::to_string(jobs.size() - shown) + " more");
  return texts;
}

}  // namespace nccl_analyze
