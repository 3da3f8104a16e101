// Parses the command line. An option with a fixed choice has a table of its words, from which its help and its error
// messages are generated too.

#include "cli/options.h"

#include <algorithm>
#include <array>
#include <iostream>
#include <sstream>
#include <string_view>
#include <utility>

#include "cli/completion.h"
#include "cli/help.h"
#include "cli/man_page.h"
#include "cli/option_table.h"
#include "cli/options_parts.h"
#include "cli/output.h"
#include "cli/render.h"
#include "nccl_analyze/report.h"
#include "text/shell_words.h"

namespace nccl_analyze {
namespace {

/// The subcommands, in the order of the help.
constexpr std::array subcommands{add_diff,       add_rules, add_explain, add_profiles, add_expect_bandwidth,
                                 add_ranks,      add_merge, add_redact,  add_mcp,      add_schema,
                                 add_completion, add_help,  add_version};

/// Prints an error and returns exit status 2. Some errors of CLI11 have several lines, which are joined into one.
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
  app.option_defaults()->group("Live");
  add_live(app, options,
           "Read on while the inputs are written and tell what changes; the report comes at the end or on Ctrl-C",
           "With --follow: say what the job waits for when no NCCL line comes for so long (60s)");
  add_save(app, options);
  app.option_defaults()->group("Options");
  app.add_flag_callback(
      "--unrecognized", [&options] { options.command = Command::unrecognized; },
      "List the wordings that no row of the table knows, instead of a report");
  add_summary_origin(app, options);
  app.add_option("--names-from", options.names_from, "For kubectl-nccl_analyze: a folder that reports do not name")
      ->group("");
  app.add_option("--made-by", options.made_by, "For kubectl-nccl_analyze: the command that pages name instead")
      ->group("");
  app.add_option("--threads", "Accepted from scripts and of no effect: one thread reads everything")
      ->group("")
      ->expected(1);
}

/// Writes an answer that needs no log, and returns the exit status.
int answer(const std::string& text) {
  Output output;
  output.stream() << text;
  output.commit();
  return 0;
}

/// Prints the help and returns the exit status. `topic`: a subcommand; empty: the whole program.
int answer_help(const CLI::App& app, const std::string& topic) {
  constexpr std::size_t narrowest = 60, widest = 100;
  const CommandTable program = table_of(app);
  const CommandTable* const command = topic.empty() ? &program : program.find(topic);
  if (command == nullptr) return refuse("no command is called " + topic + advice_on_command(app, topic));
  Output output;
  const std::size_t width = std::clamp(output.columns().value_or(widest), narrowest, widest);
  output.stream() << help_on(*command, program.name + (topic.empty() ? "" : " " + topic), width);
  output.commit();
  return 0;
}

/// Sets the options that follow from others. Returns an error that CLI11 does not detect, such as a contradiction;
/// empty if there is none.
std::string finish(const CLI::App& app, Options& options) {
  if (options.output && options.output->empty())
    return "--output needs the name of a file; - is standard output, as without it";
  if (options.output == "-") options.output.reset();
  if (options.profile && !options.fail_on_given) options.fail_on.unknown = true;
  if (std::string wrong = mistyped_command(app, options.paths); !wrong.empty()) return wrong;
  return contradiction_in(app, options);
}

/// Runs a hidden command for the scripts of this project, and returns the exit status; nullopt if the command line
/// begins with no such command.
std::optional<int> answer_script(const CLI::App& app, int argc, const char* const* argv) {
  const std::string_view word = argc > 1 ? argv[1] : "";
  std::ostringstream text;
  if (word == "__complete")
    write_completion(text, complete(table_of(app), std::vector<std::string>(argv + 2, argv + argc)));
  else if (word == "__man")
    write_man_page(text, table_of(app));
  else
    return std::nullopt;
  return answer(std::move(text).str());
}

}  // namespace

std::variant<Options, int> parse_options(int argc, const char* const* argv) {
  Options options;
  CLI::App app(
      "Reads NCCL_DEBUG=INFO logs and says what the job is, whether it is healthy, what is wrong and what to do.",
      "nccl-analyze");
  app.require_subcommand(0, 1);  // `schema diff` names an output, not a second subcommand.
  app.set_version_flag("-V,--version", "", "Print the version");
  app.set_help_flag("-h,--help", "Print this help");
  app.footer(
      "Exit status: 0 nothing found at or above --fail-on, 1 findings, 2 the work could not be done.\n"
      "More: `man nccl-analyze`; on a finding `nccl-analyze explain RULE`.");
  add_analysis(app, options);
  for (const auto& add : subcommands) add(app, options);
  if (const auto status = answer_script(app, argc, argv)) return *status;
  if (const std::string_view name = option_without_value(argc, argv); !name.empty())
    return refuse(std::string{name} + " needs a value");
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    return answer_help(app, app.get_subcommands().empty() ? "" : app.get_subcommands().front()->get_name());
  } catch (const CLI::CallForVersion&) {
    return answer("nccl-analyze " + std::string(version()).append(missing_from_build()) + "\n");
  } catch (const CLI::ExtrasError&) {
    return refuse(unexpected_argument_error(app));
  } catch (const CLI::ParseError& error) {
    return refuse(error.what());
  }
  if (options.command == Command::help) return answer_help(app, options.help_topic);
  if (const std::string wrong = finish(app, options); !wrong.empty()) return refuse(wrong);
  if (options.made_by.empty()) options.made_by = shown_command("nccl-analyze", {argv + std::min(argc, 1), argv + argc});
  return options;
}

}  // namespace nccl_analyze
