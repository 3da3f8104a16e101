#pragma once
// The code shared by the readers of documents about a machine.

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "evidence/evidence.h"

namespace nccl_analyze::evidence {

/// Maximum number of items of each kind (GPUs, NICs, ports, bridges, links, graphs, channels) in a document. A GPU
/// server has at most 16 GPUs; with NVLink between servers, one topology file has up to 72.
inline constexpr std::size_t max_items = 256;
/// The lines of these documents are consecutive, except for a few lines of other programs that write to the same log. A
/// document ends after more than this number of other lines.
inline constexpr std::size_t max_lines_between = 16;

/// Returns the host in the shell's prompt at the start of a line: `worker-0` for `root@worker-0:~# ibstat`. Empty
/// without a prompt.
std::string_view prompt_host(std::string_view line);

/// Returns the text between the first `before` and the next `end`. Without `end`, the text up to the end of the line;
/// without `before`, an empty text.
std::string_view between(std::string_view line, std::string_view before, std::string_view end);

/// A document that begins either with its own first line or with the command in a shell's prompt, which names the host.
class MachineDocument : public Document {
 public:
  MachineDocument(std::string_view tool, std::string_view first_line) : tool_(tool), host_(prompt_host(first_line)) {}
  bool ended() const override { return ended_; }
  std::size_t max_foreign_lines() const override { return max_lines_between; }

 protected:
  /// Adds MachineDescribed, unless it was added already. Must be called before a fact of the document is added.
  void begin(Facts& facts);
  bool begun() const { return begun_; }
  /// Whether this is the first line, and a command in a shell's prompt. It belongs to the document, so that `redact`
  /// keeps the command.
  bool is_command() {
    const bool is_first = std::exchange(is_at_start_, false);
    return is_first && !host_.empty();
  }
  void end(Facts& facts);

 private:
  std::string tool_, host_;
  bool begun_ = false, ended_ = false, is_at_start_ = true;
};

}  // namespace nccl_analyze::evidence
