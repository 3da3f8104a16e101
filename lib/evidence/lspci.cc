// Reads the PCIe links of GPUs and NICs and the access control (ACS) of bridges from `lspci -vvv`. Without root, lspci
// shows neither.

#include <algorithm>
#include <set>
#include <string>

#include "evidence/formats.h"
#include "evidence/machine.h"
#include "evidence/wording.h"
#include "text/blanks.h"

namespace nccl_analyze::evidence {

namespace {

constexpr std::string_view lspci_tool = "lspci";

enum class Kind { other, gpu, nic, bridge };

/// Returns the kind of a device from its class and name. Display controllers count as GPUs only if they are from NVIDIA
/// or AMD; a server's management processor has one, too.
Kind kind_of(std::string_view type, std::string_view device) {
  const bool is_display = type == "3D controller" || type == "VGA compatible controller" ||
                          type == "Processing accelerators" || type == "Display controller";
  const bool is_vendor = device.starts_with("NVIDIA") || device.starts_with("Advanced Micro Devices");
  if (is_display) return is_vendor ? Kind::gpu : Kind::other;
  if (type == "Infiniband controller" || type == "Ethernet controller") return Kind::nic;
  return type == "PCI bridge" ? Kind::bridge : Kind::other;
}

struct Link {
  int width = -1;
  double speed = 0;
};

/// Reads `Speed 32GT/s (ok), Width x16 (ok)`. lspci prints `Speed unknown, Width x0` for a virtual function.
Link read_link(std::string_view text) {
  Link link;
  read_number(between(text, "Speed ", "GT/s"), link.speed);
  const std::string_view width = between(text, "Width x", ",");
  read_number(width.substr(0, width.find(' ')), link.width);
  if (link.width == 0) link.width = -1;
  return link;
}

/// The names that lspci prints before a colon in indented lines (pciutils, ls-caps.c, ls-ecaps.c, lspci.c), separated
/// by bars.
constexpr std::string_view names_of_lspci =
    "|ACSCap|ACSCtl|AERCap|ARICap|ARICtl|Address|AtomicOpsCap|AtomicOpsCtl|BridgeCtl|Bus|CEMsk|CESta|"
    "Capabilities|Control|DevCap|DevCap2|DevCtl|DevCtl2|DevName|DevSta|DeviceName|Expansion ROM at|Flags|"
    "HeaderLog|I/O behind bridge|IOMMU group|IOVCap|IOVCtl|IOVSta|Initial VFs|Interrupt|Kernel driver in use|"
    "Kernel modules|LaneErrStat|Latency|LnkCap|LnkCap2|LnkCtl|LnkCtl2|LnkCtl3|LnkSta|LnkSta2|Masking|"
    "Memory behind bridge|NUMA node|PBA|Physical Slot|Power Management|Prefetchable memory behind bridge|"
    "Product Name|Read-only fields|RootCap|RootCmd|RootCtl|RootSta|Secondary status|SltCap|SltCtl|SltSta|Status|"
    "Subsystem|Supported Page Size|UEMsk|UESta|UESvrt|VF Migration|VF offset|Vector table|";

/// Whether lspci printed an indented line: the line has a name before a colon, or only flags such as
/// `ExtTag+ AttnBtn-`, which continue the line before.
bool is_line_of_lspci(std::string_view text) {
  const std::string_view word = text.substr(0, text.find(' '));
  const bool is_flag = word.size() > 2 && word.front() != '-' && (word.ends_with('+') || word.ends_with('-'));
  const std::string name = "|" + std::string(text.substr(0, text.find(':'))) + "|";
  return is_flag || text.starts_with("Region ") || names_of_lspci.find(name) != std::string_view::npos;
}

class Lspci : public MachineDocument {
 public:
  explicit Lspci(std::string_view first_line) : MachineDocument(lspci_tool, first_line) {}

  bool read(std::string_view line, Facts& facts) override {
    if (trimmed(line).empty()) return is_open_;
    if (line.starts_with('\t') || line.starts_with("  ")) {
      if (!is_open_ || !is_line_of_lspci(trimmed(line))) return false;
      read_value(trimmed(line), facts);
      return true;
    }
    return begin_device(line);
  }

 private:
  /// Reads a line such as `19:00.0 3D controller: NVIDIA Corporation GH100 [H100 SXM5 80GB] (rev a1)`. Returns false
  /// for other lines, and for a device that the document already has, because it is the first device of another host.
  bool begin_device(std::string_view line) {
    const std::size_t blank = line.find(' ');
    const std::size_t colon = line.find(": ", std::min(blank, line.size()));
    is_open_ = false;
    bus_id_ = 0;
    if (colon == std::string_view::npos || !read_bus_id(line.substr(0, blank), bus_id_)) return false;
    constexpr std::size_t max_devices = 16 * max_items;
    if (devices_.size() >= max_devices || !devices_.insert(bus_id_).second) return false;
    device_ = trimmed(line.substr(colon + 2));
    kind_ = kind_of(line.substr(blank + 1, colon - blank - 1), device_);
    first_bus_ = last_bus_ = 0;
    capable_ = {};
    return is_open_ = true;
  }

  void read_value(std::string_view text, Facts& facts) {
    if (kind_ == Kind::other) return;
    if (kind_ == Kind::bridge) return read_bridge(text, facts);
    if (text.starts_with("LnkCap:")) capable_ = read_link(text);
    if (!text.starts_with("LnkSta:") || capable_.width < 0 || ++links_ > max_items) return;
    const Link now = read_link(text);
    if (now.width < 0) return;
    begin(facts);
    facts.emplace_back(MachineLinkListed{.kind = kind_ == Kind::gpu ? "GPU" : "NIC",
                                         .bus_id = {bus_id_},
                                         .width = now.width,
                                         .max_width = capable_.width,
                                         .speed = measured(now.speed),
                                         .max_speed = measured(capable_.speed),
                                         .device = device_},
                       here());
  }

  void read_bridge(std::string_view text, Facts& facts) {
    if (text.starts_with("Bus: ")) {
      const std::uint64_t domain = bus_id_ >> 20U << 8U;
      if (read_hex(between(text, "secondary=", ","), first_bus_)) first_bus_ |= domain;
      if (read_hex(between(text, "subordinate=", ","), last_bus_)) last_bus_ |= domain;
    }
    constexpr std::string_view control = "ACSCtl:";
    if (!text.starts_with(control) || text.find("SrcValid+") == std::string_view::npos || ++bridges_ > max_items)
      return;
    begin(facts);
    facts.emplace_back(MachineAcsListed{.bus_id = {bus_id_},
                                        .first_bus = {first_bus_},
                                        .last_bus = {last_bus_},
                                        .acs = trimmed(text.substr(control.size()))},
                       here());
  }

  std::set<std::uint64_t> devices_;
  bool is_open_ = false;  ///< Whether the current lines belong to a device.
  Kind kind_ = Kind::other;
  std::uint64_t bus_id_ = 0, first_bus_ = 0, last_bus_ = 0;
  std::string device_;
  Link capable_;
  std::size_t links_ = 0, bridges_ = 0;
};

}  // namespace

std::unique_ptr<Document> begin_lspci(std::string_view line) { return std::make_unique<Lspci>(line); }

/// Returns the position of the PCI address, which is at most 48 bytes before the sign; npos if there is none.
std::size_t start_of_lspci(std::string_view line, std::size_t sign) {
  constexpr std::size_t longest = 48;
  const std::size_t from = sign - std::min(sign, longest);
  std::uint64_t bus_id = 0;
  for (const std::string_view one : words_of(line.substr(from, sign - from)))
    if (read_bus_id(one, bus_id)) return static_cast<std::size_t>(one.data() - line.data());
  return std::string_view::npos;
}

std::size_t start_of_prompt(std::string_view line, std::size_t) {
  return prompt_host(line).empty() ? std::string_view::npos : 0;
}

}  // namespace nccl_analyze::evidence
