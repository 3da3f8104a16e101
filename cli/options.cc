// Parses the command line. Each choice is a table of words, which also generates the help and the error messages.

#include "cli/options.h"

#include <algorithm>
#include <array>
#include <iostream>
#include <string_view>
#include <utility>

#include "cli/options_parts.h"
#include "cli/output.h"
#include "nccl_analyze/report.h"

namespace nccl_analyze {
namespace {

/// The subcommands, in the order of the help.
constexpr std::array subcommands{add_diff, add_rules, add_explain, add_profiles, add_ranks, add_merge};

/// Prints an error and returns exit status 2. CLI11 words some errors over several lines, which are joined into one.
int refuse(std::string message) {
  std::ranges::replace(message, '\n', ' ');
  std::cerr << "nccl-analyze: error: " << printable(message) << " (nccl-analyze --help lists the options)\n";
  return 2;
}

/// Finds an option with an empty value, such as `--output=$UNSET_VARIABLE`; empty if there is none. CLI11 would take
/// the next word as the value: -o would then overwrite the log that the user wants to read.
std::string_view option_without_value(int argc, const char* const* argv) {
  for (int i = 1; i < argc && argv[i] != std::string_view{"--"}; ++i)
    if (const std::string_view word = argv[i]; word.starts_with("--") && word.ends_with("="))
      return word.substr(0, word.size() - 1);
  return {};
}

void add_analysis(CLI::App& app, Options& options) {
  add_report(app, options,
             "Log, folder of logs, archive (.gz .zst .xz .bz2 .tar .zip) or pattern; none or \"-\": standard input");
  app.add_flag_callback(
      "--unrecognized", [&options] { options.command = Command::unrecognized; },
      "List the wordings that no row of the table knows, instead of a report");
  app.add_option("--threads", "Accepted from scripts and of no effect: one thread reads everything")
      ->group("")
      ->expected(1);
  add_live(app, options);
}

}  // namespace

std::variant<Options, int> parse_options(int argc, const char* const* argv) {
  Options options;
  CLI::App app(
      "Reads NCCL_DEBUG=INFO logs and says what the job is, whether it is healthy, what is wrong and what to do.",
      "nccl-analyze");
  app.set_version_flag("--version", "nccl-analyze " + std::string(version()));
  app.footer("Exit status: 0 nothing found at or above --fail-on, 1 findings, 2 the work could not be done.");
  add_analysis(app, options);
  for (const auto& add : subcommands) add(app, options);
  if (const std::string_view name = option_without_value(argc, argv); !name.empty())
    return refuse(std::string{name} + " needs a value");
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& answer) {
    Output output(std::nullopt);
    const int status = app.exit(answer, output.stream(), std::cerr);
    output.commit();
    return status;
  } catch (const CLI::ParseError& error) {
    return refuse(error.what());
  }
  if (options.output && options.output->empty())
    return refuse("--output needs the name of a file; - is standard output, as without it");
  if (options.output == "-") options.output.reset();
  if (options.profile && !options.fail_on_given) options.fail_on.unknown = true;
  if (const std::string wrong = contradiction_in(app, options); !wrong.empty()) return refuse(wrong);
  return options;
}

}  // namespace nccl_analyze
