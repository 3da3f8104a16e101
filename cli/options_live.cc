// --follow, the options that go with it, and --save, which goes with standard input.

#include <array>
#include <charconv>
#include <cstdint>
#include <optional>
#include <system_error>

#include "cli/command_words.h"
#include "cli/options_parts.h"

namespace nccl_analyze {
namespace {

constexpr Words<Until, 4> until_words{{{"error", {Severity::error, false}},
                                       {"warning", {Severity::warning, false}},
                                       {"info", {Severity::info, false}},
                                       {"ready", {std::nullopt, true}}}};

/// Parses `30s`, `1.5m` or `2h`; a number without a unit is seconds. Empty if the text is no duration, or more than a
/// million hours.
std::optional<std::chrono::milliseconds> parse_duration(std::string_view text) {
  constexpr std::array<std::pair<std::string_view, double>, 4> units{{{"", 1}, {"s", 1}, {"m", 60}, {"h", 3600}}};
  constexpr double most = 1e6 * 3600;
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const std::string_view word(end, static_cast<std::size_t>(text.data() + text.size() - end));
  const auto unit = std::ranges::find(units, word, &std::pair<std::string_view, double>::first);
  if (error != std::errc() || unit == units.end() || !(number >= 0 && number * unit->second <= most))
    return std::nullopt;
  return std::chrono::milliseconds(static_cast<std::int64_t>(number * unit->second * 1000));
}

void add_until(CLI::App& app, Until& until) {
  std::vector<std::string> names;
  for (const auto& [word, meaning] : until_words) names.emplace_back(word);
  const auto store = [&until](const std::vector<std::string>& chosen) {
    for (const std::string& name : chosen) {
      const Until& one =
          std::ranges::find(until_words, std::string_view(name), &std::pair<std::string_view, Until>::first)->second;
      until.ready = until.ready || one.ready;
      if (one.severity) until.severity = std::min(*one.severity, until.severity.value_or(Severity::error));
    }
  };
  app.add_option_function<std::vector<std::string>>(
         "--until", store,
         "With --follow: end with the report at the first finding of this severity or a worse one, or when all "
         "communicators are initialised (ready)")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::IsMember(names))
      ->type_name("WORD[,WORD]")
      ->option_text(CLI::detail::join(names, "|"));
}

}  // namespace

void add_live(CLI::App& app, Options& options, const std::string& follow, const std::string& stall) {
  app.add_flag("--follow", options.follow, follow);
  app.add_option_function<std::string>(
         "--stall",
         [&options](const std::string& text) {
           const auto duration = parse_duration(text);
           if (!duration)
             throw CLI::ValidationError("--stall", text + " is no duration: write 90s, 5m or 1h, 0 for never");
           options.stall = *duration;
         },
         stall)
      ->type_name("TIME");
  add_until(app, options.live.until);
  app.add_option_function<std::string>(
         "--on-finding",
         [&options](const std::string& text) {
           std::optional<std::vector<std::string>> words = split_command(text);
           if (!words)
             throw CLI::ValidationError("--on-finding",
                                        "a quote in " + text + " is not closed, or nothing follows its last backslash");
           if (words->empty() || words->front().empty())
             throw CLI::ValidationError("--on-finding", "needs the name of a program");
           options.live.on_finding = std::move(*words);
         },
         "With --follow: run this program for each new error and warning; standard input is the finding as JSON")
      ->type_name("CMD");
  app.add_option("--news", options.live.news, "With --follow: append what changes to FILE as JSON lines")
      ->type_name("FILE");
}

void add_save(CLI::App& app, Options& options) {
  app.add_option("--save", options.save, "Keep standard input in a new FILE, which the report then names")
      ->type_name("FILE");
}

std::string live_contradiction(const CLI::App& app, const Options& options) {
  const CLI::App* const merge = app.get_subcommand("merge");
  if (!options.follow)
    for (const std::string name : {"--stall", "--until", "--on-finding", "--news"})
      if (app.count(name) + merge->count(name) != 0) return name + " goes with --follow";
  if (options.live.news == "-" && !options.output)
    return "--news - is standard output, where the report goes: give the report a file with --output";
  if (app.count("--save") == 0) return {};
  if (options.command != Command::analyze && options.command != Command::unrecognized)
    return "--save goes with the analysis of logs";
  if (!options.paths.empty() && std::ranges::find(options.paths, "-") == options.paths.end())
    return "--save keeps standard input, and the paths do not name it (\"-\")";
  if (options.save == "-") return "--save needs the name of a file";
  return {};
}

}  // namespace nccl_analyze
