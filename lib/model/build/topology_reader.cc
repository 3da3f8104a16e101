
#include "model/build/topology_reader.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <utility>

#include "model/host_table.h"

namespace nccl_analyze::builder {

namespace {

constexpr std::size_t max_nodes = 1024;  // Limit on the nodes of each type; NCCL itself allows 576.
constexpr std::size_t max_links = 8 * max_nodes;

template <class Number>
Number number_of(std::string_view text, Number otherwise) {
  Number value = otherwise;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && end == text.data() + text.size() ? value : otherwise;
}

/// Converts the architecture and vendor in `1/2/-1` to words: `x86 AMD`.
std::string cpu_of(PartList parts) {
  constexpr std::array<std::string_view, 5> architectures{"", "x86", "POWER", "ARM", "mixed architectures"};
  constexpr std::array<std::string_view, 5> vendors{"", "Intel", "AMD", "Zhaoxin", "mixed vendors"};
  const auto word = [&](const auto& words) {
    std::string_view part;
    const auto index = parts.next(part) ? number_of<int>(part, 0) : 0;
    return index > 0 && index < static_cast<int>(words.size()) ? words[static_cast<std::size_t>(index)]
                                                               : std::string_view{};
  };
  std::string text{word(architectures)};
  const std::string_view vendor = word(vendors);
  if (!text.empty() && !vendor.empty()) text += ' ';
  return text.append(vendor);
}

/// Parses the GUID of a NIC; 0 if it has none. NCCL then prints the device number, which does not identify the NIC.
std::uint64_t guid_of(std::string_view text) {
  constexpr std::uint64_t least = std::uint64_t{1} << 32U;
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, 16);
  return error == std::errc{} && end == text.data() + text.size() && value >= least ? value : 0;
}

bool is_gpu(std::string_view type) { return type == "GPU" || type == "DEV"; }

}  // namespace

void TopologyReader::start(LineRef head, int rank) {
  *this = {};
  head_ = head;
  rank_ = rank;
  broken_ = false;
}

template <class Facts>
void TopologyReader::locate(Facts& facts) const {
  facts.pci_switch = 0;
  for (const Level& level : levels_) {
    if (level.kind == Kind::cpu) facts.cpu = static_cast<int>(std::min<std::uint64_t>(level.id, max_nodes));
    if (level.kind == Kind::pci) facts.pci_switch = level.id;
  }
}

TopologyReader::Gpu* TopologyReader::find_gpu(std::uint64_t system, std::uint64_t bus_id) {
  const auto found = std::find_if(gpus_.begin(), gpus_.end(),
                                  [&](const Gpu& gpu) { return gpu.system == system && gpu.facts.bus_id == bus_id; });
  return found == gpus_.end() ? nullptr : &*found;
}

void TopologyReader::add_cpu(const TopologyNodePrinted& line) {
  cpus_.push_back({line.system.value, line.id.value});
  levels_.assign(1, {-1, Kind::cpu, line.id.value});
  if (cpu_.empty()) cpu_ = cpu_of(line.detail);
}

/// Adds a GPU. 2.30.3 prints the physical GPU as DEV, and below it the GPU that ranks use.
void TopologyReader::add_gpu(const TopologyNodePrinted& line) {
  Gpu* gpu = find_gpu(line.system.value, line.id.value);
  if (gpu == nullptr) {
    gpu = &gpus_.emplace_back();
    gpu->system = line.system.value;
    gpu->facts.bus_id = line.id.value;
    gpu->facts.pci_bandwidth = line.bandwidth;
    locate(gpu->facts);
    gpu->facts.pci_switches = static_cast<int>(
        std::count_if(levels_.begin(), levels_.end(), [](const Level& level) { return level.kind == Kind::pci; }));
  }
  PartList detail = line.detail;
  std::string_view rank;
  if (line.type == "GPU" && detail.next(rank)) gpu->rank = number_of<int>(rank, -1);
  levels_.push_back(
      {static_cast<std::ptrdiff_t>(line.indent.size()), Kind::gpu, static_cast<std::uint64_t>(gpu - gpus_.data())});
}

void TopologyReader::add_nvlink(const TopologyNodePrinted& line) {
  if (levels_.back().kind != Kind::gpu) return;
  const auto from = static_cast<std::size_t>(levels_.back().id);
  gpus_[from].facts.nvlink_bandwidth += line.bandwidth;
  if (is_gpu(line.type)) links_.push_back({line.system.value, line.id.value, from, line.bandwidth});
  switched_ = switched_ || line.type == "NVS";
  direct_ = direct_ || is_gpu(line.type);
}

/// Adds a NIC. The brackets hold guid, port and bandwidth. Since 2.24.3 a flag for collectives precedes them, so they
/// are counted from the end.
void TopologyReader::add_net(const TopologyNodePrinted& line) {
  Net& net = nets_.emplace_back();
  net.system = line.system.value;
  net.facts.index = static_cast<int>(std::min<std::uint64_t>(line.id.value, max_nodes));
  locate(net.facts);
  if (levels_.back().kind == Kind::nic) net.facts.bus_id = levels_.back().id;
  PartList detail = line.detail;
  std::array<std::string_view, 3> last;
  for (std::string_view part; detail.next(part);) last = {last[1], last[2], part};
  net.facts.bandwidth = number_of<double>(last[2], 0);
  net.facts.guid = guid_of(last[0]);
}

void TopologyReader::add(const TopologyNodePrinted& line) {
  if (broken_) return;
  broken_ =
      std::max({cpus_.size(), gpus_.size(), nets_.size(), levels_.size()}) >= max_nodes || links_.size() >= max_links;
  if (line.link.empty()) {
    if (line.type == "CPU") add_cpu(line);
    return;
  }
  const auto column = static_cast<std::ptrdiff_t>(line.indent.size());
  while (!levels_.empty() && levels_.back().column >= column) levels_.pop_back();
  broken_ = broken_ || levels_.empty();
  if (broken_) return;
  if (line.link == "NVL") {
    add_nvlink(line);
  } else if (line.type == "NET") {
    add_net(line);
  } else if (is_gpu(line.type)) {
    add_gpu(line);
  } else if (line.link == "PCI" && line.type != "CPU") {
    levels_.push_back({column, line.type == "NIC" ? Kind::nic : Kind::pci, line.id.value});
  }
}

void TopologyReader::add(const PathsPrinted& line) {
  if (broken_ || line.type != "GPU") return;
  Gpu* const gpu = find_gpu(line.system.value, line.id.value);
  broken_ = gpu == nullptr;
  if (broken_ || gpu->paths_seen) return;
  gpu->paths_seen = true;
  ++paths_seen_;
  std::size_t gpus = 0;
  std::size_t nets = 0;
  PathList paths = line.paths;
  for (TopologyPath path; paths.next(path);) {
    const PathType type = path_type(path.link);
    if (path.to.type == "GPU") {
      ++gpus;
      const bool other = path.to.system.value == gpu->system && path.to.id.value != gpu->facts.bus_id;
      if (other) gpu->worst_path = std::max(gpu->worst_path, type);
    } else if (path.to.type == "NET") {
      ++nets;
      const bool better = gpu->facts.nic_path == PathType::unknown || type < gpu->facts.nic_path;
      if (better && path.to.system.value == gpu->system) gpu->facts.nic_path = type;
    }
  }
  broken_ = broken_ || gpus > gpus_.size() || nets > nets_.size();  // lines of the dump are missing
  // NCCL truncates the list after 1,023 bytes; the worst or best path may then be missing
  if (gpus < gpus_.size()) gpu->worst_path = PathType::unknown;
  if (nets < nets_.size()) gpu->facts.nic_path = PathType::unknown;
}

bool TopologyReader::find_system(std::uint64_t& system) const {
  for (const Gpu& gpu : gpus_) {
    system = gpu.system;
    if (rank_ >= 0 && gpu.rank == rank_) return true;
  }
  return std::all_of(gpus_.begin(), gpus_.end(), [&](const Gpu& gpu) { return gpu.system == system; });
}

bool TopologyReader::put_into(Host& host, std::string_view network) const {
  std::uint64_t system = 0;
  if (!whole() || !find_system(system)) return false;
  host.topology_at = head_;
  host.cpu = cpu_;
  host.cpus =
      static_cast<int>(std::count_if(cpus_.begin(), cpus_.end(), [&](const Cpu& cpu) { return cpu.system == system; }));
  // A dump lists only the GPUs of its communicator: with a single GPU, missing NVLink lines do not prove that the host
  // has no NVLink.
  const bool shows_links = gpus_.size() > 1;
  host.nvlink = switched_ ? Nvlink::switched : direct_ ? Nvlink::direct : shows_links ? Nvlink::none : Nvlink::unknown;
  std::map<std::pair<std::uint64_t, std::uint64_t>, double> links;  // bandwidth by the bus ids (from, to)
  for (const Link& link : links_)
    if (link.system == system && gpus_[link.from].system == system)
      links[{gpus_[link.from].facts.bus_id, link.to}] += link.bandwidth;
  // The dump may have lost lines, therefore a link counts only if both of its GPUs print it.
  std::map<std::uint64_t, double> sent, received;
  for (const auto& [ends, bandwidth] : links) {
    if (!links.contains({ends.second, ends.first})) continue;
    sent[ends.first] += bandwidth;
    received[ends.second] += bandwidth;
  }
  bool every_path = true;
  host.gpus.clear();
  for (const Gpu& gpu : gpus_) {
    if (gpu.system != system) continue;
    host.gpus.push_back(gpu.facts);
    host.gpus.back().nvlink_sent = sent[gpu.facts.bus_id];
    host.gpus.back().nvlink_received = received[gpu.facts.bus_id];
    host.worst_path = std::max(host.worst_path, gpu.worst_path);
    every_path = every_path && gpu.worst_path != PathType::unknown;
  }
  if (!every_path) host.worst_path = PathType::unknown;
  for (const Net& net : nets_) {
    if (net.system != system) continue;
    HostNic nic = net.facts;
    nic.network = network;
    merge_nic(host, nic);
  }
  return true;
}

}  // namespace nccl_analyze::builder
