// Selects and orders the steps of a rule's document by what the log proves.

#include "rules/advice/advise.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "rules/advice/conditions.h"
#include "rules/advice/known_issues.h"
#include "rules/advice/remedies.h"
#include "rules/advice/setting_releases.h"
#include "rules/advice/values.h"
#include "text/digits.h"

namespace nccl_analyze {

namespace {

constexpr std::string_view one_example = " is an example.)", several_examples = " are examples.)";

/// Returns ` (`eth0` is an example.)`; empty without examples.
std::string examples_text(const std::vector<std::string>& examples) {
  std::string text;
  for (const std::string& example : examples) text += (text.empty() ? " (`" : ", `") + example + "`";
  if (examples.empty()) return text;
  return text.append(examples.size() == 1 ? one_example : several_examples);
}

/// Removes markup, because the proof of a condition may contain text of the log, and steps are Markdown.
std::string without_markup(std::string text) {
  std::erase_if(text, [](char c) { return std::string_view("`*<>[]\\|#~&\n").find(c) != std::string_view::npos; });
  return text;
}

std::optional<Step> fill_step(const StepText& words, const Facts& facts) {
  std::vector<std::string> examples;
  std::optional<std::string> text = fill(words.text, facts, examples);
  std::optional<std::string> command = fill(words.command, facts, examples);
  if (!text || !command) return std::nullopt;
  const std::string later = later_settings_text(*text, facts);
  return Step{*text + later + examples_text(examples), std::move(*command), {}, std::string(words.reference)};
}

std::vector<Step> choose_steps(std::span<const StepText> words, const Facts& facts) {
  std::vector<Step> first, others, otherwise;
  for (const StepText& one : words) {
    if (!one.only_if.empty() && !prove(one.only_if, facts)) continue;
    if (!one.unless.empty() && prove(one.unless, facts)) continue;
    std::optional<Step> step = fill_step(one, facts);
    if (!step) continue;
    const std::optional<std::string> demand = one.first_if.empty() ? std::nullopt : prove(one.first_if, facts);
    step->because = without_markup(demand.value_or(std::string()));
    (!one.otherwise.empty() ? otherwise : demand ? first : others).push_back(std::move(*step));
  }
  if (first.empty() && others.empty()) return otherwise;
  first.insert(first.end(), std::make_move_iterator(others.begin()), std::make_move_iterator(others.end()));
  return first;
}

std::string choose_title(std::span<const TitleText> titles, const Facts& facts) {
  for (const TitleText& title : titles) {
    std::vector<std::string> examples;
    if (!title.only_if.empty() && !prove(title.only_if, facts)) continue;
    if (std::optional<std::string> text = fill(title.text, facts, examples)) return std::move(*text);
  }
  return {};
}

/// Gives the finding the title of its document, if the rule has set none. A title that quotes a phrase gives way to one
/// whose condition holds, if the phrase proves a failure.
void choose_title(const RuleWords& words, const Facts& facts, Finding& finding) {
  const auto weak = std::ranges::find(finding.values, std::pair<std::string_view, std::string>("headline", "quoted"));
  const bool is_weak = weak != finding.values.end() && finding.severity() == Severity::error;
  if (!finding.title.empty() && !is_weak) return;
  std::vector<TitleText> titles(words.titles.begin(), words.titles.end());
  if (is_weak) std::erase_if(titles, [](const TitleText& title) { return title.only_if.empty(); });
  if (std::string title = choose_title(titles, facts); !title.empty()) finding.title = std::move(title);
  if (finding.title.empty()) finding.title = facts.value("title");
}

void choose_words(const Model& model, const JobHostSpans& spans, Finding& finding) {
  const RuleWords& words = *finding.rule->words;
  const Facts facts(model, spans, finding);
  choose_title(words, facts, finding);
  if (!finding.fix.empty())
    finding.steps = steps_in(finding.fix);
  else
    finding.steps = words.steps.empty() ? steps_in(words.fix) : choose_steps(words.steps, facts);
  const Remedy remedy = finding.fix.empty() ? remedy_of(facts) : Remedy{};
  if (remedy.is_alone || (finding.steps.empty() && !remedy.step.empty()))
    finding.steps = {{std::string(remedy.step), std::string(remedy.command), {}, {}}};
  if (finding.severity() != Severity::info) add_known_issues(facts, finding.steps);
}

void advise(const Model& model, const JobHostSpans& spans, Finding& finding) {
  if (finding.steps.empty()) choose_words(model, spans, finding);
  for (Finding& consequence : finding.consequences) advise(model, spans, consequence);
}

/// Returns the length of `1. ` or `- ` at the start of the line; 0 if the line begins no list item.
std::size_t marker_size(std::string_view line) {
  if (line.starts_with("- ")) return 2;
  std::size_t digits = 0;
  while (digits < line.size() && is_digit(line[digits])) ++digits;
  return digits > 0 && line.substr(digits).starts_with(". ") ? digits + 2 : 0;
}

}  // namespace

void advise(const Model& model, std::vector<Finding>& findings) {
  if (findings.empty()) return;
  const JobHostSpans spans(model);
  for (Finding& finding : findings) advise(model, spans, finding);
}

bool shows_example(const Step& step) {
  return step.text.ends_with(one_example) || step.text.ends_with(several_examples);
}

std::vector<Step> steps_in(std::string_view markdown) {
  std::vector<Step> steps;
  std::size_t indent = 0;
  while (!markdown.empty()) {
    const std::size_t end = std::min(markdown.find('\n'), markdown.size());
    std::string_view line = markdown.substr(0, end);
    markdown.remove_prefix(std::min(end + 1, markdown.size()));
    const std::size_t marker = marker_size(line);
    if (marker > 0) indent = marker;
    if (marker > 0 || steps.empty()) {
      if (!line.empty()) steps.push_back({std::string(line.substr(marker)), {}, {}, {}});
      continue;
    }
    line.remove_prefix(std::min({indent, line.size(), line.find_first_not_of(' ')}));
    steps.back().text.append("\n").append(line);
  }
  for (Step& step : steps)
    while (step.text.ends_with('\n')) step.text.pop_back();
  return steps;
}

std::string steps_as_markdown(const std::vector<Step>& steps, std::size_t most) {
  std::string out;
  for (std::size_t i = 0; i < std::min(most, steps.size()); ++i) {
    const Step& step = steps[i];
    const std::string number = steps.size() == 1 ? std::string() : std::to_string(i + 1) + ". ";
    const std::string indent(number.size(), ' ');
    std::string text = step.text;
    if (!step.because.empty() && text.find(step.because) == std::string::npos)
      text += " (Because: " + step.because + ".)";
    if (!step.command.empty()) text += "\n\n```\n" + step.command + "\n```";
    if (!step.reference.empty()) text += "\n(" + step.reference + ")";
    out += (i == 0 ? "" : "\n") + number;
    for (const char c : text) {
      out += c;
      if (c == '\n') out += indent;
    }
  }
  return out;
}

}  // namespace nccl_analyze
