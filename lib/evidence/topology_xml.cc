// Reads the file that NCCL writes for NCCL_TOPO_DUMP_FILE (src/graph/xml.cc, src/graph/topo.cc): NUMA nodes, which
// contain PCIe bridges and devices; the devices are GPUs with their NVLinks and NICs with their ports.

#include <algorithm>
#include <string>
#include <vector>

#include "evidence/formats.h"
#include "evidence/machine.h"
#include "evidence/wording.h"
#include "evidence/xml_tags.h"
#include "text/blanks.h"

namespace nccl_analyze::evidence {

namespace {

constexpr std::size_t max_pci_depth = 16;  // nested PCIe bridges; servers have up to 6

struct PciNode {
  std::uint64_t bus_id = 0;
  int width = -1;
  double speed = 0;
  SourceQuote shown = {};
};

class TopologyXml : public MachineDocument {
 public:
  explicit TopologyXml(std::string_view first_line) : MachineDocument("topology-xml", first_line) {}

  bool read(std::string_view line, Facts& facts) override {
    if (!is_line_of_tags(line)) return false;
    if (begun() && line.find("<system ") != std::string_view::npos) return false;  // the first line of another file
    Tag tag;
    for (Tags tags(line); !ended() && tags.next(tag);) read_tag(tag, facts);
    return true;
  }

 private:
  void read_tag(const Tag& tag, Facts& facts) {
    if (tag.name == "system") return tag.closes ? end(facts) : begin(facts);
    if (tag.name == "pci") return tag.closes ? leave_pci() : enter_pci(tag);
    if (tag.closes || deeper_ > 0 || ++items_ > 8 * max_items) return;
    if (tag.name == "cpu") return add_cpu(tag, facts);
    if (tag.name == "gpu") return add_gpu(tag, facts);
    if (tag.name == "nvlink" || tag.name == "c2c") return add_links(tag, facts);
    if (tag.name == "net") return add_net(tag, facts);
  }

  /// Adds a bridge or device. Elements below max_pci_depth levels are only counted, so that their end tags match.
  void enter_pci(const Tag& tag) {
    if (tag.is_whole) return;
    if (pci_.size() >= max_pci_depth || deeper_ > 0) return static_cast<void>(++deeper_);
    PciNode& node = pci_.emplace_back();
    node.shown = here();
    read_bus_id(tag.text("busid"), node.bus_id);
    node.width = tag.number("link_width", -1);
    const std::string_view speed = tag.text("link_speed");  // `32.0 GT/s PCIe`
    read_number(speed.substr(0, speed.find(' ')), node.speed);
  }

  void leave_pci() {
    if (deeper_ > 0)
      --deeper_;
    else if (!pci_.empty())
      pci_.pop_back();
  }

  void add_cpu(const Tag& tag, Facts& facts) {
    numa_ = tag.number("numaid", -1);
    pci_.clear();
    const std::string cpu = std::string(tag.text("arch")).append(" ").append(tag.text("vendor"));
    facts.emplace_back(MachineCpuListed{.numa = numa_, .host_hash = {tag.hex_number("host_hash")}, .cpu = trimmed(cpu)},
                       here());
  }

  /// Returns the bus IDs of the bridges above the current device, separated by `/`; `cpu` if there is none.
  std::string switches() const {
    if (pci_.size() < 2) return "cpu";
    std::string text;
    for (std::size_t i = 0; i + 1 < pci_.size(); ++i) text.append(i == 0 ? "" : "/").append(hex(pci_[i].bus_id));
    return text;
  }

  const PciNode& device() const {
    static const PciNode no_device;
    return pci_.empty() ? no_device : pci_.back();
  }

  void add_gpu(const Tag& tag, Facts& facts) {
    const std::string above = switches();
    SourceQuote shown = device().shown;  // the tag of the PCI device has the width and speed of the link
    add_piece(shown, here());
    facts.emplace_back(MachineGpuListed{.index = tag.number("dev", -1),
                                        .bus_id = {device().bus_id},
                                        .rank = tag.number("rank", -1),
                                        .numa = numa_,
                                        .width = device().width,
                                        .speed = measured(device().speed),
                                        .switches = above},
                       shown);
  }

  /// Adds NVLinks. The PCI class of the target distinguishes a GPU (03), an NVSwitch (0680) and a POWER CPU (068001).
  void add_links(const Tag& tag, Facts& facts) {
    std::uint64_t target = 0;
    const std::string_view kind = tag.text("tclass");
    std::string to = tag.name == "c2c" ? "c2c" : kind == "0x068001" ? "cpu" : "switch";
    if (kind.starts_with("0x03")) to = read_bus_id(tag.text("target"), target) ? hex(target) : std::string();
    facts.emplace_back(MachineNvlinkListed{.from = {device().bus_id}, .to = to, .links = tag.number("count", 0)},
                       here());
  }

  void add_net(const Tag& tag, Facts& facts) {
    if (tag.text("net") == "0") return;  // used only by another plugin, such as CollNet's
    const std::string label = "NIC" + std::to_string(tag.number("dev", -1)), above = switches();
    facts.emplace_back(MachineNicListed{.label = label,
                                        .device = tag.text("name"),
                                        .port = tag.number("port", -1),
                                        .bus_id = {device().bus_id},
                                        .guid = {tag.hex_number("guid")},
                                        .rate = tag.number("speed", -1),
                                        .numa = numa_,
                                        .width = device().width,
                                        .speed = measured(device().speed),
                                        .switches = above},
                       here());
  }

  int numa_ = -1;
  std::vector<PciNode> pci_;
  std::size_t deeper_ = 0, items_ = 0;
};

}  // namespace

std::unique_ptr<Document> begin_topology_xml(std::string_view line) { return std::make_unique<TopologyXml>(line); }

}  // namespace nccl_analyze::evidence
