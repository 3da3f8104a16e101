// Converts communicators under construction to communicators of the model.

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "model/build/merge.h"
#include "model/resolve/graphs.h"
#include "model/resolve/passes.h"
#include "model/stable_sort.h"

namespace nccl_analyze::builder {

namespace {

/// Sorts the transports of a communicator by name. Returns the new index of each interned transport, by which the
/// caller renumbers the connections.
std::vector<std::uint16_t> sort_transports(CommState& state, const std::vector<std::string>& transports) {
  Communicator& comm = state.comm;
  std::vector<std::size_t> order(state.transports.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return transports[state.transports[a]] < transports[state.transports[b]];
  });
  std::vector<std::uint16_t> renumbered(transports.size());
  std::vector<Evidence> evidence;
  for (std::size_t i = 0; i < order.size(); ++i) {
    comm.transports.push_back(transports[state.transports[order[i]]]);
    evidence.push_back(std::move(comm.transport_evidence[order[i]]));
    renumbered[state.transports[order[i]]] = static_cast<std::uint16_t>(i);
  }
  comm.transport_evidence = std::move(evidence);
  return renumbered;
}

Communicator finish(CommState& state, const std::vector<std::string>& transports) {
  Communicator& comm = state.comm;
  const std::vector<std::uint16_t> renumbered = sort_transports(state, transports);
  for (ConnectionGroup& group : state.connections.items()) group.transport = renumbered[group.transport];
  for (ConnectionGroup& group : state.collnet.items()) group.transport = renumbered[group.transport];
  state.collnet.fold();
  comm.collnet = std::move(state.collnet.items());
  comm.collnet.shrink_to_fit();
  comm.connections = ConnectionList(std::move(state.connections.items()));
  if (comm.channels > 0)
    state.highest_channel = std::min(state.highest_channel, comm.channels - 1);  // higher ones come from damaged lines
  build_rings(state);
  build_trees(state);
  find_contradictions(state);
  sort_stably(comm.ranks, [](const Rank& a, const Rank& b) { return a.rank < b.rank; });
  return std::move(comm);
}

}  // namespace

void build_graphs(BuilderState& state) {
  for (ProcessState& process : state.processes)
    if (process.last_call) state.quotes.add(std::move(*process.last_call));
  state.processes = {};  // frees memory that the graphs need
  state.model.communicators.reserve(state.comms.size());
  for (; !state.comms.empty(); state.comms.pop_front())
    state.model.communicators.push_back(finish(state.comms.front(), state.transports));
}

void move_quotes(BuilderState& state) { state.quotes.finish(state.model); }

void sort_batches(BuilderState& state) { state.batches.sort(); }

}  // namespace nccl_analyze::builder
