#pragma once
/// Parts of the command line that several source files define.

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

/// Adds an option that takes one of the table's words and stores the value of the word.
template <class T, std::size_t count>
CLI::Option* add_choice(CLI::App& app, const std::string& name, T& value, const Words<T, count>& words,
                        const std::string& help) {
  std::vector<std::string> names;
  for (const auto& [word, meaning] : words) names.emplace_back(word);
  const auto store = [&value, &words](const std::string& chosen) {
    value = std::ranges::find(words, std::string_view(chosen), &std::pair<std::string_view, T>::first)->second;
  };
  return app.add_option_function<std::string>(name, store, help)
      ->check(CLI::IsMember(names))
      ->type_name("WORD")
      ->option_text(CLI::detail::join(names, "|"));
}

/// Each adds the subcommand of its name.
void add_diff(CLI::App& app, Options& options);
void add_redact(CLI::App& app, Options& options);

}  // namespace nccl_analyze
