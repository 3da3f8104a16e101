// Sorts the tables of the model and updates the indices that refer to them.

#include <algorithm>
#include <tuple>
#include <vector>

#include "model/joined.h"
#include "model/resolve/passes.h"
#include "model/stable_sort.h"

namespace nccl_analyze::builder {

namespace {

void move_to(Index& index, const Table<Index>& position) {
  if (index >= 0) index = position[index];
}

int depth(const Model& model, const Communicator& comm) {
  int steps = 0;
  for (Index parent = comm.parent; parent >= 0 && steps < 64; ++steps) parent = model.communicators[parent].parent;
  return steps;
}

}  // namespace

void put_in_order(Model& model) {
  const auto processes = sort_stably(model.processes, [](const Process& a, const Process& b) {
    return std::tie(a.source, a.first.line, a.host, a.pid) < std::tie(b.source, b.first.line, b.host, b.pid);
  });
  Table<int> depths;
  for (const Communicator& comm : model.communicators) depths.push_back(depth(model, comm));
  const auto key = [&](Index i) {
    const Communicator& comm = model.communicators[i];
    return std::tie(depths[i], comm.first, comm.comm_id);
  };
  const auto comms = sort_by_index(model.communicators, [&](Index a, Index b) { return key(a) < key(b); });
  for (Communicator& comm : model.communicators) {
    move_to(comm.parent, comms);
    for (Rank& rank : comm.ranks) move_to(rank.process, processes);
  }
  for (Ambiguity& ambiguity : model.ambiguities) {
    move_to(ambiguity.process, processes);
    for (Index& candidate : ambiguity.candidates) move_to(candidate, comms);
    std::sort(ambiguity.candidates.begin(), ambiguity.candidates.end());
  }
  std::ranges::sort(model.ambiguities, {}, &Ambiguity::first);
  for (Incident& incident : model.incidents) {
    move_to(incident.process, processes);
    move_to(incident.communicator, comms);
  }
  for (WatchdogTimeout& stuck : model.stuck) move_to(stuck.process, processes);
  for (UnnamedCalls& unnamed : model.unnamed_calls) move_to(unnamed.process, processes);
  sort_stably(model.unnamed_calls, [](const UnnamedCalls& a, const UnnamedCalls& b) {
    return std::tie(a.process, a.comm) < std::tie(b.process, b.comm);
  });
  const auto by_line = [](const auto& a, const auto& b) { return a.evidence.lines.front() < b.evidence.lines.front(); };
  sort_stably(model.incidents, by_line);
  each_joined_list(model, [&](auto& list) {
    if constexpr (requires { list.front().at; })
      sort_stably_by(list, [](const auto& one) { return one.at; });
    else
      sort_stably(list, by_line);
  });
}

}  // namespace nccl_analyze::builder
