// Reads the output of ibstat on InfiniBand and RoCE devices. It has a block for each device, which contains a block for
// each port.

#include <algorithm>
#include <iterator>
#include <set>
#include <string>

#include "evidence/formats.h"
#include "evidence/machine.h"
#include "evidence/wording.h"
#include "text/blanks.h"
#include "text/word_list.h"

namespace nccl_analyze::evidence {

namespace {

constexpr std::string_view ibstat_tool = "ibstat";
constexpr std::string_view device_line = "CA '";

/// Whether ibstat prints a line with this key (infiniband-diags, src/ibstat.c). Indented lines with other keys come
/// from other programs.
bool is_key_of_ibstat(std::string_view key) {
  static constexpr WordList keys{
      "CA type|Number of ports|Firmware version|Hardware version|Node GUID|System image GUID|State|Physical state|"
      "Rate|Base lid|LMC|SM lid|Capability mask|Port GUID|Link layer",
      '|'};
  int port = -1;
  constexpr std::string_view port_key = "Port ";
  return std::ranges::find(keys, key) != std::end(keys) ||
         (key.starts_with(port_key) && read_number(key.substr(port_key.size()), port));
}

/// Whether a line contains the name of a device and nothing else: `CA 'mlx5_0'`.
bool is_device_line(std::string_view line) {
  return line.starts_with(device_line) && line.find('\'', device_line.size()) + 1 == line.size();
}

struct Port {
  std::string state, physical, link;
  int number = -1;
  double rate = 0;
};

class Ibstat : public MachineDocument {
 public:
  explicit Ibstat(std::string_view first_line) : MachineDocument(ibstat_tool, first_line) {}

  bool read(std::string_view line, Facts& facts) override {
    line = trimmed_end(line);
    if (is_device_line(line)) return begin_device(between(line, device_line, "'"), facts);
    if (!begun()) return false;
    const std::string_view text = trimmed(line);
    const std::size_t colon = text.find(':');
    if (text.size() == line.size() || !is_key_of_ibstat(text.substr(0, colon))) return false;
    read_value(text.substr(0, colon), trimmed(text.substr(colon + 1)), facts);
    return true;
  }
  void finish(Facts& facts) override { end_port(facts); }

 private:
  /// Returns false for a device that the document already has, because it is the first device of another host.
  bool begin_device(std::string_view name, Facts& facts) {
    end_port(facts);
    if (devices_.size() >= max_items || !devices_.emplace(name).second) return false;
    begin(facts);
    device_ = name;
    guid_ = 0;
    return true;
  }

  void read_value(std::string_view key, std::string_view value, Facts& facts) {
    if (key.starts_with("Port ") && value.empty()) {
      end_port(facts);
      port_ = {};
      shown_ = here();
      is_open_ = read_number(key.substr(key.find(' ') + 1), port_.number) && ++ports_ <= max_items;
    }
    if (key == "System image GUID") read_hex(value, guid_);
    if (key == "State") {
      port_.state = value;
      shown_ = here();
    }
    if (key == "Physical state") {
      port_.physical = value;
      add_piece(shown_, here());
    }
    if (key == "Rate") read_number(value, port_.rate);
    if (key != "Link layer") return;
    port_.link = value;
    end_port(facts);
  }

  void end_port(Facts& facts) {
    if (is_open_)
      facts.emplace_back(MachinePortListed{.device = device_,
                                           .port = port_.number,
                                           .state = port_.state,
                                           .physical = port_.physical,
                                           .rate = measured(port_.rate),
                                           .link = port_.link,
                                           .interface = {},
                                           .guid = {guid_}},
                         shown_);
    is_open_ = false;
  }

  std::set<std::string> devices_;
  std::string device_;
  std::uint64_t guid_ = 0;
  Port port_;
  SourceQuote shown_;  ///< The line with the state of the port.
  bool is_open_ = false;
  std::size_t ports_ = 0;
};

}  // namespace

std::unique_ptr<Document> begin_ibstat(std::string_view line) {
  if (!is_device_line(trimmed_end(line)) && prompt_host(line).empty()) return nullptr;
  return std::make_unique<Ibstat>(line);
}

}  // namespace nccl_analyze::evidence
