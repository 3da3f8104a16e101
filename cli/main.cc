// The entry point: runs one command and prints a failure as one line.

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <exception>
#include <string_view>

#include "cli/analysis.h"
#include "cli/diff.h"
#include "cli/lists.h"
#include "cli/mcp/mcp.h"
#include "cli/options.h"
#include "cli/redact.h"
#include "cli/unrecognized.h"

namespace nccl_analyze {
namespace {

/// A command, and the function that runs it and returns the exit status.
struct Runner {
  Command command;
  int (*run)(const Options&, Log&);
};
constexpr auto runners = std::to_array<Runner>({{Command::analyze, run_analysis},
                                                {Command::merge, run_analysis},
                                                {Command::diff, run_diff},
                                                {Command::redact, run_redact},
                                                {Command::unrecognized, run_unrecognized},
                                                {Command::rules, run_rules},
                                                {Command::explain, run_explain},
                                                {Command::profiles, run_profiles},
                                                {Command::expect_bandwidth, run_expect_bandwidth},
                                                {Command::print, run_print},
                                                {Command::mcp, run_mcp}});

int start(int argc, const char* const* argv) {
  Log log;
  try {
    // `__check WORD ...` says what is wrong with a command line, and reads no input. kubectl-nccl_analyze asks so
    // before it collects logs.
    const int check = argc > 1 && argv[1] == std::string_view{"__check"} ? 1 : 0;
    const auto parsed = parse_options(argc - check, argv + check);
    if (const int* status = std::get_if<int>(&parsed)) return *status;
    const Options& options = std::get<Options>(parsed);
    log.set_verbosity(options.verbosity);
    if (check != 0) return check_analysis(options, log);
    return std::ranges::find(runners, options.command, &Runner::command)->run(options, log);
  } catch (const std::exception& failure) {
    log.error(failure.what());
    return 2;
  }
}

/// Opens /dev/null for each closed standard descriptor. Otherwise a file of the program could get its number and
/// receive diagnostics. The access mode is deliberately wrong, so that reads and writes fail as on a closed descriptor.
void take_standard_descriptors() {
  for (const int number : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (::fcntl(number, F_GETFD) < 0) ::open("/dev/null", number == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

}  // namespace
}  // namespace nccl_analyze

int main(int argc, char** argv) {
  nccl_analyze::take_standard_descriptors();
  // Both signals are ignored, so that Output sees an error of write(2): a closed pipe ends the run silently, a file
  // size limit with a message.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  return nccl_analyze::start(argc, argv);
}
