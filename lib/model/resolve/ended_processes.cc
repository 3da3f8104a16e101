// Finds the process of a line in which Open MPI says how one ended. Open MPI prints the host and the pid as the process
// itself knows them, as NCCL does.

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <map>
#include <string_view>
#include <utility>

#include "model/resolve/passes.h"

namespace nccl_analyze::builder {

namespace {

using HostAndPid = std::pair<std::string_view, std::int64_t>;

/// Parses what the builder notes about such a line: `node-7`, up to a dot, and 4100 for `node-7, pid 4100`. The pid is
/// -1 if the text does not name both.
HostAndPid named_process(const Incident& incident) {
  constexpr std::string_view words = ", pid ";
  const std::string_view who = incident.error;
  const std::size_t at = who.find(words);
  if (at == std::string_view::npos || at == 0) return {{}, -1};
  std::int64_t pid = -1;
  const std::string_view digits = who.substr(at + words.size());
  std::from_chars(digits.data(), digits.data() + digits.size(), pid);
  const std::string_view host = who.substr(0, at);
  return {host.substr(0, host.find('.')), pid};
}

bool is_unknown_end(const Incident& incident) {
  return incident.kind == IncidentKind::process_ended && incident.process < 0 && named_process(incident).second > 0;
}

}  // namespace

void join_ended_processes(Model& model) {
  if (std::ranges::none_of(model.incidents, is_unknown_end)) return;
  std::map<HostAndPid, Index> processes;  // -1 where several have the name
  for (std::size_t i = 0; i < model.processes.size(); ++i) {
    const Process& one = model.processes[i];
    if (one.pid <= 0 || one.host.empty()) continue;
    const auto [known, is_new] = processes.try_emplace({one.host, one.pid}, static_cast<Index>(i));
    if (!is_new) known->second = -1;
  }
  for (Incident& incident : model.incidents) {
    if (!is_unknown_end(incident)) continue;
    const auto found = processes.find(named_process(incident));
    if (found != processes.end()) incident.process = found->second;
  }
}

}  // namespace nccl_analyze::builder
