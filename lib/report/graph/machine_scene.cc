// Draws machines: frames for CPUs and PCIe switches around GPUs and NICs, and arrows for what NCCL uses.

#include "report/graph/machine_scene.h"

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <utility>

#include "model/host_table.h"
#include "model/resolve/gpus.h"
#include "nccl_analyze/rule_parts.h"
#include "queries/gdr.h"
#include "report/graph/hardware.h"
#include "report/graph/labels.h"
#include "report/graph/machine_layout.h"
#include "report/graph/scene.h"
#include "report/sentences/paths.h"
#include "text/escape.h"
#include "text/phrases.h"

namespace nccl_analyze {
namespace {

constexpr std::size_t max_machine_kinds = 3, max_devices = 64, max_columns = 48;

/// The traffic between a GPU and a NIC.
struct NicTraffic {
  Link send, receive;
};
/// By index into Hardware::gpus and name of the NIC.
using NicTraffics = std::map<std::pair<std::size_t, std::string>, NicTraffic>;

/// Splits the name of a NIC that NCCL merged from several: `mlx5_0+mlx5_1`.
std::vector<std::string> parts_of(const std::string& name) {
  std::vector<std::string> parts;
  std::size_t from = 0;
  for (std::size_t end = name.find('+'); end != std::string::npos; from = end + 1, end = name.find('+', from))
    parts.push_back(name.substr(from, end - from));
  parts.push_back(name.substr(from));
  return parts;
}

bool is_on(const Model& model, const Rank& rank, Index host) {
  return rank.process >= 0 && model.processes[rank.process].host_index == host;
}

/// Returns the widest communicator with a rank on the host that shows rings or connections; -1 if there is none.
Index communicator_on(const Model& model, Index host) {
  Index found = -1;
  for (std::size_t i = 0; i < model.communicators.size(); ++i) {
    const Communicator& comm = model.communicators[i];
    const bool is_wider = found < 0 || comm.nranks > model.communicators[found].nranks;
    if (is_wider && (!comm.rings.empty() || !comm.connections.empty()) &&
        std::ranges::any_of(comm.ranks, [&](const Rank& rank) { return is_on(model, rank, host); }))
      found = static_cast<Index>(i);
  }
  return found;
}

std::string escaped(const std::string& text) { return dot_text(truncated(text, max_columns)); }

class MachineDrawing {
 public:
  MachineDrawing(const Model& model, const Report& report, const DotOptions& options, Picture& picture)
      : model_(model), report_(report), options_(options), picture_(picture) {}

  void draw(Hardware hardware, std::size_t alike) {
    hardware_ = std::move(hardware);
    prefix_ = "m" + std::to_string(number_++);
    ranks_.clear();
    traffic_.clear();
    const Index comm = hardware_.host < 0 ? -1 : communicator_on(model_, hardware_.host);
    if (comm >= 0) find_use(model_.communicators[comm]);
    MachineLayout layout(picture_, prefix_, label_of(alike));
    add_boxes(layout, comm);
    const int hub = add_hub(layout, comm);
    layout.end();
    add_nvlinks(hub);
    if (comm >= 0) add_rings(comm);
    add_traffic();
  }

  /// The lines from GPUs to switches, which have their curves already.
  const std::vector<Arrow>& spokes() const { return spokes_; }

 private:
  std::string label_of(std::size_t alike) const {
    std::string label = escaped(hardware_.name.empty() ? "host unknown" : hardware_.name);
    if (alike > 1) label += " and " + count_text(alike - 1, "host like it", "hosts like it");
    std::string about = escaped(hardware_.cpu);
    append_item(about, hardware_.source.empty() ? "no line shows CPUs and PCIe switches"
                                                : "as " + dot_text(hardware_.source) + " shows");
    return label + "\\n" + about;
  }

  /// Gathers the ranks of each GPU, and the traffic of each GPU with NICs. NICs that the hardware lacks are added.
  void find_use(const Communicator& comm) {
    const Host& host = model_.hosts[hardware_.host];
    std::map<Index, std::size_t> gpus;
    for (std::size_t i = 0; i < hardware_.gpus.size(); ++i)
      if (hardware_.gpus[i].gpu >= 0) gpus.emplace(hardware_.gpus[i].gpu, i);
    const auto place_of = [&](const Rank& rank) {
      const auto found = gpus.find(builder::find_gpu(host, rank));
      return is_on(model_, rank, hardware_.host) && found != gpus.end() ? static_cast<int>(found->second) : -1;
    };
    for (const Rank& rank : comm.ranks)
      if (const int place = place_of(rank); place >= 0) ranks_.emplace(rank.rank, place);
    for (const ConnectionGroup& group : comm.connections.groups()) {
      const std::string_view transport = comm.transports[group.transport];
      const Rank* const rank =
          transport.starts_with("NET/") && group.connection == 0 ? rank_at_nic(comm, group) : nullptr;
      const auto place = rank == nullptr ? ranks_.end() : ranks_.find(rank->rank);
      if (place == ranks_.end()) continue;
      const std::string_view network = builder::device_list_of(transport.substr(4));
      const std::string name = nic_name(host, model_.processes[rank->process], network, group.device);
      for (const std::string& part : parts_of(name))
        add_use(static_cast<std::size_t>(place->second), part, transport, group);
    }
  }

  void add_use(std::size_t gpu, const std::string& nic, std::string_view transport, const ConnectionGroup& group) {
    const bool is_known = std::ranges::find(hardware_.nics, nic, &Device::name) != hardware_.nics.end();
    if (!is_known && hardware_.nics.size() >= max_devices) return;
    if (!is_known) hardware_.nics.emplace_back().name = nic;
    NicTraffic& traffic = traffic_[{gpu, nic}];
    Link& link = group.receive ? traffic.receive : traffic.send;
    for (int bit = 0; bit < 64; ++bit) {
      if ((group.channels >> static_cast<unsigned>(bit) & 1U) == 0) continue;
      insert(link.channels, 64 * group.block + bit);
      insert(link.uses[{transport, group.gdrdma}].channels, 64 * group.block + bit);
    }
  }

  Box box_of(const Device& device, const std::string& id) const {
    Box box{.id = prefix_ + id, .label = escaped(device.name), .name = device.name, .about = device.name};
    for (const std::string& line : device.more)
      if (!line.empty()) box.label += "\\n" + escaped(line);
    append_item(box.about, device.about, "; ");
    return box;
  }

  void add_boxes(MachineLayout& layout, Index comm) {
    const Suspicions suspicions(report_, comm);
    gpu_boxes_.clear();
    nic_boxes_.clear();
    for (std::size_t i = 0; i < hardware_.gpus.size(); ++i) {
      Box box = box_of(hardware_.gpus[i], "g" + std::to_string(i));
      box.dashed = comm >= 0;
      for (const auto& [rank, place] : ranks_) {
        if (static_cast<std::size_t>(place) != i) continue;
        box.label += "\\nrank " + std::to_string(rank);
        box.about += "; rank " + std::to_string(rank);
        box.dashed = false;
        mark(box, suspicions.of(*find_rank(model_.communicators[comm], rank)));
      }
      gpu_boxes_.push_back(layout.add_gpu(hardware_.gpus[i], std::move(box), static_cast<int>(i)));
    }
    std::map<std::string_view, std::size_t> users;  // the first GPU that uses a NIC
    for (const auto& [ends, traffic] : traffic_) users.emplace(ends.second, ends.first);
    const bool shows_use = comm >= 0 && !model_.communicators[comm].connections.empty();
    for (std::size_t i = 0; i < hardware_.nics.size(); ++i) {
      Box box = box_of(hardware_.nics[i], "n" + std::to_string(i));
      const auto user = users.find(hardware_.nics[i].name);
      box.dashed = shows_use && user == users.end();
      const int column = user == users.end() ? -1 : static_cast<int>(user->second);
      nic_boxes_.emplace(hardware_.nics[i].name, layout.add_nic(hardware_.nics[i], std::move(box), column));
    }
  }

  /// Adds the box of the NVLink switches; returns -1 if there are none.
  int add_hub(MachineLayout& layout, Index comm) const {
    std::vector<std::string> lines;
    if (comm >= 0) lines = describe_switch(model_.communicators[comm], nullptr);
    if (hardware_.has_switch && lines.empty()) lines.emplace_back("NVSwitch");
    if (hardware_.has_switch) lines.front() = "NVSwitch";
    if (lines.empty() || hardware_.gpus.empty()) return -1;
    if (hardware_.links_to_switch > 0) lines.push_back(concat(hardware_.links_to_switch, " NVLinks of each GPU"));
    if (comm >= 0 && model_.communicators[comm].mnnvl == 1) lines.emplace_back("shared with other hosts (MNNVL)");
    Box box{.id = prefix_ + "switch", .about = "the switch that joins the GPUs by NVLink", .look = Look::hub};
    for (const std::string& line : lines) append_item(box.label, line, ", ");
    return layout.add_hub(std::move(box));
  }

  /// Draws straight lines to the switches below the GPUs, which are not routed, or else the links between GPUs.
  void add_nvlinks(int hub) {
    for (std::size_t i = 0; i < gpu_boxes_.size(); ++i)
      if (hub >= 0 && hardware_.gpus[i].has_nvlink) spokes_.push_back(spoke(gpu_boxes_[i], hub));
    if (hub >= 0) return;
    for (const GpuLink& link : hardware_.links) {
      if (link.to >= gpu_boxes_.size()) continue;
      Arrow arrow{.from = gpu_boxes_[link.from], .to = gpu_boxes_[link.to], .style = &switch_style(), .headless = true};
      if (link.links > 0) arrow.label = concat("NV", link.links);
      picture_.arrows.push_back(std::move(arrow));
    }
  }

  Arrow spoke(int gpu, int hub) const {
    const Box& from = picture_.boxes[gpu];
    const Box& to = picture_.boxes[hub];
    const Point tail{from.x, from.y - from.height / 2}, head{from.x, to.y + to.height / 2};
    const double third = (tail.y - head.y) / 3;
    return {.from = gpu,
            .to = hub,
            .style = &switch_style(),
            .headless = true,
            .tail = tail,
            .head = head,
            .curve = {tail, {tail.x, tail.y - third}, {tail.x, head.y + third}, head}};
  }

  void add_rings(Index index) {
    const Communicator& comm = model_.communicators[index];
    const auto place_of = [this](int rank) {
      const auto found = ranks_.find(rank);
      return found == ranks_.end() ? -1 : found->second;
    };
    const LinkSearch search{.view = comm.rings.empty() ? DotView::automatic : DotView::rings,
                            .place_of = place_of,
                            .is_wanted = [](int from, int to) { return from >= 0 && to >= 0; }};
    const Suspicions no_suspicions(report_, -1);
    const Scene scene{model_, index, comm, options_, no_suspicions, prefix_, -1};
    draw_links(
        scene, find_links(comm, search).links, Counted::channels,
        [this](int place) { return place < 0 ? -1 : gpu_boxes_[static_cast<std::size_t>(place)]; }, picture_);
  }

  void add_traffic() {
    const auto same_ways = [](const Link& a, const Link& b) {
      return std::ranges::equal(
          a.uses, b.uses, {}, [](const auto& one) { return one.first; }, [](const auto& one) { return one.first; });
    };
    for (const auto& [ends, traffic] : traffic_) {
      const int gpu = gpu_boxes_[ends.first], nic = nic_boxes_.at(ends.second);
      const bool both = same_ways(traffic.send, traffic.receive);
      if (both) {
        Link sum = traffic.send;
        add(sum, traffic.receive);
        add_arrow(gpu, nic, std::move(sum), true);
        continue;
      }
      if (!traffic.send.uses.empty()) add_arrow(gpu, nic, traffic.send, false);
      if (!traffic.receive.uses.empty()) add_arrow(nic, gpu, traffic.receive, false);
    }
  }

  void add_arrow(int from, int to, Link link, bool both) {
    const LinkStyle* const style = &style_of(link.uses);
    picture_.arrows.push_back({.from = from, .to = to, .link = std::move(link), .style = style, .both = both});
  }

  const Model& model_;
  const Report& report_;
  const DotOptions& options_;
  Picture& picture_;
  Hardware hardware_;
  std::string prefix_;
  std::size_t number_ = 0;
  std::map<int, int> ranks_;  ///< Index into Hardware::gpus by rank.
  NicTraffics traffic_;
  std::vector<int> gpu_boxes_;
  std::map<std::string, int, std::less<>> nic_boxes_;
  std::vector<Arrow> spokes_;
};

/// Hosts with the same hardware, of which NCCL uses the same.
struct MachineKind {
  Hardware first;
  std::size_t hosts = 0;
};

std::string key_of(const Hardware& hardware, const Table<std::vector<GdrPair>>& pairs) {
  std::string key =
      concat(hardware.cpu, hardware.source, hardware.has_switch ? "switch" : "", hardware.links_to_switch);
  for (const auto* devices : {&hardware.gpus, &hardware.nics})
    for (const Device& device : *devices) {
      key += concat("\n", device.name, " ", device.numa, " ", device.pci_switch, device.has_nvlink ? "" : " alone");
      for (const std::string& line : device.more) key += " " + line;
    }
  for (const GpuLink& link : hardware.links) key += concat("\n", link.from, "-", link.to, " ", link.links);
  if (const std::vector<GdrPair>* const own = pairs.find(hardware.host); own != nullptr)
    for (const GdrPair& pair : *own)
      key += concat("\n", pair.gpu, " ", pair.nic, " ", static_cast<int>(pair.send), static_cast<int>(pair.receive));
  return key;
}

std::vector<MachineKind> machine_kinds(const Model& model, const DotOptions& options) {
  const Table<std::vector<GdrPair>> pairs = gdr_pairs(model);
  std::map<std::string, std::size_t> places;
  std::vector<MachineKind> kinds;
  for (Hardware& hardware : hardware_of(model)) {
    if (options.inside && (hardware.host < 0 || !options.inside(model.hosts[hardware.host].name))) continue;
    const auto [place, is_new] = places.try_emplace(key_of(hardware, pairs), kinds.size());
    if (is_new) kinds.push_back({std::move(hardware), 0});
    ++kinds[place->second].hosts;
  }
  return kinds;
}

std::size_t hosts_of(const std::vector<MachineKind>& kinds) {
  return std::accumulate(kinds.begin(), kinds.end(), std::size_t{0},
                         [](std::size_t sum, const MachineKind& kind) { return sum + kind.hosts; });
}

/// Leaves the kinds that are drawn, and notes the others in the title.
void select_kinds(std::vector<MachineKind>& kinds, Picture& picture) {
  const auto has_source = [](const MachineKind& kind) { return !kind.first.source.empty(); };
  const std::size_t all = hosts_of(kinds);
  if (std::ranges::any_of(kinds, has_source)) std::erase_if(kinds, std::not_fn(has_source));
  if (const std::size_t others = all - hosts_of(kinds); others > 0)
    picture.title.push_back(count_text(others, "other host") +
                            ", of which no line shows CPUs and PCIe switches: not drawn (--host selects hosts)");
  if (kinds.size() > max_machine_kinds) {
    picture.title.push_back(count_text(kinds.size() - max_machine_kinds, "other kind") +
                            " of host: not drawn (--host selects hosts)");
    kinds.resize(max_machine_kinds);
  }
  if (kinds.empty())
    picture.title.emplace_back("no line of this input shows a GPU or a NIC");
  else if (!has_source(kinds.front()))
    picture.title.emplace_back(
        "CPUs and PCIe switches: with NCCL_DEBUG_SUBSYS=INIT,GRAPH, or `nvidia-smi topo -m` beside the log");
}

}  // namespace

void draw_machines(const Model& model, const Report& report, const DotOptions& options, Picture& picture) {
  std::vector<MachineKind> kinds = machine_kinds(model, options);
  select_kinds(kinds, picture);
  MachineDrawing drawing(model, report, options, picture);
  for (MachineKind& kind : kinds) {
    if (kind.first.gpus.size() > max_devices) kind.first.gpus.resize(max_devices);
    if (kind.first.nics.size() > max_devices) kind.first.nics.resize(max_devices);
    drawing.draw(std::move(kind.first), kind.hosts);
  }
  const bool any_dashed = std::ranges::any_of(picture.boxes, &Box::dashed);
  word_labels(picture, DotView::rings);
  if (any_dashed) picture.legend.emplace_back("dashed: no connection that is shown uses it");
  if (const std::size_t unplaced = route_arrows(picture); unplaced > 0)
    picture.legend.push_back(count_text(unplaced, "label has", "labels have") + " no room and are left out");
  picture.arrows.insert(picture.arrows.end(), drawing.spokes().begin(), drawing.spokes().end());
}

}  // namespace nccl_analyze
