// Groups hosts that are equal in shape, software, settings, rank states and suspicions.

#include "report/graph/host_kinds.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "model/stable_sort.h"
#include "text/phrases.h"

namespace nccl_analyze {
namespace {

constexpr std::size_t max_settings = 4;

using Processes = std::vector<const Process*>;
using SettingsByName = std::map<std::string_view, std::string_view>;  ///< Values by variable.

/// Returns the most frequent value of each variable. A variable is included only if all processes print it, or if more
/// than half of all processes print the same value.
SettingsByName common_settings(const Table<Processes>& hosts) {
  std::map<std::string_view, std::map<std::string_view, std::size_t>> counts;
  std::size_t processes = 0;
  for (const Processes& host : hosts) {
    processes += host.size();
    for (const Process* const process : host)
      for (const auto& [variable, setting] : process->env) ++counts[variable.view()][setting.value.view()];
  }
  SettingsByName common;
  for (const auto& [variable, values] : counts) {
    std::size_t shown = 0;
    for (const auto& [value, count] : values) shown += count;
    const auto most = std::max_element(values.begin(), values.end(),
                                       [](const auto& a, const auto& b) { return a.second < b.second; });
    if (most->second * 2 > processes || shown == processes) common[variable] = most->first;
  }
  return common;
}

/// Lists the settings in which the processes of a host differ from `common`; names the first `max_settings` and counts
/// the rest. A missing setting counts only if the log has the first lines of the process, in which NCCL prints its
/// settings.
std::string settings_of(const Processes& processes, const SettingsByName& common) {
  std::set<std::string> differing;
  for (const Process* const process : processes) {
    for (const auto& [variable, setting] : process->env) {
      const auto found = common.find(variable.view());
      if (found == common.end() || found->second != setting.value.view())
        differing.insert(variable.str() + "=" + setting.value.str());
    }
    if (process->bootstrap_interface.empty()) continue;
    for (const auto& [variable, value] : common)
      if (process->env.find(variable) == nullptr) differing.insert(std::string{variable} + " not shown");
  }
  std::string text;
  std::size_t count = 0;
  for (const std::string& setting : differing)
    if (++count <= max_settings) append_item(text, setting);
  if (count > max_settings) text += ", and " + std::to_string(count - max_settings) + " more";
  return text;
}

std::string software_of_hosts(const Processes& processes) {
  std::set<std::string> all;
  for (const Process* const process : processes) {
    std::string text = process->library.str();
    append_item(text, process->version.view(), " ");
    all.insert(std::move(text));
  }
  std::string list;
  for (const std::string& text : all) append_item(list, text);
  return list;
}

/// Returns the number of ranks in each state, or only the state if it is the same for all ranks.
std::string state_of(const GraphHost& host, const std::vector<GraphRank>& ranks) {
  std::map<std::string_view, std::size_t> states;
  for (const std::size_t rank : host.ranks) ++states[ranks[rank].state];
  if (states.size() == 1) return std::string{states.begin()->first};
  std::string text;
  for (const auto& [state, count] : states) append_item(text, std::to_string(count).append(" ").append(state));
  return text;
}

}  // namespace

std::vector<HostKind> kinds_of(const GraphView& view, const Table<Processes>& processes) {
  const SettingsByName common = common_settings(processes);
  std::map<std::tuple<std::string, std::string, std::string, std::string, std::string>, HostKind> by_facts;
  for (std::size_t i = 0; i < view.hosts.size(); ++i) {
    const GraphHost& host = view.hosts[i];
    HostKind made{.shape = count_text(host.ranks.size(), "rank"),
                  .software = software_of_hosts(processes[i]),
                  .settings = settings_of(processes[i], common),
                  .state = state_of(host, view.ranks),
                  .hosts = {},
                  .suspicion = host.suspicion};
    append_item(made.shape, host.shape, "; ");
    HostKind& kind =
        by_facts.try_emplace({made.shape, made.software, made.settings, made.state, made.suspicion.text()}, made)
            .first->second;
    kind.hosts.push_back(i);
  }
  std::vector<HostKind> kinds;
  for (auto& [facts, kind] : by_facts) kinds.push_back(std::move(kind));
  sort_stably(kinds, [](const HostKind& a, const HostKind& b) { return a.hosts.size() > b.hosts.size(); });
  return kinds;
}

}  // namespace nccl_analyze
