// The subcommands that answer with a text: help, version, JSON Schemas, completions.

#include "cli/option_table.h"
#include "cli/options_parts.h"
#include "cli/texts.h"

namespace nccl_analyze {
namespace {

/// Adds a subcommand that prints one of several texts. `what` is the name of the choice in the help. Without a choice
/// the first text is printed, unless the choice is `required`.
template <std::size_t count>
void add_text(CLI::App& app, Options& options, const std::string& name, const std::string& about,
              const std::string& what, const std::string& help, const Words<std::string_view, count>& texts,
              bool required) {
  CLI::App* command = app.add_subcommand(name, about);
  add_choice(*command, what, options.text, texts, help)->required(required);
  command->callback([&options, first = texts.front().second] {
    options.command = Command::print;
    if (options.text.empty()) options.text = first;
  });
}

}  // namespace

void add_schema(CLI::App& app, Options& options) {
  static const Words<std::string_view, 2> schemas{{{"report", report_schema}, {"diff", diff_schema}}};
  add_text(app, options, "schema", "Print the JSON Schema of --format json", "OUTPUT", "Of which output (report)",
           schemas, false);
}

void add_completion(CLI::App& app, Options& options) {
  static const Words<std::string_view, 3> scripts{
      {{"bash", bash_completion}, {"zsh", zsh_completion}, {"fish", fish_completion}}};
  add_text(app, options, "completion", "Print what makes a shell complete the options, rules and profiles", "SHELL",
           "For which shell; `source <(nccl-analyze completion bash)` tries it", scripts, true);
}

void add_help(CLI::App& app, Options& options) {
  CLI::App* help = app.add_subcommand("help", "Print the help, or that of a command");
  std::vector<std::string> names;
  for (const CommandTable& one : table_of(app).commands)
    if (one.name != "help") names.push_back(one.name);
  help->add_option("COMMAND", options.help_topic, "On which")->type_name(CLI::detail::join(names, "|"));
  help->callback([&options] { options.command = Command::help; });
}

void add_version(CLI::App& app, Options&) {
  CLI::App* version = app.add_subcommand("version", "Print the version")->group("");
  version->callback([] { throw CLI::CallForVersion("", 0); });
}

}  // namespace nccl_analyze
