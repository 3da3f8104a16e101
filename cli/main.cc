// The program: one command of several, one line on a failure.

#include <spdlog/logger.h>

#include <csignal>
#include <exception>

#include "analysis.h"
#include "demands.h"
#include "nccl_analyze/export.h"
#include "options.h"
#include "output.h"
#include "selection.h"
#include "unrecognized.h"

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

/// All, or one as a file.
void write_named_profiles(const std::string& name, std::ostream& out) {
  if (name.empty()) return write_profiles(out, builtin_profiles());
  write_profile(out, require_profile(name));
}

int run(const Options& options, spdlog::logger& log) {
  if (options.command == Command::analyze || options.command == Command::merge) return run_analysis(options, log);
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
  const auto parsed = parse_options(argc, argv);
  if (const int* status = std::get_if<int>(&parsed)) return *status;
  const Options& options = std::get<Options>(parsed);
  spdlog::logger log = make_logger(options.verbosity);
  try {
    return run(options, log);
  } catch (const std::exception& failure) {
    log.error("{}", printable(failure.what()));
    return 2;
  }
}

}  // namespace
}  // namespace nccl_analyze

int main(int argc, char** argv) {
  // A closed pipe shows as EPIPE, which Output takes for the end of the wish to read.
  std::signal(SIGPIPE, SIG_IGN);
  return nccl_analyze::start(argc, argv);
}
