// The options of every report: inputs, judgement and output.

#include <algorithm>
#include <limits>

#include "cli/options_parts.h"
#include "nccl_analyze/report.h"

namespace nccl_analyze {
namespace {

constexpr Words<Format, 15> formats{{{"text", Format::text},
                                     {"markdown", Format::markdown},
                                     {"html", Format::html},
                                     {"json", Format::json},
                                     {"events", Format::events},
                                     {"trace", Format::trace},
                                     {"junit", Format::junit},
                                     {"sarif", Format::sarif},
                                     {"github", Format::github},
                                     {"prometheus", Format::prometheus},
                                     {"otlp", Format::otlp},
                                     {"dot", Format::dot},
                                     {"svg", Format::svg},
                                     {"png", Format::png},
                                     {"summary", Format::summary}}};
constexpr Words<FailOn, 5> fail_words{{{"error", {Severity::error, false}},
                                       {"warning", {Severity::warning, false}},
                                       {"info", {Severity::info, false}},
                                       {"unknown", {std::nullopt, true}},
                                       {"never", {std::nullopt, false}}}};

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
      ->check(one_of(names))
      ->type_name(CLI::detail::join(names, "|") + "[,...]");
}

/// Adds a comma-separated, repeatable list. Each occurrence takes one argument, so that a PATH may follow.
void add_rule_list(CLI::App& app, const std::string& name, std::vector<std::string>& rules, const std::string& help) {
  app.add_option(name, rules, help)->delimiter(',')->allow_extra_args(false)->type_name("RULE[,...]");
}

void add_judging(CLI::App& app, Options& options) {
  add_fail_on(app, options);
  add_rule_list(app, "--select", options.select, "Judge by these rules only: id, prefix of ids (NCA3) or name");
  add_rule_list(app, "--ignore", options.ignore, "Leave these rules out");
  app.add_option("--expect", options.expect,
                 "What the job should show: ranks=16, hosts=dgx[001-080], network=IB, gdr, nics=4, init<=60s, ...")
      ->allow_extra_args(false)
      ->type_name("EXPECTATION[,...]");
  app.add_option_function<unsigned>(
         "--expect-ranks", [&options](unsigned ranks) { options.expect.push_back("ranks=" + std::to_string(ranks)); },
         "The job has N ranks")
      ->check(CLI::Range(1, std::numeric_limits<int>::max()).description(""))
      ->type_name("N");
  app.add_option("--profile", options.profile, "What such machines should give (`nccl-analyze profiles` lists them)")
      ->type_name("PROFILE|FILE");
  add_site_rules(app, options, "Judge by the rules of this JSON file too");
  app.add_option("--baseline", options.baseline, "Judge against a good run: log, folder, summary or JSON report")
      ->type_name("PATH");
}

void add_showing(CLI::App& app, Options& options) {
  add_choice(app, "-f,--format", options.format, formats, "What to write (text)");
  app.add_option("-o,--output", options.output, "Write to FILE, whole or not at all (standard output)")
      ->type_name("FILE");
  app.add_flag("--brief", options.brief, "With --format json: one line of at most 4096 bytes");
  app.add_option("--host", options.host, "Show only hosts that match")->type_name("REGEX");
  app.add_option("--comm", options.comm, "Show only this communicator: name, id or number (#1)")->type_name("ID");
  app.add_flag_callback(
      "--rings", [&options] { options.view = DotView::rings; }, "Draw only the rings (with dot, svg, png)");
  app.add_flag_callback(
      "--trees", [&options] { options.view = DotView::trees; }, "Draw only the trees (with dot, svg, png)");
  app.add_flag_callback(
      "--machine", [&options] { options.view = DotView::machine; },
      "Draw a machine of each kind: GPUs, NVLink, PCIe switches, NICs (with dot, svg, png)");
  add_choice(app, "--color", options.color, colors, "Colour the text report (auto)");
}

}  // namespace

void add_site_rules(CLI::App& app, Options& options, const std::string& help) {
  const auto append = [&options](const std::vector<std::string>& paths) {
    options.site_rules.insert(options.site_rules.end(), paths.begin(), paths.end());
  };
  app.add_option_function<std::vector<std::string>>("--rules", append, help)
      ->allow_extra_args(false)
      ->type_name("FILE");
}

void add_report(CLI::App& app, Options& options, const std::string& what) {
  app.option_defaults()->group("Input");
  app.add_option("PATH", options.paths, what)->type_name("PATH");
  app.option_defaults()->group("Judge");
  add_judging(app, options);
  app.option_defaults()->group("Show");
  add_showing(app, options);
  app.option_defaults()->group("Options");
  app.add_flag_callback(
      "-q,--quiet", [&options] { options.verbosity = Verbosity::quiet; }, "Only errors on standard error");
  app.add_flag_callback(
      "-v,--verbose", [&options] { options.verbosity = Verbosity::verbose; }, "Every detail, in the report too");
}

}  // namespace nccl_analyze
