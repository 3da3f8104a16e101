#pragma once
// What the readers of documents that describe a machine share.

#include <cstddef>
#include <string>
#include <string_view>

#include "evidence/evidence.h"

namespace nccl_analyze::evidence {

/// Most items of each kind (GPUs, NICs, ports, bridges, links, graphs, channels) that a document can have. A GPU server
/// has at most 16 GPUs; NVLink joins 72 into one topology file.
inline constexpr std::size_t max_items = 256;
/// A document of these formats is one block of lines. More lines of other programs than this end it.
inline constexpr std::size_t max_lines_between = 16;

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
