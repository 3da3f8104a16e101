// Finds words of a command line that exclude each other. A word that would silently have no effect is refused.

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "cli/options_parts.h"

namespace nccl_analyze {
namespace {

/// A word that selects what the program does, and all options that have an effect together with it.
struct Row {
  std::string_view word;
  std::vector<std::string_view> options;
  bool has_paths = false;  ///< Whether PATH is allowed with the word.
};

/// Returns the words with which some options have no effect. For a subcommand, `options` are those allowed before it.
const std::vector<Row>& words_with_few_options() {
  static const std::vector<Row> rows{
      {"--unrecognized",
       {"--output", "--save", "--quiet", "--verbose", "--threads", "--names-from", "--made-by"},
       true},
      {"ranks",
       {"--output", "--host", "--comm", "--failed", "--select", "--ignore", "--quiet", "--verbose", "--threads",
        "--names-from", "--made-by"},
       true},
      {"redact", {"--output", "--quiet", "--verbose", "--threads"}, true},
      {"rules", {"--rules", "--color", "--quiet", "--verbose"}},
      {"explain", {"--rules", "--color", "--quiet", "--verbose"}},
      {"profiles", {"--quiet", "--verbose"}},
      {"expect-bandwidth", {"--quiet", "--verbose"}},
      {"diff", {"--output", "--color", "--quiet", "--verbose"}},
      {"schema", {"--quiet", "--verbose"}},
      {"mcp", {"--quiet", "--verbose"}},
      {"completion", {"--quiet", "--verbose"}},
      {"help", {}},
      {"version", {}},
  };
  return rows;
}

/// The formats in which --host has no effect, and those in which --comm has none.
constexpr std::array without_hosts{Format::junit, Format::sarif, Format::github};
constexpr std::array without_communicators{Format::junit, Format::sarif, Format::github};

bool is_given(const CLI::App& app, std::string_view word) {
  return word.starts_with('-') ? app.count(std::string(word)) != 0 : app.got_subcommand(std::string(word));
}

/// Returns the error about an option that has no effect with a word of words_with_few_options(), or about paths with a
/// word that takes none; empty if there is no error.
std::string ineffective_option_error(const CLI::App& app, const Options& options) {
  for (const auto& [word, allowed, has_paths] : words_with_few_options()) {
    if (!is_given(app, word)) continue;
    const std::string name(word);
    if (!has_paths && !options.paths.empty())
      return std::string{"\""}
          .append(name)
          .append("\" is a subcommand: it comes first, and a file of that name is written ./")
          .append(name);
    for (const CLI::Option* option : app.get_options()) {
      const std::string flag = option->get_name();
      const bool is_option = option->count() != 0 && flag.starts_with('-') && flag != word;
      if (is_option && std::ranges::find(allowed, flag) == allowed.end())
        return std::string(name)
            .append(" and ")
            .append(flag)
            .append(word.starts_with('-') ? "" : " before it")
            .append(" do not go together");
    }
  }
  return {};
}

/// Returns the error about an option that has no effect without another one; empty if there is none.
std::string missing_option_error(const CLI::App& app, const Options& options) {
  std::string drawn;
  for (const std::string view : {"--rings", "--trees", "--machine"}) {
    if (app.count(view) == 0) continue;
    if (!is_picture(options.format)) return view + " goes with --format dot, svg or png";
    if (!drawn.empty()) return drawn.append(" and ").append(view).append(" do not go together");
    drawn = view;
  }
  for (const std::string origin : {"--job", "--step", "--node", "--lines-before"})
    if (app.count(origin) != 0 && options.format != Format::summary) return origin + " goes with --format summary";
  if (options.follow && options.command != Command::analyze && options.command != Command::merge)
    return "--follow goes with the analysis of logs and with merge";
  return {};
}

/// Returns the error about a format that cannot contain what is asked for; empty if there is none.
std::string format_conflict_error(const Options& options) {
  if (options.brief && options.format != Format::json) return "--brief goes with --format json";
  if (options.format == Format::summary && (options.host || options.comm))
    return "a summary is of all hosts and communicators: give --host and --comm to merge";
  if (options.lines_before != 0 && options.follow) return "--lines-before and --follow do not go together";
  const auto is_among = [&](const auto& formats) {
    return std::ranges::find(formats, options.format) != formats.end();
  };
  if (options.host && is_among(without_hosts)) return "--host does not go with a format that shows no hosts";
  if (options.comm && is_among(without_communicators))
    return "--comm does not go with a format that shows no communicators";
  if (options.command == Command::merge && options.format == Format::events)
    return "a summary does not hold every line: --format events goes with logs";
  return {};
}

}  // namespace

std::string contradiction_in(const CLI::App& app, const Options& options) {
  for (std::string error : {ineffective_option_error(app, options), missing_option_error(app, options),
                            live_contradiction(app, options), format_conflict_error(options)})
    if (!error.empty()) return error;
  return {};
}

}  // namespace nccl_analyze
