// What on a command line excludes what else: a word that would silently have no effect is refused.

#include <array>
#include <initializer_list>
#include <string_view>

#include "cli/options_parts.h"

namespace nccl_analyze {
namespace {

/// A word of the command line and options.
struct Row {
  std::string_view word;
  std::initializer_list<const char*> options;
};
/// The options that have no effect beside a word.
constexpr std::array<Row, 2> without_effect{{
    {"--unrecognized",
     {"--format", "--fail-on", "--select", "--ignore", "--expect", "--expect-ranks", "--profile", "--rules", "--host",
      "--comm", "--rings", "--trees", "--color"}},
    {"ranks", {"--format", "--fail-on", "--color"}},
}};
/// The subcommands that read no PATH of the analysis, and the only options that have an effect before them.
constexpr std::array<Row, 8> subcommands_without_paths{{
    {"rules", {"--rules", "--color", "--quiet", "--verbose"}},
    {"explain", {"--rules", "--color", "--quiet", "--verbose"}},
    {"profiles", {"--quiet", "--verbose"}},
    {"diff", {"--output", "--color", "--quiet", "--verbose"}},
    {"schema", {"--quiet", "--verbose"}},
    {"completion", {"--quiet", "--verbose"}},
    {"help", {}},
    {"version", {}},
}};

std::string option_without_effect(const CLI::App& app) {
  for (const Row& row : without_effect) {
    const std::string word(row.word);
    if (word.starts_with('-') ? app.count(word) == 0 : !app.got_subcommand(word)) continue;
    for (const char* const option : row.options)
      if (app.count(option) != 0) return word + " and " + option + " do not go together";
  }
  return {};
}

/// What stands before or behind a subcommand that does not take it.
std::string misplaced_subcommand(const CLI::App& app, const Options& options) {
  for (const Row& row : subcommands_without_paths) {
    const std::string name(row.word);
    if (!app.got_subcommand(name)) continue;
    if (!options.paths.empty())
      return std::string{"\""}
          .append(name)
          .append("\" is a subcommand: it comes first, and a file of that name is written ./")
          .append(name);
    for (const CLI::Option* option : app.get_options()) {
      const std::string flag = option->get_name();
      if (option->count() != 0 && std::ranges::find(row.options, flag) == row.options.end())
        return std::string{name}.append(" and ").append(flag).append(" before it do not go together");
    }
  }
  return {};
}

/// The option that has no effect without another one.
std::string missing_companion(const CLI::App& app, const Options& options) {
  for (const std::string view : {"--rings", "--trees"})
    if (app.count(view) != 0 && !is_picture(options.format)) return view + " goes with --format dot, svg or png";
  if (app.count("--rings") != 0 && app.count("--trees") != 0) return "--rings and --trees do not go together";
  for (const std::string origin : {"--job", "--step", "--node"})
    if (app.count(origin) != 0 && options.format != Format::summary) return origin + " goes with --format summary";
  if (options.follow && options.command != Command::analyze && options.command != Command::merge)
    return "--follow goes with the analysis of logs and with merge";
  return {};
}

/// The format that cannot hold what is asked for.
std::string unfit_format(const Options& options) {
  if (options.brief && options.format != Format::json) return "--brief goes with --format json";
  if (options.format == Format::summary && (options.host || options.comm))
    return "a summary is of all hosts and communicators: give --host and --comm to merge";
  if (options.command == Command::merge && options.format == Format::events)
    return "a summary does not hold every line: --format events goes with logs";
  return {};
}

}  // namespace

std::string contradiction_in(const CLI::App& app, const Options& options) {
  for (std::string error : {misplaced_subcommand(app, options), option_without_effect(app),
                            missing_companion(app, options), live_contradiction(app, options), unfit_format(options)})
    if (!error.empty()) return error;
  return {};
}

}  // namespace nccl_analyze
