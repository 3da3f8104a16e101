// The last steps: a draft becomes a communicator, and everything gets its order.

#include <numeric>

#include "model/build/state.h"

namespace nccl_analyze::draft {

namespace {

/// Where each item goes when `order` lists the old indices in their new order.
std::vector<Index> positions(const std::vector<Index>& order) {
  std::vector<Index> position(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) position[static_cast<std::size_t>(order[i])] = static_cast<Index>(i);
  return position;
}

/// Sorts in place, so that no item is there twice: each place is filled along the circles of the permutation. `less`
/// compares two by their indices. Returns where each item is now.
template <class T, class Less>
std::vector<Index> sort_by_index(std::vector<T>& items, Less less) {
  std::vector<Index> order(items.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](Index a, Index b) { return less(static_cast<std::size_t>(a), static_cast<std::size_t>(b)); });
  std::vector<Index> position = positions(order);
  std::vector<Index> left = position;
  for (std::size_t i = 0; i < items.size(); ++i)
    while (left[i] != static_cast<Index>(i)) {
      const auto to = static_cast<std::size_t>(left[i]);
      std::swap(items[i], items[to]);
      std::swap(left[i], left[to]);
    }
  return position;
}

template <class T, class Less>
std::vector<Index> sort_items(std::vector<T>& items, Less less) {
  return sort_by_index(items, [&](std::size_t a, std::size_t b) { return less(items[a], items[b]); });
}

void move_to(Index& index, const std::vector<Index>& position) {
  if (index >= 0) index = position[static_cast<std::size_t>(index)];
}

int depth(const Model& model, const Communicator& comm) {
  int steps = 0;
  for (Index parent = comm.parent; parent >= 0 && steps < 64; ++steps)
    parent = model.communicators[static_cast<std::size_t>(parent)].parent;
  return steps;
}

}  // namespace

Communicator finish(CommDraft& draft, const std::vector<std::string>& transports) {
  Communicator& comm = draft.comm;
  // transports by name; connections carry the interned number until here
  std::vector<std::size_t> order(draft.transports.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return transports[draft.transports[a]] < transports[draft.transports[b]];
  });
  std::vector<std::uint16_t> renumbered(transports.size());
  std::vector<Evidence> evidence;
  for (std::size_t i = 0; i < order.size(); ++i) {
    comm.transports.push_back(transports[draft.transports[order[i]]]);
    evidence.push_back(std::move(comm.transport_evidence[order[i]]));
    renumbered[draft.transports[order[i]]] = static_cast<std::uint16_t>(i);
  }
  comm.transport_evidence = std::move(evidence);
  for (ConnectionGroup& group : draft.connections.items()) group.transport = renumbered[group.transport];
  for (ConnectionGroup& group : draft.collnet.items()) group.transport = renumbered[group.transport];
  draft.collnet.fold();
  comm.collnet = std::move(draft.collnet.items());
  comm.collnet.shrink_to_fit();
  comm.connections = ConnectionList(std::move(draft.connections.items()));
  if (comm.channels > 0)
    draft.highest_channel = std::min(draft.highest_channel, comm.channels - 1);  // beyond is damage
  build_rings(draft);
  build_trees(draft);
  find_contradictions(draft);
  sort_items(comm.ranks, [](const Rank& a, const Rank& b) { return a.rank < b.rank; });
  return std::move(comm);
}

void put_in_order(Model& model) {
  const auto processes = sort_items(model.processes, [](const Process& a, const Process& b) {
    return std::tie(a.source, a.first.line, a.host, a.pid) < std::tie(b.source, b.first.line, b.host, b.pid);
  });
  std::vector<int> depths;
  for (const Communicator& comm : model.communicators) depths.push_back(depth(model, comm));
  const auto key = [&](std::size_t i) {
    const Communicator& comm = model.communicators[i];
    return std::tie(depths[i], comm.first, comm.comm_id);
  };
  const auto comms = sort_by_index(model.communicators, [&](std::size_t a, std::size_t b) { return key(a) < key(b); });
  for (Communicator& comm : model.communicators) {
    move_to(comm.parent, comms);
    for (Rank& rank : comm.ranks) move_to(rank.process, processes);
  }
  for (Ambiguity& ambiguity : model.ambiguities) {
    move_to(ambiguity.process, processes);
    for (Index& candidate : ambiguity.candidates) move_to(candidate, comms);
    std::sort(ambiguity.candidates.begin(), ambiguity.candidates.end());
  }
  std::sort(model.ambiguities.begin(), model.ambiguities.end(),
            [](const Ambiguity& a, const Ambiguity& b) { return a.first < b.first; });
  for (Incident& incident : model.incidents) {
    move_to(incident.process, processes);
    move_to(incident.communicator, comms);
  }
  for (StuckRank& stuck : model.stuck) move_to(stuck.process, processes);
  for (UnnamedCalls& unnamed : model.unnamed_calls) move_to(unnamed.process, processes);
  std::stable_sort(model.unnamed_calls.begin(), model.unnamed_calls.end(),
                   [](const UnnamedCalls& a, const UnnamedCalls& b) {
                     return std::tie(a.process, a.comm) < std::tie(b.process, b.comm);
                   });
  const auto by_line = [](const auto& a, const auto& b) { return a.evidence.lines.front() < b.evidence.lines.front(); };
  std::stable_sort(model.incidents.begin(), model.incidents.end(), by_line);
  std::stable_sort(model.stuck.begin(), model.stuck.end(), by_line);
  std::stable_sort(model.launch_counts.begin(), model.launch_counts.end(), by_line);
}

}  // namespace nccl_analyze::draft
