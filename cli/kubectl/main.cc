// The entry point of kubectl-nccl_analyze, which kubectl runs as `kubectl nccl-analyze`.

#include <csignal>
#include <exception>

#include "cli/kubectl/collect.h"
#include "cli/kubectl/command_line.h"
#include "cli/kubectl/messages.h"
#include "cli/kubectl/query.h"
#include "input/interrupts.h"

namespace nccl_analyze::kubectl {
namespace {

int run(int argc, const char* const* argv) {
  try {
    const auto parsed = parse_command_line(argc, argv);
    if (const int* const status = std::get_if<int>(&parsed)) return *status;
    const CommandLine& line = std::get<CommandLine>(parsed);
    const Query query(line);
    if (const int status = check_analysis_words(line); status != 0) return status;
    Interrupts interrupts({SIGINT, SIGTERM, SIGHUP});
    return line.follow ? follow(line, query, interrupts) : collect(line, query, interrupts);
  } catch (const std::exception& failure) {
    say_error(failure.what());
    return 2;
  }
}

}  // namespace
}  // namespace nccl_analyze::kubectl

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);
  return nccl_analyze::kubectl::run(argc, argv);
}
