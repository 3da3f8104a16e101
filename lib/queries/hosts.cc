// Counts hosts by NCCL's node count, host names, addresses and GPUs.

#include "queries/hosts.h"

#include <algorithm>
#include <set>
#include <utility>

#include "queries/bootstrap_address.h"
#include "queries/ranks.h"
#include "text/search.h"

namespace nccl_analyze {

bool shares_gpus(const Communicator& comm) {
  std::vector<std::pair<Index, std::uint64_t>> gpus;
  for (const Rank& rank : comm.ranks)
    if (rank.process >= 0 && rank.has_bus_id) gpus.emplace_back(rank.process, rank.bus_id);
  std::ranges::sort(gpus);
  return std::adjacent_find(gpus.begin(), gpus.end()) != gpus.end();
}

bool same_host(const Model& model, const Rank& a, const Rank& b) {
  const Process* first = process_of(model, a.process);
  const Process* second = process_of(model, b.process);
  if (first == nullptr || second == nullptr || first->host.empty() || first->host != second->host) return false;
  // Two ranks never share a GPU, so equal bus ids under one host name belong to different machines.
  if (a.has_bus_id && b.has_bus_id && a.bus_id == b.bus_id && a.rank != b.rank) return false;
  // NCCL cuts host names at the first dot, so machines with different addresses may have the same name.
  return first->bootstrap_address.empty() || second->bootstrap_address.empty() ||
         ip_of(first->bootstrap_address) == ip_of(second->bootstrap_address);
}

bool share_host_name(const Model& model, Index one, Index other) {
  const Process* const first = process_of(model, one);
  const Process* const second = process_of(model, other);
  return first != nullptr && second != nullptr && first->source == second->source && first->host == second->host;
}

void HostCount::add(const Process& process) {
  if (process.host.empty()) return;
  const bool is_known = last_ != nullptr && last_->host == process.host &&
                        last_->bootstrap_interface == process.bootstrap_interface &&
                        last_->bootstrap_address == process.bootstrap_address;
  last_ = &process;
  if (is_known) return;
  auto& interfaces = names_[process.host];
  const std::string_view ip = ip_of(process.bootstrap_address);
  if (ip.empty() || process.bootstrap_interface.empty()) return;
  interfaces[{process.bootstrap_interface, contains(ip, ":")}].insert(ip);
}

std::size_t HostCount::hosts() const {
  std::size_t hosts = 0;
  for (const auto& [name, interfaces] : names_) {
    std::size_t most = 1;
    for (const auto& [interface, addresses] : interfaces) most = std::max(most, addresses.size());
    hosts += most;
  }
  return hosts;
}

bool has_two_addresses(const Model& model, const Communicator& comm) {
  HostCount count;
  for (const Rank& rank : comm.ranks)
    if (const Process* const process = process_of(model, rank.process)) count.add(*process);
  return count.hosts() > count.names();
}

namespace {

std::set<std::string_view> hosts_of(const Model& model, const Communicator& comm) {
  std::set<std::string_view> hosts;
  const Text* last = nullptr;  // a lookup is skipped if the previous rank has the same host
  for (const Rank& rank : comm.ranks) {
    const Process* process = process_of(model, rank.process);
    if (process == nullptr || (last != nullptr && *last == process->host)) continue;
    last = &process->host;
    hosts.insert(process->host);
  }
  return hosts;
}

}  // namespace

std::size_t node_count(const Model& model, const Communicator& comm) {
  return comm.nnodes > 0 ? static_cast<std::size_t>(comm.nnodes) : hosts_of(model, comm).size();
}

bool spans_nodes(const Model& model, const Communicator& comm) {
  if (comm.nnodes > 0) return comm.nnodes > 1;
  const Text* first = nullptr;
  for (const Rank& rank : comm.ranks)
    if (const Process* process = process_of(model, rank.process)) {
      if (first == nullptr) first = &process->host;
      if (*first != process->host) return true;
    }
  return shares_gpus(comm);
}

bool spans_nodes(const Model& model) {
  return std::ranges::any_of(model.communicators, [&](const Communicator& comm) { return spans_nodes(model, comm); });
}

Proof spans_hosts(const Model& model, const Communicator& comm) {
  if (spans_nodes(model, comm)) return Proof::proven;
  if (comm.nnodes == 1 && comm.nranks > 1) return Proof::disproven;
  const bool all_here = comm.nranks > 1 && static_cast<int>(comm.ranks.size()) == comm.nranks;
  return all_here && !has_two_addresses(model, comm) ? Proof::disproven : Proof::open;
}

namespace {

/// Whether the table of nccl-tests, which has all ranks, names one host for them and a GPU of its own for each.
bool is_on_one_host(const Benchmark& benchmark) {
  std::set<std::string_view> gpus;
  for (std::size_t i = 0; i < benchmark.ranks.size(); ++i) {
    const BenchmarkRank& rank = benchmark.ranks[i];
    if (rank.rank != static_cast<int>(i) || rank.host.view() != benchmark.ranks.front().host.view()) return false;
    if (rank.bus_id.empty() || !gpus.insert(rank.bus_id.view()).second) return false;
  }
  return benchmark.ranks.size() > 1 && !benchmark.ranks.front().host.empty();
}

}  // namespace

JobHostSpans::JobHostSpans(const Model& model) : by_process_(model.processes.size(), Proof::open) {
  for (const Communicator& comm : model.communicators) {
    const Proof proof = comm.parent >= 0 ? Proof::open : spans_hosts(model, comm);
    if (proof == Proof::open) continue;
    for (const Rank& rank : comm.ranks)
      if (process_of(model, rank.process) != nullptr) {
        Proof& found = by_process_[static_cast<std::size_t>(rank.process)];
        if (found != Proof::proven) found = proof;
      }
  }
  for (const Benchmark& benchmark : model.benchmarks) {
    if (!is_on_one_host(benchmark)) continue;
    for (const BenchmarkRank& rank : benchmark.ranks) {
      if (process_of(model, rank.process) == nullptr) continue;
      Proof& found = by_process_[static_cast<std::size_t>(rank.process)];
      if (found == Proof::open) found = Proof::disproven;
    }
  }
}

Proof JobHostSpans::of(Index process) const {
  const auto index = static_cast<std::size_t>(process);
  return process >= 0 && index < by_process_.size() ? by_process_[index] : Proof::open;
}

Proof JobHostSpans::of(const std::vector<Index>& processes) const {
  Proof found = processes.empty() ? Proof::open : Proof::disproven;
  for (const Index process : processes) {
    const Proof proof = of(process);
    if (proof == Proof::proven) return proof;
    if (proof == Proof::open) found = proof;
  }
  return found;
}

}  // namespace nccl_analyze
