// Reads the ports of RDMA devices in the output of ibv_devinfo, ibstatus and `rdma link`, and GID tables in that of
// `ibv_devinfo -v`.

#include <algorithm>
#include <iterator>
#include <set>
#include <string>
#include <utility>

#include "evidence/formats.h"
#include "evidence/machine.h"
#include "evidence/port_rows.h"
#include "evidence/wording.h"
#include "text/blanks.h"
#include "text/lower_case.h"

namespace nccl_analyze::evidence {

namespace {

constexpr std::string_view sign_of_device = "hca_id:", sign_of_gid = "GID[", sign_of_ibstatus = "Infiniband device '";

struct PortWord {
  std::string_view printed, of_ibstat;
};

/// Returns ibstat's word for a state of a port that another tool prints in capitals; empty for other words.
std::string_view word_of_ibstat(std::string_view printed) {
  constexpr PortWord words[] = {{"active", "Active"},     {"down", "Down"},
                                {"init", "Initializing"}, {"armed", "Armed"},
                                {"link_up", "LinkUp"},    {"linkup", "LinkUp"},
                                {"disabled", "Disabled"}, {"polling", "Polling"},
                                {"sleep", "Sleep"},       {"training", "PortConfigurationTraining"},
                                {"phy_test", "PhyTest"}};
  const auto found = std::ranges::find(words, lower_case(printed), &PortWord::printed);
  return found == std::end(words) ? std::string_view{} : found->of_ibstat;
}

/// Whether a name may be that of an RDMA device: `mlx5_0`, `rocep1s0f0`, `bnxt_re0`, `mlx5_bond_0`.
bool is_device_name(std::string_view name) {
  constexpr std::size_t longest = 64;
  return !name.empty() && name.size() <= longest && std::ranges::all_of(name, [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '-' ||
           c == '.';
  });
}

/// Returns the text before the first blank.
std::string_view word_before_blank(std::string_view text) { return text.substr(0, text.find_first_of(" \t")); }

/// The text before the colon of a line and the text behind it, without blanks around them.
struct KeyOfLine {
  std::string_view key, value;
};
KeyOfLine key_and_value(std::string_view line) {
  const std::string_view text = trimmed(line);
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos) return {};
  return {trimmed_end(text.substr(0, colon)), trimmed(text.substr(colon + 1))};
}

/// Reads a GUID as ibv_devinfo prints it, in four groups: `b83f:d203:0099:1111`. Returns 0 for any other text.
std::uint64_t grouped_guid(std::string_view text) {
  std::string digits;
  for (const char c : text)
    if (c != ':') digits += c;
  std::uint64_t guid = 0;
  return digits.size() == 16 && read_hex(digits, guid) ? guid : 0;
}

/// The base of documents with several ports, of which each is a fact when its last line was read.
class PortsDocument : public MachineDocument {
 public:
  using MachineDocument::MachineDocument;
  void finish(Facts& facts) override { end_port(facts); }

 protected:
  void begin_port(std::string_view device, int port, SourceQuote shown) {
    device_ = device;
    port_ = {};
    port_.port = port;
    state_ = physical_ = link_ = {};
    shown_ = std::move(shown);
    is_open_ = ++ports_ <= max_items;
  }
  void end_port(Facts& facts) {
    if (is_open_ && !state_.empty()) {
      port_.device = device_;
      port_.state = state_;
      port_.physical = physical_;
      port_.link = link_;
      facts.emplace_back(port_, std::move(shown_));
    }
    is_open_ = false;
  }
  /// Sets the state by a word such as `DOWN`, which the current line shows.
  void set_state(std::string_view word) {
    state_ = word_of_ibstat(word);
    shown_ = here();
  }
  void set_physical(std::string_view word) {
    physical_ = word_of_ibstat(word);
    if (!physical_.empty()) add_piece(shown_, here());
  }
  void set_link(std::string_view link) {
    if (link == "InfiniBand" || link == "Ethernet") link_ = link;
  }
  bool is_open() const { return is_open_; }
  bool has_state() const { return !state_.empty(); }
  MachinePortListed port_;
  std::string device_;

 private:
  std::string_view state_, physical_;
  std::string link_;
  SourceQuote shown_;
  bool is_open_ = false;
  std::size_t ports_ = 0;
};

/// The lines of `ibv_devinfo` (libibverbs/examples/devinfo.c of rdma-core).
class Devinfo : public PortsDocument {
 public:
  explicit Devinfo(std::string_view first_line) : PortsDocument("ibv_devinfo", first_line) {}

  bool read(std::string_view line, Facts& facts) override {
    if (is_command()) return true;
    const std::string_view text = trimmed(line);
    if (text.starts_with(sign_of_device)) return begin_device(trimmed(text.substr(sign_of_device.size())), facts);
    if (text.starts_with(sign_of_gid)) return read_gid(text, facts);
    if (!begun()) return false;
    const auto [key, value] = key_and_value(text);
    return !value.empty() && read_value(key, value, facts);
  }
  /// `ibv_devinfo -v` prints more than a hundred lines of a device between those that are read.
  std::size_t max_foreign_lines() const override { return 200; }

 private:
  /// Returns false for a device that the document already has, because it is the first device of another host.
  bool begin_device(std::string_view name, Facts& facts) {
    end_port(facts);
    if (!is_device_name(name) || devices_.size() >= max_items || !devices_.emplace(name).second) return false;
    begin(facts);
    device_ = name;
    port_ = {};
    guid_ = 0;
    return true;
  }

  bool read_value(std::string_view key, std::string_view value, Facts& facts) {
    constexpr std::string_view others[] = {"transport", "fw_ver",   "node_guid",    "vendor_id",  "vendor_part_id",
                                           "hw_ver",    "board_id", "max_mtu",      "active_mtu", "sm_lid",
                                           "port_lid",  "port_lmc", "phys_port_cnt"};
    if (key == "port") {
      int port = -1;
      if (device_.empty() || !read_number(value, port)) return false;
      end_port(facts);
      begin_port(std::string(device_), port, here());
      port_.guid = {guid_};
      return true;
    }
    if (key == "state") {
      constexpr std::string_view prefix = "PORT_";
      if (device_.empty() || !value.starts_with(prefix)) return false;
      if (!is_open() || has_state()) next_port(facts);
      set_state(word_before_blank(value.substr(prefix.size())));
      return true;
    }
    if (key == "phys_state") {
      if (is_open()) set_physical(word_before_blank(value));
      return true;
    }
    if (key == "link_layer") {
      set_link(value);
      return true;
    }
    if (key == "sys_image_guid") guid_ = grouped_guid(value);
    return key == "sys_image_guid" || std::ranges::find(others, key) != std::end(others);
  }

  /// Begins the port after the last one: `ibv_devinfo | grep -E 'hca_id|state'` leaves out the lines with numbers.
  void next_port(Facts& facts) {
    end_port(facts);
    begin_port(std::string(device_), port_.port < 1 ? 1 : std::min(port_.port, 255) + 1, here());
    port_.guid = {guid_};
  }

  /// Reads `GID[  3]:\t\t::ffff:10.0.0.1, RoCE v2`. Up to version 31 of rdma-core, the kind is missing.
  bool read_gid(std::string_view text, Facts& facts) {
    const auto [gid, kind] = gid_and_kind(text);
    int index = -1;
    if (gid.empty() || !read_number(trimmed(between(text, sign_of_gid, "]")), index)) return false;
    constexpr std::size_t most = 1024;
    if (++gids_ > most) return true;
    begin(facts);
    facts.emplace_back(
        MachineGidListed{
            .device = device_, .port = port_.port, .index = index, .gid = gid, .kind = kind, .interface = {}},
        here());
    return true;
  }

  static std::pair<std::string_view, std::string_view> gid_and_kind(std::string_view text) {
    const std::string_view behind = between(text, "]:", "\n");
    const std::string_view gid = trimmed(behind.substr(0, behind.find(',')));
    constexpr std::string_view roce = "RoCE ";
    const std::size_t kind = behind.find(roce);
    if (!is_gid(gid)) return {};
    return {gid, kind == std::string_view::npos ? std::string_view{} : trimmed(behind.substr(kind + roce.size()))};
  }

  std::set<std::string> devices_;
  std::uint64_t guid_ = 0;
  std::size_t gids_ = 0;
};

/// The lines of `ibstatus` (infiniband-diags of rdma-core).
class Ibstatus : public PortsDocument {
 public:
  explicit Ibstatus(std::string_view first_line) : PortsDocument("ibstatus", first_line) {}

  bool read(std::string_view line, Facts& facts) override {
    if (is_command()) return true;
    if (line.starts_with(sign_of_ibstatus)) return begin_device(line, facts);
    if (!is_open()) return false;
    const auto [key, value] = key_and_value(line);
    constexpr std::string_view others[] = {"default gid", "base lid", "sm lid"};
    const std::string_view word = trimmed(value.substr(std::min(value.find(':') + 1, value.size())));
    if (key == "state") {
      set_state(word);
    } else if (key == "phys state") {
      set_physical(word);
    } else if (key == "rate") {
      double rate = 0;
      if (read_number(word_before_blank(value), rate)) port_.rate = measured(rate);
    } else if (key == "link_layer") {
      set_link(value);
      end_port(facts);
    } else {
      return std::ranges::find(others, key) != std::end(others);
    }
    return true;
  }

 private:
  bool begin_device(std::string_view line, Facts& facts) {
    end_port(facts);
    const std::string_view name = between(line, sign_of_ibstatus, "'");
    int port = -1;
    if (!is_device_name(name) || !read_number(between(line, "' port ", " "), port)) return false;
    if (ports_.size() >= max_items || !ports_.emplace(name, port).second) return false;
    begin(facts);
    begin_port(name, port, here());
    return true;
  }

  std::set<std::pair<std::string, int>> ports_;
};

/// Whether the line is a port of `rdma link` (iproute2); if so, stores the port: `link mlx5_0/1 subnet_prefix … state
/// ACTIVE physical_state LINK_UP netdev ens1f0`.
bool read_rdma_link(std::string_view line, MachinePortListed& port) {
  const auto words = words_of(line);
  if (words.size() < 2 || words[0] != "link") return false;
  const std::size_t slash = words[1].find('/');
  if (slash == std::string_view::npos || !is_device_name(words[1].substr(0, slash)) ||
      !read_number(words[1].substr(slash + 1), port.port))
    return false;
  port.device = words[1].substr(0, slash);
  for (std::size_t i = 2; i + 1 < words.size(); i += 2) {
    if (words[i] == "state") port.state = word_of_ibstat(words[i + 1]);
    if (words[i] == "physical_state") port.physical = word_of_ibstat(words[i + 1]);
    if (words[i] == "subnet_prefix") port.link = "InfiniBand";
    if (words[i] == "netdev") port.interface = words[i + 1];
  }
  return !port.state.empty();
}

}  // namespace

std::unique_ptr<Document> begin_ibv_devinfo(std::string_view line) {
  const std::string_view text = trimmed(line);
  const bool is_device =
      text.starts_with(sign_of_device) && is_device_name(trimmed(text.substr(sign_of_device.size())));
  if (!is_device && !text.starts_with(sign_of_gid) && prompt_host(line).empty()) return nullptr;
  return std::make_unique<Devinfo>(line);
}

std::unique_ptr<Document> begin_ibstatus(std::string_view line) { return std::make_unique<Ibstatus>(line); }

std::unique_ptr<Document> begin_rdma_link(std::string_view line) {
  MachinePortListed port;
  if (!read_rdma_link(line, port) && prompt_host(line).empty()) return nullptr;
  return std::make_unique<PortRows>("rdma-link", line, read_rdma_link);
}

std::size_t start_of_rdma_link(std::string_view line, std::size_t sign) { return line.substr(0, sign).find("link "); }

std::size_t start_of_indented(std::string_view line, std::size_t sign) {
  return trimmed_end(line.substr(0, sign)).size();
}

}  // namespace nccl_analyze::evidence
