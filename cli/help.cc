// Lays out the help: the options by group in a left column, their descriptions in a right column.

#include "cli/help.h"

#include <algorithm>

#include "text/phrases.h"
#include "text/split.h"
#include "text/wrap.h"

namespace nccl_analyze {
namespace {

constexpr std::size_t column = 28;  ///< Where the right column begins.

/// Formats one option and its description, in one line or in several if `left` or `right` is long.
std::string entry(const std::string& left, const std::string& right, std::size_t width) {
  std::string text = "  " + left;
  if (text.size() + 2 > column) text += "\n";
  const std::size_t used = text.ends_with('\n') ? 0 : text.size();
  text.append(column - used, ' ');
  return text + wrap(right, column, column, width) + "\n";
}

std::string left_of(const OptionRow& row) {
  if (!row.positional.empty()) return row.positional;
  const bool only_long = row.flags.front().starts_with("--");
  const std::string value = row.value();
  return (only_long ? "    " : "") + joined(row.flags, ", ") + (value.empty() ? "" : " " + value);
}

std::string right_of(const OptionRow& row) {
  return row.about + (row.choices.empty() ? "" : ": " + joined(row.choices, ", "));
}

std::string usage(const std::string& name, const std::vector<OptionRow>& rows, bool has_subcommands) {
  std::string text = "Usage: " + name + " [OPTIONS]";
  for (const OptionRow& row : rows) {
    if (row.positional.empty()) continue;
    const std::string word = row.positional + (row.repeated ? " ..." : "");
    text += row.required ? " " + word : " [" + word + "]";
  }
  text += "\n";
  if (has_subcommands) text += "       " + name + " COMMAND ...\n";
  return text;
}

/// Formats the options for which `belongs` returns true, below `title`; empty if there are none.
template <class Belongs>
std::string group(std::string_view title, const std::vector<OptionRow>& rows, std::size_t width, Belongs belongs) {
  std::string text;
  for (const OptionRow& row : rows)
    if (belongs(row)) text += entry(left_of(row), right_of(row), width);
  return text.empty() ? text : "\n" + std::string(title) + ":\n" + text;
}

std::string groups(const std::vector<OptionRow>& rows, std::size_t width) {
  std::string text;
  for (const std::string_view name : option_groups)
    text += group(name, rows, width, [&](const OptionRow& row) { return row.group == name; });
  return text + group(text.empty() ? "Options" : "Other", rows, width, [](const OptionRow& row) {
           return std::ranges::find(option_groups, row.group) == option_groups.end();
         });
}

std::string commands(const CommandTable& program, std::size_t width) {
  std::string text = "\nCommands (`nccl-analyze COMMAND --help` says more):\n";
  for (const CommandTable& one : program.commands) text += entry(one.name, one.about, width);
  text += "\nExamples:\n";
  for (const Example& example : examples)
    text += "  " + std::string(example.command) + "\n      " + std::string(example.about) + "\n";
  return text;
}

}  // namespace

std::string help_on(const CommandTable& command, const std::string& name, std::size_t width) {
  std::string text = wrap(command.about, 0, 0, width) + "\n\n" + usage(name, command.rows, !command.commands.empty());
  text += groups(command.rows, width);
  if (!command.commands.empty()) text += commands(command, width);
  if (!command.footer.empty()) text += "\n";
  for (std::string_view rest = command.footer; !rest.empty();) {
    const std::string_view line = take_until(rest, '\n');
    text += wrap(line, 0, 2, width) + "\n";
  }
  return text;
}

}  // namespace nccl_analyze
