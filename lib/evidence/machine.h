#pragma once
// The code shared by the readers of documents about a machine.

#include <cstddef>
#include <string>
#include <string_view>

#include "evidence/evidence.h"

namespace nccl_analyze::evidence {

/// Maximum number of items of each kind (GPUs, NICs, ports, bridges, links, graphs, channels) in a document. A GPU
/// server has at most 16 GPUs; with NVLink between servers, one topology file has up to 72.
inline constexpr std::size_t max_items = 256;
/// The lines of a document of these formats are consecutive. More lines of other programs than this end the document.
inline constexpr std::size_t max_lines_between = 16;

/// The host in the shell's prompt at the start of a line: `worker-0` from `root@worker-0:~# ibstat`; empty without a
/// prompt.
std::string_view prompt_host(std::string_view line);

/// The text between `before` and the next `end`; empty when `before` is missing.
std::string_view between(std::string_view line, std::string_view before, std::string_view end);

/// A document that begins either with its own first line or with the command in a shell's prompt, which names the host.
class MachineDocument : public Document {
 public:
  MachineDocument(std::string_view tool, std::string_view first_line) : tool_(tool), host_(prompt_host(first_line)) {}
  bool ended() const override { return ended_; }
  std::size_t max_foreign_lines() const override { return max_lines_between; }

 protected:
  /// Adds the fact that the document describes a machine, before all other facts of the document.
  void begin(Facts& facts);
  bool begun() const { return begun_; }
  void end(Facts& facts);

 private:
  std::string tool_, host_;
  bool begun_ = false, ended_ = false;
};

}  // namespace nccl_analyze::evidence
