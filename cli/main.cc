// The entry point: runs one command and prints a failure as one line.

#include <fcntl.h>
#include <unistd.h>

#include <csignal>
#include <exception>

#include "cli/analysis.h"
#include "cli/demands.h"
#include "cli/diff.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/redact.h"
#include "cli/selection.h"
#include "cli/unrecognized.h"
#include "nccl_analyze/report.h"

namespace nccl_analyze {
namespace {

void write_rules(RulesFormat format, std::ostream& out) {
  switch (format) {
    case RulesFormat::table:
      return write_rules_table(out);
    case RulesFormat::markdown:
      return write_rules_markdown(out);
    case RulesFormat::json:
      return write_rules_json(out);
  }
}

/// Lists all profiles, or writes the named profile as a file for --profile.
void write_named_profiles(const std::string& name, std::ostream& out) {
  if (name.empty()) return write_profiles(out, builtin_profiles());
  write_profile(out, require_profile(name));
}

int run(const Options& options, Log& log) {
  if (options.command == Command::analyze || options.command == Command::merge) return run_analysis(options, log);
  if (options.command == Command::diff) return run_diff(options, log);
  if (options.command == Command::redact) return run_redact(options, log);
  if (options.command == Command::unrecognized) return run_unrecognized(options, log);
  Output output(std::nullopt);
  if (options.command == Command::rules)
    write_rules(options.rules_format, output.stream());
  else if (options.command == Command::profiles)
    write_named_profiles(options.profile_name, output.stream());
  else
    write_rule_text(output.stream(), require_rule(options.rule).info);
  output.commit();
  return 0;
}

int start(int argc, const char* const* argv) {
  Log log;
  try {
    const auto parsed = parse_options(argc, argv);
    if (const int* status = std::get_if<int>(&parsed)) return *status;
    const Options& options = std::get<Options>(parsed);
    log.set_verbosity(options.verbosity);
    return run(options, log);
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
