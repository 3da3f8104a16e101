#pragma once
/// The Model Context Protocol without a transport: a message of a client gives the answer of the server.

#include <string>
#include <string_view>
#include <vector>

#include "cli/mcp/folders.h"

namespace nccl_analyze {

class Server {
 public:
  /// Throws Failure if one of the paths is no folder.
  explicit Server(const std::vector<std::string>& folders) : folders_(folders) {}

  /// Returns the answer to a JSON-RPC 2.0 message as one line with its newline; empty for a message that gets none. The
  /// message is not trusted.
  std::string answer(std::string_view message) const;
  /// Returns the answer to a message that is longer than max_message.
  static std::string answer_to_long_message();

  static constexpr std::size_t max_message = std::size_t{1} << 20U;  ///< bytes

 private:
  Folders folders_;
};

}  // namespace nccl_analyze
