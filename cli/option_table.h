#pragma once
/// The table of commands and options as plain data, from which help, manual page and completions are made.

#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
}

namespace nccl_analyze {

/// One option or positional argument.
///
/// The type name lists what the option takes, as alternatives: a word in capitals represents values (`PROFILE|FILE`),
/// any other word is taken literally (`text|json`), and `[,...]` at the end means that several values, separated by
/// commas, are allowed.
struct OptionRow {
  std::vector<std::string> flags;    ///< `-f`, `--format`; empty for a positional argument.
  std::string positional;            ///< `PATH`; empty for an option.
  std::vector<std::string> kinds;    ///< The words in capitals.
  std::vector<std::string> choices;  ///< The words that are taken literally.
  bool list = false;                 ///< Whether several values, separated by commas, are allowed.
  bool repeated = false;             ///< Whether a positional argument takes any number of words.
  bool required = false;
  std::string about;
  std::string group;

  bool takes_value() const { return !kinds.empty() || !choices.empty(); }
  /// How help shows the value: `FILE`, `RULE[,...]`, `WORD` for choices; empty without a value.
  std::string value() const;
};

/// The program, or one of its subcommands, without hidden options and commands.
struct CommandTable {
  std::string name, about, footer;
  std::vector<OptionRow> rows;         ///< In the order of their addition.
  std::vector<CommandTable> commands;  ///< The subcommands, in the order of their addition.

  /// The subcommand of this name; null if there is none.
  const CommandTable* find(std::string_view command) const;
};

/// Reads the table from CLI11's description of the command line.
CommandTable table_of(const CLI::App& app);

}  // namespace nccl_analyze
