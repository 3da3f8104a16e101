// Describes the job in words. Equal communicators are grouped, and lists of different values are shortened.

#include "report/text_job.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "report/name_list.h"
#include "report/verdict.h"
#include "rules/support/address.h"
#include "rules/support/jobs.h"
#include "text/escape.h"

namespace nccl_analyze {
namespace {

constexpr std::size_t max_values = 4;

void append(std::string& list, std::string_view item, std::string_view separator = ", ") {
  if (item.empty()) return;
  if (!list.empty()) list += separator;
  list += item;
}

using Processes = std::vector<const Process*>;

/// Lists the different non-empty values of `get`, sorted; only the first few by name. `facts` returns the data from
/// which `get` builds a value. Most processes have the facts of the previous process, for which `get` is not called
/// again.
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
  std::string list;
  std::size_t shown = 0;
  for (const std::string& value : values) {
    if (shown++ == max_values) break;
    append(list, value);
  }
  if (values.size() > max_values) append(list, std::to_string(values.size() - max_values) + " more");
  return list;
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
  return library + " " + process.version +
         (process.toolkit.empty() ? "" : (library == "RCCL" ? " (HIP " : " (CUDA ") + process.toolkit + ")");
}

/// Formats a CUDA driver version: 13000 is 13.0.
std::string driver_of(const Process& process) {
  if (process.driver < 0) return {};
  return std::to_string(process.driver / 1000) + "." + std::to_string(process.driver % 1000 / 10);
}

std::string seconds(double value) {
  std::array<char, 64> digits{};
  const auto [end, error] =
      std::to_chars(digits.data(), digits.data() + digits.size(), value, std::chars_format::fixed, value < 1 ? 3 : 1);
  return error == std::errc{} ? std::string{digits.data(), end} + " s" : std::string{};
}

/// Counts connections by transport, the most frequent first: `8 x NET/Socket`. Network transports add how many of their
/// connections use GPUDirect RDMA.
std::string transports_of(const Communicator& communicator) {
  struct Use {
    std::uint64_t count = 0, gdrdma = 0;
    std::string_view name;
  };
  std::vector<Use> uses(communicator.transports.size());
  for (std::size_t i = 0; i < uses.size(); ++i) uses[i].name = communicator.transports[i];
  communicator.connections.each_bundle([&](const ConnectionBundle& bundle) {
    Use& use = uses[bundle.transport];
    use.count += bundle.size();
    use.gdrdma += static_cast<std::uint64_t>(std::popcount(bundle.gdrdma_send | bundle.gdrdma_receive));
  });
  std::erase_if(uses, [](const Use& use) { return use.count == 0; });
  std::sort(uses.begin(), uses.end(),
            [](const Use& a, const Use& b) { return a.count != b.count ? a.count > b.count : a.name < b.name; });
  std::string list;
  for (const Use& use : uses) {
    append(list, std::to_string(use.count) + " x " + std::string{use.name});
    if (use.gdrdma == use.count) list += " with GDRDMA";
    if (use.gdrdma > 0 && use.gdrdma < use.count) list += " (" + std::to_string(use.gdrdma) + " with GDRDMA)";
  }
  return list;
}

std::size_t logged_ranks(const Communicator& communicator) {
  std::size_t count = 0;
  int last = -1;
  for (const Rank& rank : communicator.ranks) count += std::exchange(last, rank.rank) != rank.rank ? 1 : 0;
  return count;
}

bool is_partial(const Communicator& communicator) {
  return communicator.nranks > 0 && logged_ranks(communicator) < static_cast<std::size_t>(communicator.nranks);
}

/// Counts the ranks that failed, aborted or did not complete; empty if the log lacks the start of the communicator.
std::string states_of(const Communicator& communicator) {
  struct Words {
    RankState state;
    std::string_view text;
  };
  constexpr std::array words{Words{RankState::failed, " failed"}, Words{RankState::aborted, " aborted"},
                             Words{RankState::started, " not seen to finish initialisation"}};
  if (communicator.inferred) return {};
  std::string list;
  for (const Words& word : words) {
    const auto count = std::count_if(communicator.ranks.begin(), communicator.ranks.end(),
                                     [&](const Rank& rank) { return rank.state == word.state; });
    if (count > 0)
      append(list, count_text(static_cast<std::uint64_t>(count), "rank", "ranks") + std::string{word.text});
  }
  return list;
}

std::string quantity(int count, std::string_view one, std::string_view many) {
  return count < 0 ? std::string{} : count_text(static_cast<std::uint64_t>(count), one, many);
}

/// Lists NVLS, CollNet and the connected algorithms of a communicator.
std::string algorithms_of(const Communicator& communicator) {
  std::string text;
  if (communicator.nvls_channels > 0) text = quantity(communicator.nvls_channels, "NVLS channel", "NVLS channels");
  append(text, quantity(communicator.nvls_head_count, "head", "heads"), " with ");
  if (!communicator.collnet.empty()) append(text, communicator.transports[communicator.collnet.front().transport]);
  std::uint8_t connected = 0;
  for (const Rank& rank : communicator.ranks) connected |= rank.connected;
  std::string names;
  for (std::size_t i = 0; i < algorithms; ++i)
    if (const auto algorithm = static_cast<Algorithm>(i); (connected & bit_of(algorithm)) != 0)
      append(names, to_string(algorithm));
  append(text, names.empty() ? names : "connected: " + names);
  return text;
}

/// The description of a communicator; communicators with equal descriptions form a group.
std::string shape_of(const Communicator& communicator, bool verbose) {
  std::string shape = quantity(communicator.nranks, "rank", "ranks");
  if (shape.empty()) shape = "unknown number of ranks";
  if (is_partial(communicator)) shape += " (" + std::to_string(logged_ranks(communicator)) + " in this input)";
  append(shape, quantity(communicator.nnodes, "node", "nodes"), " on ");
  append(shape, quantity(communicator.channels, "channel", "channels"));
  const std::string transports = transports_of(communicator);
  append(shape, transports.empty() && communicator.nranks != 1 ? "no connection shown" : transports);
  if (verbose) append(shape, algorithms_of(communicator), "; ");
  if (communicator.parent >= 0) append(shape, "split from another");
  if (communicator.inferred) append(shape, "start not in this input");
  append(shape, states_of(communicator));
  return shape;
}

struct Group {
  std::string shape;
  std::vector<std::size_t> members;
  int nranks = -1;
  double init_seconds = 0, stamped_seconds = 0;
};

/// Keeps the group's longest initialisation times: one measured by NCCL, one taken from timestamps of log lines.
void note_init(Group& group, const Communicator& communicator) {
  for (const Rank& rank : communicator.ranks) {
    if (rank.init_seconds) group.init_seconds = std::max(group.init_seconds, rank.init_seconds->total);
    if (rank.stamped_seconds)
      group.stamped_seconds = std::max(group.stamped_seconds, rank.stamped_seconds->to_complete);
  }
}

std::vector<Group> groups_of(const Model& model, bool one_by_one) {
  std::vector<Group> groups;
  std::map<std::string, std::size_t> by_shape;
  for (std::size_t i = 0; i < model.communicators.size(); ++i) {
    const Communicator& communicator = model.communicators[i];
    std::string shape = shape_of(communicator, one_by_one);
    const auto [place, is_new] = by_shape.try_emplace(one_by_one ? std::to_string(i) : shape, groups.size());
    if (is_new) groups.push_back({std::move(shape), {}, communicator.nranks, 0});
    Group& group = groups[place->second];
    group.members.push_back(i);
    note_init(group, communicator);
  }
  std::stable_sort(groups.begin(), groups.end(), [](const Group& a, const Group& b) { return a.nranks > b.nranks; });
  return groups;
}

std::string describe(const Group& group, const Model& model) {
  std::string text;
  if (group.members.size() == 1) {
    const Communicator& communicator = model.communicators[group.members.front()];
    text = "communicator " + communicator_name(model, static_cast<Index>(group.members.front()));
    if (!communicator.name.empty() && communicator.comm_id != 0) text += " (0x" + to_hex(communicator.comm_id) + ")";
  } else {
    text = std::to_string(group.members.size()) + " communicators alike";
    std::set<std::string_view> names;
    for (const std::size_t member : group.members) names.insert(model.communicators[member].name);
    names.erase("");
    if (!names.empty()) text += " (" + folded_names({names.begin(), names.end()}, max_values) + ")";
  }
  text += ": " + group.shape;
  const double init = group.init_seconds > 0 ? group.init_seconds : group.stamped_seconds;
  if (init > 0)
    append(text, (group.members.size() == 1 ? "init " : "init up to ") + seconds(init) +
                     (group.init_seconds > 0 ? "" : " by time stamps"));
  return text;
}

std::string describe_processes(const Processes& processes) {
  std::set<std::string_view> hosts;
  for (const Process* process : processes) hosts.insert(process->host);
  hosts.erase("");
  std::string text =
      distinct(processes, software_of, [](const Process& p) { return std::tie(p.library, p.version, p.toolkit); });
  if (text.empty()) text = "NCCL version not shown";
  append(text, labelled("driver ", distinct(processes, driver_of, [](const Process& p) { return p.driver; })), "; ");
  std::string places = count_text(processes.size(), "process", "processes");
  append(places, hosts.empty() ? std::string{} : count_text(hosts.size(), "host", "hosts"), " on ");
  append(text, places, "; ");
  append(text, labelled("network ", distinct(processes, &Process::network)), "; ");
  append(text, labelled("bootstrap over ", distinct(processes, &Process::bootstrap_interface)), "; ");
  append(text, labelled("platform ", distinct(processes, &Process::platform)), "; ");
  return text;
}

/// The status of a job and all findings above info that concern the job: `error: NCA302 efa-fallback, …`.
std::string faults_in(const Model& model, const Report& report, const Job& job) {
  const Judgement judgement = judge(model, report, job);
  std::string names;
  for (const Finding& finding : report.findings)
    if (finding.severity() != Severity::info && concerns(model, finding, job))
      append(names, std::string{finding.rule->id}.append(" ").append(finding.rule->name));
  return std::string{to_string(judgement.status)} + ": " + (names.empty() ? judgement.headline : names);
}

}  // namespace

std::string count_text(std::uint64_t count, std::string_view one, std::string_view many) {
  return std::to_string(count) + " " + std::string{count == 1 ? one : many};
}

std::string describe_processes(const Model& model) {
  Processes all;
  for (const Process& process : model.processes) all.push_back(&process);
  return describe_processes(all);
}

std::string describe_pods(const Model& model) {
  std::set<std::string_view> pods;
  for (const Process& process : model.processes) pods.insert(process.pod);
  pods.erase("");
  if (pods.empty()) return {};
  return (pods.size() == 1 ? "pod " : "pods ") + folded_names({pods.begin(), pods.end()}, max_values);
}

std::vector<std::string> describe_jobs(const Model& model, const Report& report) {
  const std::vector<Job> jobs = find_jobs(model);
  if (jobs.size() < 2) return {};
  std::vector<std::string> texts = {std::to_string(jobs.size()) + " jobs in this input, on the same GPUs"};
  const std::size_t shown = std::min(jobs.size(), max_values);
  for (std::size_t i = 0; i < shown; ++i) {
    const Job& job = jobs[i];
    std::string text = "job " + std::to_string(i + 1) + ": " +
                       count_text(static_cast<std::uint64_t>(job.nranks), "rank", "ranks") + " in ";
    text += model.sources[static_cast<std::size_t>(job.sources.front())].name;
    if (job.sources.size() > 1) text += " and " + count_text(job.sources.size() - 1, "other source", "other sources");
    Processes own;
    for (const Process& process : model.processes)
      if (job.holds(process.source)) own.push_back(&process);
    texts.push_back(text + ": " + faults_in(model, report, job) + ". " + describe_processes(own));
  }
  if (shown < jobs.size()) texts.push_back("and " + std::to_string(jobs.size() - shown) + " more");
  return texts;
}

std::vector<std::string> describe_communicators(const Model& model, bool one_by_one) {
  std::vector<std::string> texts;
  for (const Group& group : groups_of(model, one_by_one)) texts.push_back(describe(group, model));
  return texts;
}

std::string describe_missing_ranks(const Model& model) {
  const Communicator* largest = nullptr;
  for (const Communicator& communicator : model.communicators)
    if (is_partial(communicator) && (!largest || communicator.nranks > largest->nranks)) largest = &communicator;
  if (!largest) return {};
  return std::to_string(logged_ranks(*largest)) + " of " + std::to_string(largest->nranks) + " ranks";
}

}  // namespace nccl_analyze
