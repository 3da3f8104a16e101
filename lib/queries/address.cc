// Looks up the location of a suspect, and formats addresses, stack commands and communicator names.

#include "queries/address.h"

#include <algorithm>
#include <array>

#include "queries/ranks.h"
#include "text/message_text.h"

namespace nccl_analyze {

namespace {

const Rank* rank_in(const Model& model, std::span<const Index> communicators, const Suspect& suspect) {
  for (const Index index : communicators) {
    const Communicator* const communicator = model.communicators.find(index);
    const Rank* const rank = communicator == nullptr ? nullptr : find_rank(*communicator, suspect.rank);
    if (rank != nullptr && (suspect.process < 0 || rank->process == suspect.process)) return rank;
  }
  return nullptr;
}

int gpu_of(const Rank& rank) { return rank.nvml_dev >= 0 ? rank.nvml_dev : rank.cuda_dev; }

/// Returns the GPU of a process; -1 if it uses several GPUs, or if no GPU is known.
int gpu_of(const Model& model, Index process) {
  if (model.processes[process].has_other_ranks) return -1;
  int gpu = -1;
  for (const Communicator& comm : model.communicators)
    for (const Rank& rank : comm.ranks) {
      if (rank.process != process || gpu_of(rank) < 0) continue;
      if (gpu >= 0 && gpu != gpu_of(rank)) return -1;
      gpu = gpu_of(rank);
    }
  return gpu;
}

/// Whether a name is safe in a shell command without quotes: no special characters, no leading `-`.
bool is_plain(std::string_view name) {
  return !name.empty() && name.front() != '-' && std::ranges::all_of(name, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '.' ||
           c == '_';
  });
}

void append(std::string& list, std::string_view words, std::string_view item) {
  if (item.empty()) return;
  list += concat(list.empty() ? "" : ", ", words, excerpt(item, 60));
}

std::string number_text(std::int64_t number) { return number < 0 ? std::string() : std::to_string(number); }

}  // namespace

Address address_of(const Model& model, const Suspect& suspect, std::span<const Index> communicators) {
  Address address{.rank = suspect.rank, .process = suspect.process, .host = {}, .pod = {}, .container = {}};
  const Rank* const rank = suspect.rank < 0 ? nullptr : rank_in(model, communicators, suspect);
  if (rank != nullptr) {
    address.gpu = gpu_of(*rank);
    if (address.process < 0) address.process = rank->process;
  }
  const Process* const process = process_of(model, address.process);
  if (process == nullptr) {
    address.host = suspect.host;
    address.pid = suspect.pid;
    if (address.gpu < 0) address.gpu = suspect.gpu;
    return address;
  }
  if (address.gpu < 0) address.gpu = gpu_of(model, address.process);
  address.host = process->host;
  address.pod = process->pod;
  address.container = process->container;
  address.pid = process->pid;
  return address;
}

std::string address_text(const Address& address) {
  std::string place;
  append(place, "pod ", address.pod);
  append(place, "", address.host);
  append(place, "GPU ", number_text(address.gpu));
  append(place, "pid ", number_text(address.pid));
  if (address.rank < 0) return place;
  return concat("rank ", address.rank, when(!place.empty(), " (", place, ")"));
}

std::string stack_command(const Address& address, bool is_python) {
  if (address.pid <= 0) return {};
  const std::string dump = concat(is_python ? "py-spy dump --pid " : "gstack ", address.pid);
  if (!address.pod.empty()) {
    // A pod without a container may be a container of docker compose, which kubectl cannot find.
    if (!is_plain(address.pod) || !is_plain(address.container)) return {};
    return concat("kubectl exec ", address.pod, " -c ", address.container, " -- ", dump);
  }
  // A container has pids of its own, which are not valid on the host, so `ssh` works only without a container.
  return address.container.empty() && is_plain(address.host) ? concat("ssh ", address.host, " ", dump) : std::string();
}

std::string communicator_name(const Model& model, Index communicator) {
  const Communicator& comm = model.communicators[communicator];
  if (!comm.name.empty()) return excerpt(comm.name, 60);
  if (comm.comm_id == 0) return concat("#", comm.number >= 0 ? comm.number : communicator);
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text;
  for (std::uint64_t rest = comm.comm_id; rest != 0; rest >>= 4U) text += digits[rest & 15U];
  return "0x" + std::string(text.rbegin(), text.rend());
}

}  // namespace nccl_analyze
