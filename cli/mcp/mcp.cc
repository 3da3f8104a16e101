// The transport: newline-delimited messages, of which no more than one is kept.

#include "cli/mcp/mcp.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <string>
#include <string_view>

#include "cli/mcp/server.h"
#include "cli/output.h"
#include "input/failure.h"
#include "text/blanks.h"

namespace nccl_analyze {
namespace {

/// Cuts standard input into lines.
class Messages {
 public:
  enum class Kind { message, too_long, end };

  /// Reads the next line. `message` is cut if the line is too long. The last line needs no newline.
  Kind next(std::string& message) {
    message.clear();
    for (;;) {
      if (at_ == size_ && !fill()) return message.empty() ? Kind::end : kind_of(message);
      const std::string_view rest(block_.data() + at_, size_ - at_);
      const std::size_t size = std::min(rest.find('\n'), rest.size());
      message += rest.substr(0, std::min(size, Server::max_message + 1 - message.size()));
      at_ += size;
      if (at_ == size_) continue;
      ++at_;
      return kind_of(message);
    }
  }

 private:
  static Kind kind_of(const std::string& message) {
    return message.size() > Server::max_message ? Kind::too_long : Kind::message;
  }

  bool fill() {
    ssize_t bytes = 0;
    do bytes = ::read(STDIN_FILENO, block_.data(), block_.size());
    while (bytes < 0 && errno == EINTR);
    if (bytes < 0) throw Failure(describe("cannot read", "standard input"));
    at_ = 0;
    size_ = static_cast<std::size_t>(bytes);
    return bytes > 0;
  }

  std::array<char, std::size_t{64} << 10U> block_;
  std::size_t at_ = 0, size_ = 0;
};

}  // namespace

int run_mcp(const Options& options, Log& log) {
  const Server server(options.folders);
  if (::isatty(STDIN_FILENO) == 1) log.info("waiting for an MCP client on standard input; Ctrl-D ends");
  Output output;
  Messages messages;
  std::string message;
  for (auto kind = messages.next(message); kind != Messages::Kind::end && !output.failed();
       kind = messages.next(message)) {
    if (kind == Messages::Kind::too_long)
      output.stream() << Server::answer_to_long_message();
    else if (!trimmed(message).empty())
      output.stream() << server.answer(message);
    output.stream().flush();
  }
  output.commit();
  return 0;
}

}  // namespace nccl_analyze
