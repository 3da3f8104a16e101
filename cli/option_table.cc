// Turns CLI11's App into plain rows, so that no other file depends on how CLI11 stores an option.

#include "cli/option_table.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <functional>

#include "text/phrases.h"
#include "text/split.h"

namespace nccl_analyze {
namespace {

constexpr std::string_view list_mark = "[,...]";

bool is_kind(std::string_view word) {
  return std::ranges::all_of(word, [](char c) { return c >= 'A' && c <= 'Z'; });
}

void read_value(std::string_view text, OptionRow& row) {
  row.list = text.ends_with(list_mark);
  text = text.substr(0, text.find('['));
  while (!text.empty()) {
    const std::string_view word = take_until(text, '|');
    (is_kind(word) ? row.kinds : row.choices).emplace_back(word);
  }
}

OptionRow row_of(const CLI::Option& option) {
  OptionRow row;
  for (const std::string& name : option.get_snames()) row.flags.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) row.flags.push_back("--" + name);
  if (option.get_positional()) row.positional = option.get_name(true);
  const std::string& own = option.get_option_text();
  if (option.get_items_expected_max() > 0) read_value(own.empty() ? option.get_type_name() : own, row);
  row.list = row.list || option.get_delimiter() != '\0';
  row.repeated = option.get_items_expected_max() > 1;
  row.required = option.get_required();
  row.about = option.get_description();
  row.group = option.get_group();
  return row;
}

}  // namespace

std::string OptionRow::value() const {
  if (!takes_value()) return {};
  std::string text = choices.empty() ? "" : "WORD";
  append_item(text, joined(kinds, "|"), "|");
  if (list) text += list_mark;
  return text;
}

const CommandTable* CommandTable::find(std::string_view command) const {
  const auto found = std::ranges::find(commands, command, &CommandTable::name);
  return found == commands.end() ? nullptr : &*found;
}

CommandTable table_of(const CLI::App& app) {
  CommandTable table{app.get_name(), app.get_description(), app.get_footer(), {}, {}};
  for (const CLI::Option* option : app.get_options())
    if (!option->get_group().empty()) table.rows.push_back(row_of(*option));
  for (const CLI::App* one : app.get_subcommands(std::function<bool(const CLI::App*)>()))
    if (!one->get_group().empty()) table.commands.push_back(table_of(*one));
  return table;
}

}  // namespace nccl_analyze
