// Describes hosts in words. Equal hosts share one sentence.

#include "report/sentences/hosts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include "model/stable_sort.h"
#include "queries/gdr.h"
#include "queries/hosts.h"
#include "text/escape.h"
#include "text/phrases.h"

namespace nccl_analyze {
namespace {

constexpr std::size_t max_host_names = 4;
constexpr std::size_t max_mismatches = 3;

/// Splits `mlx5_12` into `mlx5_` and 12. The number is -1 if the name does not end in a number of at most six digits.
std::pair<std::string_view, int> split_number(std::string_view name) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  std::size_t digits = 0;
  while (digits < name.size() && is_digit(name[name.size() - 1 - digits])) ++digits;
  if (digits == 0 || digits > 6) return {name, -1};
  int number = 0;
  for (const char c : name.substr(name.size() - digits)) number = number * 10 + (c - '0');
  return {name.substr(0, name.size() - digits), number};
}

/// Lists names: `mlx5_0-3` if their numbers are consecutive, else the first `max_host_names` names and the number of
/// the others.
std::string names_of(const std::vector<std::string_view>& names) {
  const auto [prefix, first] = split_number(names.front());
  bool in_row = names.size() > 1 && first >= 0;
  for (std::size_t i = 0; i < names.size() && in_row; ++i)
    in_row = split_number(names[i]) == std::pair{prefix, first + static_cast<int>(i)};
  if (in_row) return std::string{names.front()} + "-" + std::to_string(first + static_cast<int>(names.size()) - 1);
  return joined(names, ", ", max_host_names, ", ");
}

/// Compares names by number, so that mlx5_10 follows mlx5_9.
bool comes_before(std::string_view a, std::string_view b) {
  const auto [a_prefix, a_number] = split_number(a);
  const auto [b_prefix, b_number] = split_number(b);
  return std::tie(a_prefix, a_number, a) < std::tie(b_prefix, b_number, b);
}

bool is_used(const Host& host, std::size_t nic) {
  return std::any_of(host.gpus.begin(), host.gpus.end(), [&](const HostGpu& gpu) {
    return std::binary_search(gpu.nics.begin(), gpu.nics.end(), static_cast<Index>(nic));
  });
}

/// Returns the speed in Gb/s; 0 if unknown. NCCL assumes 10 Gb/s for network interfaces without a speed, so the
/// bandwidth of a Socket NIC is no evidence.
double speed_of(const HostNic& nic) {
  if (nic.speed > 0) return nic.speed / 1000.0;
  return nic.network == "Socket" ? 0 : std::round(nic.bandwidth * 8);
}

/// Returns the link type and the speed of the NICs in parentheses, each only if it is equal for all of them. Empty if
/// neither is.
std::string kind_of(const std::vector<const HostNic*>& nics) {
  const HostNic& first = *nics.front();
  const auto all = [&](auto get) {
    return std::all_of(nics.begin(), nics.end(), [&](const HostNic* nic) { return get(*nic) == get(first); });
  };
  std::string text;
  if (all([](const HostNic& nic) { return nic.link; })) append_item(text, first.link);
  if (speed_of(first) > 0 && all(speed_of)) {
    std::string speed = std::to_string(speed_of(first));
    speed.resize(std::max(speed.find_last_not_of('0') + 1, speed.find('.')));
    if (speed.ends_with('.')) speed.pop_back();
    append_item(text, speed + " Gb/s");
  }
  return text.empty() ? text : " (" + text + ")";
}

/// Describes the NICs of one network. Network interfaces are listed only if GPUs use them. Of a NIC that NCCL merged
/// from several (`mlx5_0+mlx5_1`), only the parts are listed.
std::string nics_of(const Host& host, std::string_view network) {
  std::vector<const HostNic*> nics;
  std::vector<std::string_view> names;
  bool nameless = false;
  for (std::size_t i = 0; i < host.nics.size(); ++i) {
    const HostNic& nic = host.nics[i];
    if (nic.network != network || nic.name.find('+') != std::string::npos) continue;
    if (network == "Socket" && !is_used(host, i)) continue;
    nics.push_back(&nic);
    names.push_back(nic.name);
    nameless = nameless || nic.name.empty();
  }
  if (nics.empty()) return {};
  if (nameless && network == "Socket") return {};
  if (nameless && network == "IB") return "RDMA NICs" + kind_of(nics);  // NCCL calls RoCE so too
  if (nameless) return "NICs of " + (network.empty() ? "unknown network" : std::string{network}) + kind_of(nics);
  if (!std::is_sorted(names.begin(), names.end(), comes_before)) std::sort(names.begin(), names.end(), comes_before);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  const std::string_view noun = network == "Socket" ? "interface" : "NIC";
  const std::string count = names.size() == 1 ? std::string{noun} : count_text(names.size(), noun);
  return count + " " + names_of(names) + kind_of(nics);
}

std::string nvlink_of(const Host& host) {
  constexpr std::array<std::string_view, 5> words{"", "no NVLink", "NVLink", "direct NVLink", "NVLink over NVSwitch"};
  std::string text{words[static_cast<std::size_t>(host.nvlink)]};
  const bool plain = host.nvlink >= Nvlink::present && host.worst_path <= PathType::nvl;
  if (host.gpus.size() > 1 && !plain && host.worst_path != PathType::unknown)
    append_item(text, "GPU paths as far as " + std::string{to_string(host.worst_path)});
  return text;
}

std::string name_of(const Host& host) {
  std::string name = host.name;
  append_item(name, host.pod, " pod ");
  return name;
}

}  // namespace

std::string describe_gdr(const Host& host) {
  if (host.network_ends == 0) return {};
  if (host.gdr_ends == 0) return host.receives ? "GPUDirect RDMA off" : "no GPUDirect RDMA for sending";
  return host.gdr_ends == host.network_ends ? "GPUDirect RDMA on" : "GPUDirect RDMA on some connections";
}

std::string name_of(const HostNic& nic) {
  if (!nic.name.empty()) return nic.name;
  return "NIC " + std::to_string(nic.index) + (nic.network.empty() ? "" : " of " + nic.network);
}

std::string describe_host(const Host& host) {
  std::set<std::string_view> networks;
  for (const HostNic& nic : host.nics) networks.insert(nic.network);
  std::string text = nvlink_of(host);
  for (const std::string_view network : networks) append_item(text, nics_of(host, network));
  return text;
}

/// Whether the input may lack GPUs that ranks use, because it lacks the initialisation of some rank or process.
bool may_lack_gpus(const Model& model) {
  return std::ranges::any_of(model.processes, [](const Process& process) { return process.communicator < 0; }) ||
         std::ranges::any_of(model.communicators, [](const Communicator& comm) {
           return comm.inferred || static_cast<int>(comm.ranks.size()) != comm.nranks;
         });
}

/// Returns for each item of Model::hosts the number of hosts that its processes show, at least 1.
std::vector<std::size_t> hosts_of_each(const Model& model) {
  std::vector<HostCount> counts(model.hosts.size());
  for (const Process& process : model.processes)
    if (process.host_index >= 0) counts[static_cast<std::size_t>(process.host_index)].add(process);
  std::vector<std::size_t> hosts;
  for (const HostCount& count : counts) hosts.push_back(std::max<std::size_t>(count.hosts(), 1));
  return hosts;
}

/// Whether the bootstrap addresses of the ranks show that they are on exactly `hosts` hosts, some with the same name.
bool bootstraps_on(const Model& model, const Communicator& comm, std::size_t hosts) {
  HostCount count;
  for (const Rank& rank : comm.ranks) count.add(model.processes[rank.process]);
  return count.hosts() == hosts;
}

std::vector<std::string> describe_hosts(const Model& model) {
  const std::string_view known = may_lack_gpus(model) ? " known" : "";
  // If a communicator is inferred, some lines name GPUs that are not in the model, so a count would be too small.
  const bool counts_gpus = std::ranges::none_of(model.communicators, &Communicator::inferred);
  const std::vector<std::size_t> hosts = hosts_of_each(model);
  std::map<std::tuple<std::size_t, std::string, std::size_t>, std::uint64_t> shapes;
  for (std::size_t i = 0; i < model.hosts.size(); ++i) {
    std::string shape = describe_host(model.hosts[i]);
    const std::size_t gpus = counts_gpus ? model.hosts[i].gpus.size() : 0;
    const std::size_t alone = hosts[i] > 1 ? i + 1 : 0;  // hosts of one name have their own line
    if (gpus > 0 || !shape.empty()) shapes[{gpus, std::move(shape), alone}] += hosts[i];
  }
  std::vector<std::pair<std::uint64_t, std::string>> lines;
  for (const auto& [shape, count] : shapes) {
    const auto& [gpus, rest, alone] = shape;
    std::string line = count_text(count, "host");
    if (alone > 0) line += " of one name, or containers of one,";
    if (gpus > 0) line.append(" with ").append(count_text(gpus, "GPU")).append(known);
    if (gpus > 0 && count > 1 && alone == 0) line += " each";
    if (line.ends_with(',')) line.pop_back();
    if (!rest.empty()) line += ": " + rest;
    lines.emplace_back(count, std::move(line));
  }
  sort_stably(lines, [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<std::string> texts;
  for (auto& line : lines) texts.push_back(std::move(line.second));
  return texts;
}

std::vector<std::string> describe_nic_use(const Model& model) {
  std::vector<std::string> texts;
  const Table<std::vector<GdrPair>> pairs = gdr_pairs(model);
  for (std::size_t i = 0; i < model.hosts.size(); ++i) {
    const Host& host = model.hosts[i];
    if (!pairs[i].empty()) continue;  // describe_gpudirect() names its NICs
    std::string uses;
    for (const HostGpu& gpu : host.gpus) {
      std::string nics;
      for (const Index nic : gpu.nics) append_item(nics, name_of(host.nics[nic]), " and ");
      if (nics.empty()) continue;
      append_item(uses, "GPU ");
      uses.append(gpu.bus_id != 0 ? to_hex(gpu.bus_id) : std::to_string(gpu.nvml_dev)).append(" uses ").append(nics);
    }
    if (!uses.empty()) texts.push_back(name_of(host) + ": " + uses);
  }
  return texts;
}

std::vector<std::string> describe_nodes(const Model& model) {
  std::vector<std::string> texts;
  for (const Communicator& comm : model.communicators) {
    if (comm.nnodes < 1 || comm.nranks < 1) continue;
    std::set<Index> places;
    for (const Rank& rank : comm.ranks) places.insert(rank.process < 0 ? -1 : model.processes[rank.process].host_index);
    if (places.empty() || places.contains(-1)) continue;
    const bool every_rank = comm.ranks.size() == static_cast<std::size_t>(comm.nranks);
    const auto nodes = static_cast<std::size_t>(comm.nnodes);
    if (nodes == places.size() || (nodes > places.size() && !every_rank)) continue;
    if (nodes > places.size() && bootstraps_on(model, comm, nodes)) continue;
    std::string text = "NCCL sees " + count_text(nodes, "node") + " on " + count_text(places.size(), "host");
    if (nodes > places.size()) text += ": ranks of one host are reached over the network";
    if (nodes < places.size() && comm.mnnvl == 1) text += ": NVLink joins them";
    if (texts.size() < max_mismatches && std::find(texts.begin(), texts.end(), text) == texts.end())
      texts.push_back(std::move(text));
  }
  return texts;
}

}  // namespace nccl_analyze
