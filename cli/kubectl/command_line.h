#pragma once
/// The command line of the plugin as a struct.

#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace nccl_analyze::kubectl {

struct CommandLine {
  std::string query;                 ///< Regular expression, or KIND/NAME; empty: the selector alone selects pods.
  std::vector<std::string> cluster;  ///< Options that every call of kubectl gets: --context, --kubeconfig.
  std::string name_space;            ///< Empty: the namespace of kubectl's context.
  bool all_namespaces = false;
  std::string selector;   ///< A label selector; empty: none.
  std::string container;  ///< Regular expression; empty: every container.
  std::string since;      ///< In the notation of kubectl: `1h`; empty: everything.
  bool previous = false;  ///< Whether to read only logs from before the last restart of a container.
  bool follow = false;
  unsigned max_log_requests = 0;  ///< Maximum number of log streams at the same time.
  std::optional<std::string> save;
  std::vector<std::string> analysis;  ///< The words after `--`, which are passed to nccl-analyze.
  std::string typed;                  ///< The command as pages name it.
};

/// Returns the command line, or the exit status if it was answered (--help, --version) or is wrong.
std::variant<CommandLine, int> parse_command_line(int argc, const char* const* argv);

}  // namespace nccl_analyze::kubectl
