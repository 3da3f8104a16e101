// The command lines of the subcommands rules, explain, profiles, expect-bandwidth, ranks, merge and mcp.

#include "cli/options_parts.h"

namespace nccl_analyze {
namespace {

constexpr Words<RulesFormat, 3> rules_formats{
    {{"table", RulesFormat::table}, {"markdown", RulesFormat::markdown}, {"json", RulesFormat::json}}};
constexpr Words<RulesFormat, 2> bandwidth_formats{{{"text", RulesFormat::table}, {"json", RulesFormat::json}}};

}  // namespace

void add_rules(CLI::App& app, Options& options) {
  CLI::App* rules = app.add_subcommand("rules", "List the rules");
  rules->add_option("RULE", options.rules, "Only these: id, beginning of ids (NCA3) or name")->type_name("RULE");
  add_site_rules(*rules, options, "List the rules of this JSON file too");
  add_choice(*rules, "--color", options.color, colors, "Colour the table (auto)");
  add_choice(*rules, "-f,--format", options.rules_format, rules_formats, "What to write (table)");
  rules->callback([&options] { options.command = Command::rules; });
}

void add_explain(CLI::App& app, Options& options) {
  CLI::App* explain =
      app.add_subcommand("explain", "Explain a rule, a family or a pasted line: what it means, why, what to do");
  explain->add_option("RULE", options.rules, "Id (NCA302 or 302), beginning of ids (NCA3), name, or a line of a log")
      ->required()
      ->type_name("RULE");
  add_site_rules(*explain, options, "Know the rules of this JSON file too");
  add_choice(*explain, "--color", options.color, colors, "Colour the text (auto)");
  explain->callback([&options] { options.command = Command::explain; });
}

void add_profiles(CLI::App& app, Options& options) {
  CLI::App* profiles = app.add_subcommand("profiles", "List the kinds of machines that --profile knows, or print one");
  profiles->add_option("NAME", options.profile_name, "Print this profile as a file for --profile")
      ->type_name("PROFILE");
  profiles->callback([&options] { options.command = Command::profiles; });
}

void add_expect_bandwidth(CLI::App& app, Options& options) {
  constexpr int most_hosts = 100'000;
  CLI::App* expect = app.add_subcommand(
      "expect-bandwidth", "Say what bus bandwidth collectives can reach on machines of a kind, and what limits it");
  expect->add_option("PROFILE", options.profile_name, "The kind of machines; `nccl-analyze profiles` lists them")
      ->required()
      ->type_name("PROFILE");
  expect->add_option("--hosts", options.hosts, "On how many of them, beside one (2)")
      ->type_name("N")
      ->check(CLI::Range(1, most_hosts).description(""));
  add_choice(*expect, "-f,--format", options.rules_format, bandwidth_formats, "What to write (text)");
  expect->callback([&options] { options.command = Command::expect_bandwidth; });
}

void add_ranks(CLI::App& app, Options& options) {
  CLI::App* ranks = app.add_subcommand("ranks", "List the ranks: host, pod, pid, GPU, state, who is suspected");
  ranks->add_option("PATH", options.paths, "Log, folder of logs, archive or pattern; none or \"-\": standard input")
      ->type_name("PATH");
  ranks->add_option("--host", options.host, "Show only hosts that match")->type_name("REGEX");
  ranks->add_option("--comm", options.comm, "Of this communicator: name, id or number (#1); the largest else")
      ->type_name("ID");
  ranks->add_flag("--failed", options.failed, "List who failed instead, the first one marked");
  ranks->callback([&options] {
    options.format = Format::ranks;
    options.fail_on = {std::nullopt, false};
  });
}

void add_merge(CLI::App& app, Options& options) {
  CLI::App* merge = app.add_subcommand("merge", "Report on summaries (--format summary) as on all their logs at once");
  add_report(*merge, options, "Summary, folder of summaries or pattern; none or \"-\": standard input");
  merge->option_defaults()->group("Live");
  add_live(
      *merge, options, "Read summaries again when they are replaced and tell what changes; the report comes on Ctrl-C",
      "With --follow: say what the job waits for when no summary is replaced for so long, and whose are not (60s)");
  merge->callback([&options] { options.command = Command::merge; });
}

void add_mcp(CLI::App& app, Options& options) {
  CLI::App* mcp =
      app.add_subcommand("mcp", "Serve agents by the Model Context Protocol on standard input and output, read-only");
  mcp->add_option("FOLDER", options.folders, "Folder that agents may read, with what is below it")
      ->required()
      ->type_name("PATH");
  mcp->footer(
      "In the settings of most agents: "
      R"({"mcpServers":{"nccl":{"command":"nccl-analyze","args":["mcp","/logs"]}}})"
      "\nExit status: 0 when standard input ends, 2 the work could not be done.");
  mcp->callback([&options] { options.command = Command::mcp; });
}

}  // namespace nccl_analyze
