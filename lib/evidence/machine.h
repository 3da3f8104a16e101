#pragma once
// The facts of documents that describe a machine, which all their readers share. A member that a document does not show
// keeps its default.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "evidence/evidence.h"

namespace nccl_analyze::evidence {

/// Most items of each kind (GPUs, NICs, ports, bridges, links, graphs, channels) that a document can have. A GPU server
/// has at most 16 GPUs; NVLink joins 72 into one topology file.
inline constexpr std::size_t max_items = 256;
/// A document of these formats is one block of lines. More lines of other programs than this end it.
inline constexpr std::size_t max_lines_between = 16;

struct GpuFact {
  int index = -1, rank = -1, numa = -1, width = -1;
  std::uint64_t bus_id = 0;
  double speed = 0;
  std::string switches = {};
};

struct NicFact {
  std::string_view label = {}, device = {};
  int port = -1, rate = -1, numa = -1, width = -1;
  std::uint64_t bus_id = 0, guid = 0;
  double speed = 0;
  std::string switches = {};
};

struct PortFact {
  std::string device = {}, state = {}, physical = {}, link = {}, interface = {};
  int port = -1;
  double rate = 0;
  std::uint64_t guid = 0;
};

/// `host`: the host in the prompt before the command; empty without a prompt.
std::string machine_began(std::string_view tool, std::string_view host);
std::string machine_ended(std::string_view tool);
std::string gpu_listed(const GpuFact& gpu);
std::string nic_listed(const NicFact& nic);
std::string port_listed(const PortFact& port);

/// The host in the shell's prompt at the start of a line: `worker-0` from `root@worker-0:~# ibstat`; empty without a
/// prompt.
std::string_view prompt_host(std::string_view line);

/// The text between `before` and the next `end`; empty when `before` is missing.
std::string_view between(std::string_view line, std::string_view before, std::string_view end);

/// A document that begins with the command itself in a shell's prompt, which names the host, or with its own first
/// line.
class MachineDocument : public Document {
 public:
  MachineDocument(std::string_view tool, std::string_view first_line) : tool_(tool), host_(prompt_host(first_line)) {}
  bool ended() const override { return ended_; }
  std::size_t patience() const override { return max_lines_between; }

 protected:
  /// Announces the document before its first fact.
  void begin(Facts& facts);
  bool begun() const { return begun_; }
  void end(Facts& facts);

 private:
  std::string tool_, host_;
  bool begun_ = false, ended_ = false;
};

}  // namespace nccl_analyze::evidence
