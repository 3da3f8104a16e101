// Tests of the steps and titles in the documents of the rules: their conditions, placeholders and selection.

#include <re2/re2.h>

#include <string>
#include <string_view>

#include "catch.h"
#include "model_of.h"
#include "nccl_analyze/rule.h"
#include "rules/advice/advise.h"
#include "rules/advice/conditions.h"
#include "rules/advice/values.h"
#include "rules/words/condition_phrases.h"
#include "testdata.h"

namespace nccl_analyze {
namespace {

/// The first placeholder of the text that no row of all_placeholders() has.
std::string_view unknown_placeholder(std::string_view text) {
  for (std::size_t at = 0; at < text.size(); ++at) {
    const Hole hole = hole_at(text.substr(at));
    if (hole.size > 0 &&
        std::ranges::find(all_placeholders(), hole.name, &Placeholder::name) == all_placeholders().end())
      return hole.name;
  }
  return {};
}

/// The text without its placeholders and their examples.
std::string without_placeholders(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const Hole hole = hole_at(text.substr(at));
    if (hole.size == 0) out += text[at];
    at += std::max<std::size_t>(hole.size, 1);
  }
  return out;
}

TEST_CASE("advice: the documents of the rules have known conditions and placeholders only", "[rules]") {
  for (const Rule* rule : all_rules()) {
    INFO(rule->info.id);
    const RuleWords& words = *rule->info.words;
    CHECK(!words.steps.empty());
    for (const TitleText& title : words.titles) {
      INFO(title.text);
      CHECK(title.text.size() < 80);
      CHECK(!title.only_if.empty());
      CHECK(error_in_condition(title.only_if).empty());
      CHECK(unknown_placeholder(title.text).empty());
    }
    for (const StepText& step : words.steps) {
      INFO(step.text);
      for (const std::string_view condition : {step.only_if, step.unless, step.first_if})
        CHECK(error_in_condition(condition).empty());
      CHECK(unknown_placeholder(step.text).empty());
      CHECK(unknown_placeholder(step.command).empty());
      CHECK(step.text.size() < 700);
    }
  }
}

struct AllowedStep {
  std::string_view rule, setting;
};

/// Steps that set a value although no condition asks whether the log has it. With the first four values NCCL does not
/// run the code that failed; NCA103 reports what is missing with its value; with the others no rank listens on the
/// address that the condition demands.
constexpr AllowedStep allowed_steps[] = {
    {"NCA406", "NCCL_NVLS_ENABLE=0"},
    {"NCA602", "NCCL_NVLS_ENABLE=0"},
    {"NCA407", "NCCL_MNNVL_ENABLE=0"},
    {"NCA503", "NCCL_IGNORE_CPU_AFFINITY=1"},
    {"NCA103", "NCCL_DEBUG=INFO"},
    {"NCA208", "NCCL_SOCKET_IFNAME=^lo,docker"},
    {"NCA208", "NCCL_SOCKET_FAMILY=AF_INET"},
    {"NCA210", "NCCL_SOCKET_IFNAME=^lo,docker"},
    {"NCA210", "NCCL_SOCKET_FAMILY=AF_INET"},
};

TEST_CASE("advice: a step that sets a value asks whether the log has it already", "[rules]") {
  const RE2 sets(R"(^(?:Set|To run meanwhile)[^`]*`(NCCL_[A-Z0-9_]+)(=[^`{}]+)`)");
  for (const Rule* rule : all_rules())
    for (const StepText& step : rule->info.words->steps) {
      std::string name, value;
      if (!RE2::PartialMatch(step.text, sets, &name, &value)) continue;
      const std::string condition = "setting " + name;
      const auto asks = [&](const std::string& words) {
        return step.unless.find(words) != std::string_view::npos ||
               step.only_if.find("not " + words) != std::string_view::npos;
      };
      const bool is_allowed = std::ranges::any_of(allowed_steps, [&](const AllowedStep& one) {
        return one.rule == rule->info.id && one.setting == name + value;
      });
      INFO(rule->info.id << " " << step.text);
      CHECK((is_allowed || asks(condition + value) || asks(condition + " or ") ||
             std::string_view(step.unless).ends_with(condition)));
    }
}

TEST_CASE("advice: each error that a case of testdata shows has a step", "[rules]") {
  for (const std::string kind : {"jobs", "rules", "damaged"})
    for (const Case& one : cases(kind))
      for (const auto& path : one.logs) {
        const Report report = analyze(model_of(read_file(path)));
        for (const Finding& finding : report.findings) {
          INFO(path.string() << " " << finding.rule->id << " " << finding.message);
          CHECK((finding.severity() != Severity::error || !finding.steps.empty()));
        }
      }
}

TEST_CASE("advice: each term of a condition has a phrase") {
  CHECK(std::ranges::equal(all_conditions(), condition_phrases, {}, &Condition::name, &ConditionPhrase::name));
  CHECK(condition_in_words("case phase=bootstrap and not kubernetes or message \"a b\"") ==
        "phase is bootstrap and not on Kubernetes, or the message says \"a b\"");
}

TEST_CASE("advice: names of one site stand in steps as examples only", "[rules]") {
  const RE2 name(R"(\b(eth\d|ens\d+\w*|ib\d|mlx5_\d+|POD|NODE|HOST|PEER|IFACE|INSTANCE_TYPE)\b)");
  for (const Rule* rule : all_rules())
    for (const StepText& step : rule->info.words->steps) {
      INFO(rule->info.id << " " << step.text);
      CHECK(!RE2::PartialMatch(without_placeholders(step.text), name));
      CHECK(!RE2::PartialMatch(without_placeholders(step.command), name));
    }
}

struct Selection {
  std::vector<StepText> steps;
  std::vector<TitleText> titles;
  Model model;
  Finding finding;

  Finding advised() {
    static RuleWords words;
    words = {.title = "Title", .explanation = "Explained.", .fix = "Fix.", .titles = titles, .steps = steps};
    static RuleInfo info;
    info = {.id = "SITE01", .name = "site", .words = &words};
    finding.rule = &info;
    std::vector<Finding> findings = {finding};
    advise(model, findings);
    return findings[0];
  }
};

Selection on_host(std::string host) {
  Selection selection;
  Process& process = selection.model.processes.emplace_back();
  process.host = host;
  process.pid = 12;
  process.library = "NCCL";
  process.version = "2.21.5";
  process.env.add("NCCL_IB_GID_INDEX", {"0", {}});
  selection.finding.processes = {0};
  return selection;
}

std::string texts(const Finding& finding) {
  std::string all;
  for (const Step& step : finding.steps) all += (all.empty() ? "" : " / ") + step.text;
  return all;
}

TEST_CASE("advice: a demanded step goes first, an excluded one is left out") {
  Selection selection = on_host("node-1");
  selection.steps = {{.text = "one"},
                     {.text = "two", .only_if = "version < 2.19"},
                     {.text = "three", .unless = "setting NCCL_IB_GID_INDEX"},
                     {.text = "four", .first_if = "setting NCCL_IB_GID_INDEX=0 and version >= 2.21"},
                     {.text = "five", .only_if = "kubernetes or version < 2.22"}};
  const Finding finding = selection.advised();
  CHECK(texts(finding) == "four / one / five");
  CHECK(finding.steps[0].because == "NCCL_IB_GID_INDEX=0 is set, NCCL 2.21.5");
  CHECK(finding.steps[2].because.empty());
  CHECK(steps_as_markdown(finding.steps, 1) == "1. four (Because: NCCL_IB_GID_INDEX=0 is set, NCCL 2.21.5.)");
}

TEST_CASE("advice: a step for want of others is shown where there is no other") {
  Selection selection = on_host("node-1");
  selection.steps = {{.text = "one", .only_if = "version < 2.19"},
                     {.text = "two", .only_if = "library NCCL", .otherwise = "yes"},
                     {.text = "three", .only_if = "library RCCL", .otherwise = "yes"}};
  CHECK(texts(selection.advised()) == "two");
  selection.steps[0].only_if = "version < 2.22";
  CHECK(texts(selection.advised()) == "one");
}

TEST_CASE("advice: a step shows the values of its log, or an example that it calls one") {
  Selection selection = on_host("node-1");
  selection.steps = {
      {.text = "Look at {host}.", .command = "ps -p {pid}"}, {.text = "Ask {peer}."}, {.text = "Take `{iface|eth0}`."}};
  const Finding finding = selection.advised();
  CHECK(texts(finding) == "Look at node-1. / Take `eth0`. (`eth0` is an example.)");
  CHECK(finding.steps[0].command == "ps -p 12");
  CHECK(!shows_example(finding.steps[0]));
  CHECK(shows_example(finding.steps[1]));
}

TEST_CASE("advice: a step says which of its settings this NCCL does not read") {
  Selection selection = on_host("node-1");
  selection.steps = {{.text = "Set `NCCL_WIN_ENABLE=0`."},
                     {.text = "Set `NCCL_ALGO=Ring` and `NCCL_P2P_LEVEL=NVL`."},
                     {.text = "Set `NCCL_WIN_ENABLED_BY=0`."}};
  CHECK(texts(selection.advised()) ==
        "Set `NCCL_WIN_ENABLE=0`. (NCCL reads `NCCL_WIN_ENABLE` since 2.27.3.) / Set `NCCL_ALGO=Ring` and "
        "`NCCL_P2P_LEVEL=NVL`. / Set `NCCL_WIN_ENABLED_BY=0`.");
  selection.model.processes[0].version = "2.4.8";
  selection.steps = {{.text = "Set `NCCL_ALGO=Ring`, `NCCL_P2P_LEVEL=NVL` or `NCCL_P2P_LEVEL=1`."}};
  CHECK(
      texts(selection.advised()) ==
      "Set `NCCL_ALGO=Ring`, `NCCL_P2P_LEVEL=NVL` or `NCCL_P2P_LEVEL=1`. (NCCL reads `NCCL_ALGO` since 2.5.6 and names "
      "in `NCCL_P2P_LEVEL` since 2.6.4.)");
  selection.model.processes[0].library = "RCCL";
  CHECK(texts(selection.advised()) == "Set `NCCL_ALGO=Ring`, `NCCL_P2P_LEVEL=NVL` or `NCCL_P2P_LEVEL=1`.");
}

TEST_CASE("advice: values that a shell or Markdown would read are not shown") {
  for (const char* const host : {"a;reboot", "$(reboot)", "`reboot`", "-rf", "a b", "[x](y)", "a\nb", "a\x1b[1m"}) {
    Selection selection = on_host(host);
    selection.steps = {{.text = "On {host|node}."}};
    CHECK(texts(selection.advised()) == "On node. (`node` is an example.)");
  }
}

TEST_CASE("advice: the first title that the log proves, unless the rule has its own") {
  Selection selection = on_host("node-1");
  selection.titles = {{"Old", "version < 2.4"}, {"Title of {host}", "library NCCL"}};
  selection.steps = {{.text = "one"}};
  CHECK(selection.advised().title == "Title of node-1");
  selection.finding.values = {{"title", "For want of another"}};
  CHECK(selection.advised().title == "Title of node-1");
  selection.titles = {{"Old", "version < 2.4"}};
  CHECK(selection.advised().title == "For want of another");
  selection.finding.title = "Own";
  CHECK(selection.advised().title == "Own");
}

TEST_CASE("advice: a fix without a document is a list of steps") {
  CHECK(steps_in("").empty());
  CHECK(steps_in("Ask.").size() == 1);
  const std::vector<Step> steps = steps_in("1. One\n   and more.\n2. Two\n");
  REQUIRE(steps.size() == 2);
  CHECK(steps[0].text == "One\nand more.");
  CHECK(steps_as_markdown(steps) == "1. One\n   and more.\n2. Two");
}

TEST_CASE("advice: an error in a condition is named") {
  CHECK(error_in_condition("").empty());
  CHECK(error_in_condition("errno 5 and not kubernetes or roce").empty());
  CHECK(error_in_condition("errno 5 and moon") == "moon");
  CHECK(error_in_condition("errno") == "errno");
  CHECK(error_in_condition("roce 5") == "roce");
}

}  // namespace
}  // namespace nccl_analyze
