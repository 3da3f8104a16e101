// What on a command line excludes what else: a word that would silently have no effect is refused.

#include <array>
#include <initializer_list>
#include <string_view>

#include "cli/options_parts.h"

namespace nccl_analyze {
namespace {

/// A subcommand or an option, and the options of the analysis that it does not take.
struct Exclusion {
  std::string_view word;
  std::initializer_list<const char*> options;
};
constexpr std::array<Exclusion, 3> exclusions{{
    {"--unrecognized",
     {"--format", "--fail-on", "--select", "--ignore", "--expect", "--expect-ranks", "--profile", "--rules", "--host",
      "--comm", "--rings", "--trees", "--color"}},
    {"diff",
     {"--format", "--fail-on", "--select", "--ignore", "--expect", "--profile", "--rules", "--baseline", "--host",
      "--comm", "--follow"}},
    {"ranks", {"--format", "--fail-on", "--color"}},
}};
/// The subcommands that read no PATH of the analysis.
constexpr std::array<const char*, 4> without_paths{"rules", "explain", "profiles", "diff"};

std::string excluded_option(const CLI::App& app) {
  for (const Exclusion& one : exclusions) {
    const std::string word(one.word);
    const bool there = word.starts_with('-') ? app.count(word) != 0 : app.got_subcommand(word);
    if (!there) continue;
    for (const char* const option : one.options)
      if (app.count(option) != 0) {
        const std::string_view before = word == "diff" ? " before it" : "";
        return word + " and " + option + std::string(before) + " do not go together";
      }
  }
  return {};
}

std::string misplaced_subcommand(const CLI::App& app, const Options& options) {
  if (options.paths.empty()) return {};
  for (const std::string name : without_paths)
    if (app.got_subcommand(name))
      return "\"" + name + "\" is a subcommand: it comes first, and a file of that name is written ./" + name;
  return {};
}

/// The option that has no effect without another one.
std::string missing_companion(const CLI::App& app, const Options& options) {
  for (const std::string view : {"--rings", "--trees"})
    if (app.count(view) != 0 && !is_picture(options.format)) return view + " goes with --format dot, svg or png";
  if (app.count("--rings") != 0 && app.count("--trees") != 0) return "--rings and --trees do not go together";
  if (app.count("--stall") != 0 && !options.follow) return "--stall goes with --follow";
  if (options.follow && options.command != Command::analyze) return "--follow goes with the analysis of logs";
  return {};
}

/// The format that cannot hold what is asked for.
std::string unfit_format(const Options& options) {
  if (options.format == Format::summary && (options.host || options.comm))
    return "a summary is of all hosts and communicators: give --host and --comm to merge";
  if (options.command == Command::merge && options.format == Format::events)
    return "a summary does not hold every line: --format events goes with logs";
  return {};
}

}  // namespace

std::string contradiction_in(const CLI::App& app, const Options& options) {
  for (std::string error : {misplaced_subcommand(app, options), excluded_option(app), missing_companion(app, options),
                            unfit_format(options)})
    if (!error.empty()) return error;
  return {};
}

}  // namespace nccl_analyze
