#pragma once
/// The parts of the command line, one source file each, and the helpers that they share.

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/options.h"

namespace nccl_analyze {

template <class T, std::size_t count>
using Words = std::array<std::pair<std::string_view, T>, count>;

inline constexpr Words<ColorChoice, 3> colors{
    {{"auto", ColorChoice::automatic}, {"always", ColorChoice::always}, {"never", ColorChoice::never}}};

/// Refuses a value that is not one of `names`, and suggests those that may have been meant.
CLI::Validator one_of(std::vector<std::string> names);

/// Adds an option that takes one of the table's words and stores the value of the word. The type name of the option
/// lists the words; help, man page and completions take them from there (cli/option_table.h).
template <class T, std::size_t count>
CLI::Option* add_choice(CLI::App& app, const std::string& name, T& value, const Words<T, count>& words,
                        const std::string& help) {
  std::vector<std::string> names;
  for (const auto& [word, meaning] : words) names.emplace_back(word);
  const auto store = [&value, &words](const std::string& chosen) {
    value = std::ranges::find(words, std::string_view(chosen), &std::pair<std::string_view, T>::first)->second;
  };
  return app.add_option_function<std::string>(name, store, help)
      ->check(one_of(names))
      ->type_name(CLI::detail::join(names, "|"));
}

/// Adds --rules, which is allowed before and after a subcommand.
void add_site_rules(CLI::App& app, Options& options, const std::string& help);

/// Adds the options of every report: inputs, judgement and output. `what` describes PATH.
void add_report(CLI::App& app, Options& options, const std::string& what);

/// Adds the options for the job, step and node that a summary describes, and for the part of a log.
void add_summary_origin(CLI::App& app, Options& options);

// Each function adds a subcommand.
void add_completion(CLI::App& app, Options& options);
void add_diff(CLI::App& app, Options& options);
void add_expect_bandwidth(CLI::App& app, Options& options);
void add_explain(CLI::App& app, Options& options);
void add_help(CLI::App& app, Options& options);
void add_mcp(CLI::App& app, Options& options);
void add_merge(CLI::App& app, Options& options);
void add_profiles(CLI::App& app, Options& options);
void add_ranks(CLI::App& app, Options& options);
void add_redact(CLI::App& app, Options& options);
void add_rules(CLI::App& app, Options& options);
void add_schema(CLI::App& app, Options& options);
void add_version(CLI::App& app, Options& options);

/// Returns the error about the first word that CLI11 could not assign to an option; there must be one.
std::string unexpected_argument_error(const CLI::App& app);
/// Returns the error about a first path that does not exist but resembles a subcommand; empty if there is none.
std::string mistyped_command(const CLI::App& app, const std::vector<std::string>& paths);
/// Returns a suggestion such as `; did you mean explain?`; empty if no subcommand resembles the word.
std::string advice_on_command(const CLI::App& app, const std::string& word);

/// Returns the error about words of the command line that exclude each other; empty if there is none.
std::string contradiction_in(const CLI::App& app, const Options& options);

/// Adds --follow and the options that go with it. `follow` and `stall` describe --follow and --stall.
void add_live(CLI::App& app, Options& options, const std::string& follow, const std::string& stall);
/// Adds --save.
void add_save(CLI::App& app, Options& options);
/// Returns the error about a combination of --follow, its options and --save that makes no sense; empty if there is
/// none.
std::string live_contradiction(const CLI::App& app, const Options& options);

}  // namespace nccl_analyze
