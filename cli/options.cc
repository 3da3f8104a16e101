// Parses the command line. Each choice is a table of words, which also generates the help and the error messages.

#include "cli/options.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <iostream>
#include <limits>
#include <string_view>
#include <system_error>
#include <utility>

#include "cli/options_parts.h"
#include "cli/output.h"
#include "nccl_analyze/report.h"

namespace nccl_analyze {
namespace {

constexpr Words<Format, 14> formats{{{"text", Format::text},
                                     {"markdown", Format::markdown},
                                     {"html", Format::html},
                                     {"json", Format::json},
                                     {"events", Format::events},
                                     {"trace", Format::trace},
                                     {"junit", Format::junit},
                                     {"sarif", Format::sarif},
                                     {"github", Format::github},
                                     {"prometheus", Format::prometheus},
                                     {"dot", Format::dot},
                                     {"svg", Format::svg},
                                     {"png", Format::png},
                                     {"summary", Format::summary}}};
constexpr Words<FailOn, 5> fail_words{{{"error", {Severity::error, false}},
                                       {"warning", {Severity::warning, false}},
                                       {"info", {Severity::info, false}},
                                       {"unknown", {std::nullopt, true}},
                                       {"never", {std::nullopt, false}}}};
constexpr Words<RulesFormat, 3> rules_formats{
    {{"table", RulesFormat::table}, {"markdown", RulesFormat::markdown}, {"json", RulesFormat::json}}};

/// Adds --fail-on. Of several severities, the lowest counts. `unknown` can be combined with a severity; alone it keeps
/// the default severity. A profile implies `unknown` unless --fail-on is given, because an expectation that could not
/// be judged has not been met.
void add_fail_on(CLI::App& app, Options& options) {
  std::vector<std::string> names;
  for (const auto& [word, meaning] : fail_words) names.emplace_back(word);
  const auto store = [&options](const std::vector<std::string>& chosen) {
    FailOn sum{std::nullopt, false};
    for (const std::string& name : chosen) {
      const FailOn& one =
          std::ranges::find(fail_words, std::string_view(name), &std::pair<std::string_view, FailOn>::first)->second;
      sum.unknown = sum.unknown || one.unknown;
      if (one.threshold) sum.threshold = sum.threshold ? std::min(*sum.threshold, *one.threshold) : one.threshold;
    }
    const bool never = std::ranges::find(chosen, "never") != chosen.end();
    if (!sum.threshold && !never) sum.threshold = Severity::error;
    if (never) sum.threshold = std::nullopt;
    options.fail_on = sum;
    options.fail_on_given = true;
  };
  app.add_option_function<std::vector<std::string>>(
         "--fail-on", store,
         "What gives exit status 1: the lowest severity (error), a job that could not be judged (unknown, set by "
         "--profile)")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::IsMember(names))
      ->type_name("WORD[,WORD]")
      ->option_text(CLI::detail::join(names, "|"));
}

/// Adds a comma-separated, repeatable list. Each occurrence takes one argument, so that a PATH may follow.
void add_rule_list(CLI::App& app, const std::string& name, std::vector<std::string>& rules, const std::string& help) {
  app.add_option(name, rules, help)->delimiter(',')->allow_extra_args(false)->type_name("RULE[,RULE]");
}

/// Parses `30s`, `1.5m` or `2h`; a number without a unit is seconds. Empty if the text is no duration.
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

/// Adds the options that the analysis of logs and of summaries share.
void add_report(CLI::App& app, Options& options, const std::string& what) {
  app.add_option("PATH", options.paths, what)->type_name("");
  add_choice(app, "-f,--format", options.format, formats, "What to write (text)");
  app.add_option("-o,--output", options.output, "Write to FILE, whole or not at all (standard output)")
      ->type_name("FILE");
  app.add_flag("--brief", options.brief, "With --format json: one line of at most 4096 bytes");
  add_fail_on(app, options);
  add_rule_list(app, "--select", options.select, "Judge by these rules only: id, prefix of ids (NCA3) or name");
  add_rule_list(app, "--ignore", options.ignore, "Leave these rules out");
  app.add_option("--expect", options.expect,
                 "What the job should show: ranks=16, hosts=dgx[001-080], network=IB, gdr, nics=4, init<=60s, ...")
      ->allow_extra_args(false)
      ->type_name("WORD[,WORD]");
  app.add_option_function<unsigned>(
         "--expect-ranks", [&options](unsigned ranks) { options.expect.push_back("ranks=" + std::to_string(ranks)); },
         "The job has N ranks")
      ->check(CLI::Range(1, std::numeric_limits<int>::max()))
      ->type_name("N");
  app.add_option("--profile", options.profile, "What such machines should give (`nccl-analyze profiles` lists them)")
      ->type_name("NAME|FILE");
  app.add_option("--rules", options.site_rules, "Judge by the rules of this JSON file too")
      ->allow_extra_args(false)
      ->type_name("FILE");
  app.add_option("--baseline", options.baseline, "Judge against a good run: log, folder, summary or JSON report")
      ->type_name("PATH");
  app.add_option("--host", options.host, "Show only hosts that match")->type_name("REGEX");
  app.add_option("--comm", options.comm, "Show only this communicator: name, id or number (#1)")->type_name("ID");
  app.add_flag_callback(
      "--rings", [&options] { options.view = DotView::rings; }, "Draw only the rings (with dot, svg, png)");
  app.add_flag_callback(
      "--trees", [&options] { options.view = DotView::trees; }, "Draw only the trees (with dot, svg, png)");
  add_choice(app, "--color", options.color, colors, "Colour the text report (auto)");
  app.add_flag_callback(
      "-q,--quiet", [&options] { options.verbosity = Verbosity::quiet; }, "Only errors on standard error");
  app.add_flag_callback(
      "-v,--verbose", [&options] { options.verbosity = Verbosity::verbose; }, "Every detail, in the report too");
}

void add_analysis(CLI::App& app, Options& options) {
  add_report(app, options,
             "Log, folder of logs, archive (.gz .zst .xz .bz2 .tar .zip) or pattern; none or \"-\": standard input");
  app.add_flag_callback(
      "--unrecognized", [&options] { options.command = Command::unrecognized; },
      "List the wordings that no row of the table knows, instead of a report");
  app.add_option("--names-from", options.names_from, "For kubectl-nccl_analyze: a folder that reports do not name")
      ->group("");
  app.add_option("--threads", "Accepted from scripts and of no effect: one thread reads everything")
      ->group("")
      ->expected(1);
  app.add_flag("--follow", options.follow,
               "Read on while the inputs are written and tell what changes; the report comes at the end or on Ctrl-C");
  app.add_option_function<std::string>(
         "--stall",
         [&options](const std::string& text) {
           const auto duration = parse_duration(text);
           if (!duration)
             throw CLI::ValidationError("--stall", text + " is no duration: write 90s, 5m or 1h, 0 for never");
           options.stall = *duration;
         },
         "With --follow: say what the job waits for when no NCCL line comes for so long (60s)")
      ->type_name("TIME");
}

void add_subcommands(CLI::App& app, Options& options) {
  add_diff(app, options);
  CLI::App* rules = app.add_subcommand("rules", "List every rule");
  add_choice(*rules, "-f,--format", options.rules_format, rules_formats, "What to write (table)");
  rules->callback([&options] { options.command = Command::rules; });

  CLI::App* explain = app.add_subcommand("explain", "Explain one rule: what it means, why, what to do");
  explain->add_option("RULE", options.rule, "Id or name")->required();
  explain->callback([&options] { options.command = Command::explain; });

  CLI::App* profiles = app.add_subcommand("profiles", "List the kinds of machines that --profile knows, or print one");
  profiles->add_option("NAME", options.profile_name, "Print this profile as a file for --profile");
  profiles->callback([&options] { options.command = Command::profiles; });

  CLI::App* ranks = app.add_subcommand("ranks", "List the ranks: host, pod, pid, GPU, state, who is suspected");
  ranks->add_option("PATH", options.paths, "Log, folder of logs, archive or pattern; none or \"-\": standard input")
      ->type_name("");
  ranks->add_option("--host", options.host, "Show only hosts that match")->type_name("REGEX");
  ranks->add_option("--comm", options.comm, "Of this communicator: name, id or number (#1); the largest else")
      ->type_name("ID");
  ranks->callback([&options] {
    options.format = Format::ranks;
    options.fail_on = {std::nullopt, false};
  });

  CLI::App* merge = app.add_subcommand("merge", "Report on summaries (--format summary) as on all their logs at once");
  add_report(*merge, options, "Summary, folder of summaries or pattern; none or \"-\": standard input");
  merge->callback([&options] { options.command = Command::merge; });
}

/// Prints an error and returns exit status 2. CLI11 words some errors over several lines, which are joined into one.
int refuse(std::string message) {
  std::ranges::replace(message, '\n', ' ');
  std::cerr << "nccl-analyze: error: " << printable(message) << " (nccl-analyze --help lists the options)\n";
  return 2;
}

/// Finds an option with an empty value, such as `--output=$UNSET_VARIABLE`; empty if there is none. CLI11 would take
/// the next word as the value: -o would then overwrite the log that the user wants to read.
std::string_view option_without_value(int argc, const char* const* argv) {
  for (int i = 1; i < argc && argv[i] != std::string_view{"--"}; ++i)
    if (const std::string_view word = argv[i]; word.starts_with("--") && word.ends_with("="))
      return word.substr(0, word.size() - 1);
  return {};
}

/// The error about options that exclude each other; empty if there is none.
std::string contradiction_in(const CLI::App& app, const Options& options) {
  const bool picture = is_picture(options.format);
  for (const std::string view : {"--rings", "--trees"})
    if (app.count(view) != 0 && !picture) return view + " goes with --format dot, svg or png";
  if (app.count("--rings") != 0 && app.count("--trees") != 0) return "--rings and --trees do not go together";
  for (const std::string name : {"rules", "explain", "profiles", "diff"})
    if (app.got_subcommand(name) && !options.paths.empty())
      return std::string{"\""}
          .append(name)
          .append("\" is a subcommand: it comes first, and a file of that name is written ./")
          .append(name);
  if (options.command == Command::unrecognized)
    for (const std::string other : {"--format", "--fail-on", "--select", "--ignore", "--expect", "--expect-ranks",
                                    "--profile", "--rules", "--host", "--comm", "--rings", "--trees", "--color"})
      if (app.count(other) != 0) return "--unrecognized and " + other + " do not go together";
  if (app.got_subcommand("diff"))
    for (const std::string other : {"--format", "--fail-on", "--select", "--ignore", "--expect", "--profile", "--rules",
                                    "--baseline", "--host", "--comm", "--follow"})
      if (app.count(other) != 0) return "diff and " + other + " before it do not go together";
  if (app.got_subcommand("ranks"))
    for (const std::string other : {"--format", "--fail-on", "--color"})
      if (app.count(other) != 0) return "ranks and " + other + " do not go together";
  if (options.brief && options.format != Format::json) return "--brief goes with --format json";
  if (app.count("--stall") != 0 && !options.follow) return "--stall goes with --follow";
  if (options.follow && options.command != Command::analyze) return "--follow goes with the analysis of logs";
  if (options.format == Format::summary && (options.host || options.comm))
    return "a summary is of all hosts and communicators: give --host and --comm to merge";
  if (options.command == Command::merge && options.format == Format::events)
    return "a summary does not hold every line: --format events goes with logs";
  return {};
}

}  // namespace

std::variant<Options, int> parse_options(int argc, const char* const* argv) {
  Options options;
  CLI::App app(
      "Reads NCCL_DEBUG=INFO logs and says what the job is, whether it is healthy, what is wrong and what to do.",
      "nccl-analyze");
  app.set_version_flag("--version", "nccl-analyze " + std::string(version()));
  app.footer("Exit status: 0 nothing found at or above --fail-on, 1 findings, 2 the work could not be done.");
  add_analysis(app, options);
  add_subcommands(app, options);
  if (const std::string_view name = option_without_value(argc, argv); !name.empty())
    return refuse(std::string{name} + " needs a value");
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& answer) {
    Output output(std::nullopt);
    const int status = app.exit(answer, output.stream(), std::cerr);
    output.commit();
    return status;
  } catch (const CLI::ParseError& error) {
    return refuse(error.what());
  }
  if (options.output && options.output->empty())
    return refuse("--output needs the name of a file; - is standard output, as without it");
  if (options.output == "-") options.output.reset();
  if (options.profile && !options.fail_on_given) options.fail_on.unknown = true;
  if (const std::string wrong = contradiction_in(app, options); !wrong.empty()) return refuse(wrong);
  return options;
}

}  // namespace nccl_analyze
