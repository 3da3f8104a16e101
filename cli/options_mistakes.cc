// Errors about mistyped words of the command line, with the words that may have been meant.

#include <filesystem>
#include <system_error>
#include <utility>

#include "cli/option_table.h"
#include "cli/options_parts.h"
#include "text/nearest.h"

namespace nccl_analyze {
namespace {

std::vector<std::string_view> views(const std::vector<std::string>& words) { return {words.begin(), words.end()}; }

}  // namespace

CLI::Validator one_of(std::vector<std::string> names) {
  const auto check = [names = std::move(names)](const std::string& word) {
    if (std::ranges::find(names, word) != names.end()) return std::string();
    return word + " is none of " + CLI::detail::join(names, ", ") + did_you_mean(word, views(names));
  };
  return {check, ""};
}

std::string advice_on_command(const CLI::App& app, const std::string& word) {
  std::vector<std::string> names;
  for (const CommandTable& one : table_of(app).commands) names.push_back(one.name);
  return did_you_mean(word, views(names));
}

std::string unexpected_argument_error(const CLI::App& app) {
  const std::vector<CLI::App*> active = app.get_subcommands();
  const CLI::App& command = active.empty() ? app : *active.front();
  const std::string word = app.remaining(true).front();
  if (!word.starts_with('-')) return command.get_name() + " takes no further word: " + word;
  const std::string flag = word.substr(0, word.find('='));
  const std::vector<OptionRow> rows = table_of(command).rows;
  std::vector<std::string> flags;
  for (const OptionRow& row : rows) flags.insert(flags.end(), row.flags.begin(), row.flags.end());
  const std::string error = active.empty() ? "no option is called " : command.get_name() + " has no option ";
  return error + flag + did_you_mean(flag, views(flags));
}

std::string mistyped_command(const CLI::App& app, const std::vector<std::string>& paths) {
  if (paths.empty() || !app.get_subcommands().empty()) return {};
  std::error_code error;
  if (std::filesystem::exists(std::filesystem::symlink_status(paths.front(), error))) return {};
  const std::string advice = advice_on_command(app, paths.front());
  return advice.empty() ? advice : "no file and no command is called " + paths.front() + advice;
}

}  // namespace nccl_analyze
