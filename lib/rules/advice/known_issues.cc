// Reads known_issues.tsv, finds the issues that a finding shows, and writes their steps.

#include "rules/advice/known_issues.h"

#include <algorithm>
#include <optional>

#include "model/versions.h"
#include "queries/places.h"
#include "queries/platform.h"
#include "rules/advice/advise.h"
#include "rules/advice/conditions.h"
#include "text/message_text.h"
#include "text/search.h"
#include "text/split.h"

namespace nccl_analyze {

namespace {

std::vector<KnownIssue> read_issues(std::string_view table) {
  std::vector<KnownIssue> issues;
  for (const auto& [key, kind, rule, wording, place, only_if, library, from, until, fixed, way, says, reference,
                    example] : rows_of<14>(table))
    issues.push_back({key,
                      kind == "fault"     ? IssueKind::fault
                      : kind == "effect"  ? IssueKind::effect
                      : kind == "likely"  ? IssueKind::likely
                      : kind == "maybe"   ? IssueKind::maybe
                      : kind == "message" ? IssueKind::message
                                          : IssueKind::harmless,
                      rule, wording, place, only_if, library, from, until, fixed, way, says, reference, example});
  return issues;
}

bool has_parts(std::string_view text, std::string_view parts) {
  constexpr std::string_view separator = " … ";
  while (!parts.empty()) {
    const std::string_view part = parts.substr(0, parts.find(separator));
    parts.remove_prefix(std::min(part.size() + separator.size(), parts.size()));
    const std::size_t at = text.find(part);
    if (at == std::string_view::npos) return false;
    text.remove_prefix(at + part.size());
  }
  return true;
}

/// Whether an incident or a quoted line of the finding has the wording and place of the issue. If the finding is of the
/// issue's rule, other incidents of the finding's processes count, too, such as the error trace below a warning. An
/// issue without wording and place needs only this rule, and a message that hides the cause is a step of this rule
/// only.
bool is_shown(const KnownIssue& issue, const Facts& facts) {
  const bool is_of_rule = issue.rule == facts.finding.rule->name;
  if ((issue.wording.empty() && issue.place.empty()) || (issue.kind == IssueKind::message && !is_of_rule))
    return is_of_rule;
  const auto says = [&](const Saying& saying) { return is_shown_by(issue, saying.text, saying.place); };
  if (std::ranges::any_of(facts.sayings, says)) return true;
  const auto& all = facts.model.incidents;
  const std::size_t count = is_of_rule ? std::min(all.size(), Facts::max_incidents) : 0;
  const auto quotes = [&](LineRef at) {
    const std::string_view text = facts.model.quote(at);
    return !text.empty() && is_shown_by(issue, text, text);
  };
  return std::ranges::any_of(std::span(all.data(), count), [&](const Incident& incident) {
    return std::ranges::find(facts.process_indices, incident.process) != facts.process_indices.end() &&
           (is_shown_by(issue, incident.message, incident.place) ||
            is_shown_by(issue, incident.error, incident.place) || std::ranges::any_of(incident.evidence.lines, quotes));
  });
}

/// Returns the version of a plugin: `1.16.2` of `aws-ofi-nccl 1.16.2, libfabric 2.1`; empty if it is unknown.
std::string_view plugin_version(const Process& process, std::string_view library) {
  for (const Plugin& plugin : process.plugins) {
    const std::string_view text = plugin.version.view();
    const std::size_t at = text.find(library);
    if (at == std::string_view::npos || at + library.size() >= text.size()) continue;
    const std::string_view version = text.substr(at + library.size() + 1);
    return version.substr(0, version.find_first_not_of("0123456789."));
  }
  return {};
}

/// The version that decides whether a job has an issue, as far as the log shows it.
struct Release {
  bool is_known = false, is_affected = false;
  bool is_certain = true;  ///< Whether all releases that fit the log are affected.
  std::string text;        ///< `NCCL 2.25.1`
};

/// Whether the lines of a process that shows no version have a form that no release with the issue prints.
bool has_other_form(const KnownIssue& issue, const Model& model, const Process& process) {
  if (issue.library != "NCCL") return false;
  const Releases form = releases_by_form(model, process);
  const int from = nccl_analyze::release_of(issue.from), until = nccl_analyze::release_of(issue.until);
  return (form.until != 0 && form.until < from) || (until != 0 && form.since > until);
}

Release release_of_process(const KnownIssue& issue, const Model& model, const Process& process) {
  const bool is_library = issue.library == "NCCL" || issue.library == "RCCL";
  const std::string_view version = is_library ? process.version.view() : plugin_version(process, issue.library);
  const std::string_view library = process.library.view();
  if (!version.empty()) {
    const bool is_same = !is_library || library == issue.library;
    return {true, is_same && has_issue(issue, version), true, concat(issue.library, " ", excerpt(version, 20))};
  }
  if (!is_library) return {};
  if (!library.empty() && library != issue.library) return {true, false, true, {}};
  const Boxed<InferredVersion>& inferred = process.inferred_version;
  if (!inferred) return {.is_known = has_other_form(issue, model, process), .is_affected = false, .text = {}};
  const auto affected = [&](const Text& one) { return has_issue(issue, one.view()); };
  return {true, inferred->library == issue.library && std::ranges::any_of(inferred->versions, affected),
          std::ranges::all_of(inferred->versions, affected), inferred_version_text(*inferred)};
}

Release release_of(const KnownIssue& issue, const Facts& facts) {
  Release known;
  for (const Process* process : facts.processes) {
    Release release = release_of_process(issue, facts.model, *process);
    if (release.is_affected) return release;
    if (release.is_known) known = std::move(release);
  }
  return known;
}

std::string reference_text(std::string_view reference) {
  std::string text(reference);
  for (std::size_t at = 0; (at = text.find("note ", at)) != std::string::npos; at += 14)
    text.replace(at, 5, "release notes ");
  return text;
}

/// Returns the text of the issue's step: first what to do, then what the fault is.
std::string step_text(const KnownIssue& issue, const Release& release) {
  const std::string newer = concat(issue.library, " ", issue.fixed, " or newer");
  if (issue.kind == IssueKind::harmless)
    return concat("Nothing needs to be done about this message. ", issue.says, " ", newer, " does not warn of it.");
  if (issue.fixed.empty()) {
    const std::string_view action =
        issue.way_around.empty() ? "No release without the fault is known." : issue.way_around;
    return concat(action, " ", issue.says);
  }
  const std::string text =
      release.is_known ? concat("Upgrade to ", newer, ": ", release.text,
                                issue.kind == IssueKind::maybe || issue.kind == IssueKind::likely || !release.is_certain
                                    ? " may have"
                                    : " has",
                                " this fault. ", issue.says)
                       : concat("Upgrade to ", newer, " if this is an older one: it may have this fault. ", issue.says);
  return issue.way_around.empty() ? text : concat(text, " Until then: ", issue.way_around);
}

struct Hit {
  const KnownIssue* issue;
  Release release;
};

/// Returns how specific a row is: each condition and a known version count 1, a wording counts 2, and a kind other than
/// `maybe` counts 4.
std::size_t weight_of(const Hit& hit) {
  return terms_of(hit.issue->only_if).size() + (hit.release.is_known ? 1 : 0) +
         (hit.issue->kind != IssueKind::maybe ? 4 : 0) + (hit.issue->wording.empty() ? 0 : 2);
}

/// Returns the first setting or command in backticks, with these; empty if there is none.
std::string_view code_in(std::string_view text) {
  const std::size_t open = text.find('`');
  const std::size_t close = open == std::string_view::npos ? open : text.find('`', open + 1);
  return close == std::string_view::npos ? std::string_view{} : text.substr(open, close + 1 - open);
}

/// Returns the step whose first setting or command is that of the issue's workaround. Returns end() if there is none,
/// if a release without the fault is known, or if the workaround names an alternative before it.
std::vector<Step>::iterator same_step(const KnownIssue& issue, std::vector<Step>& steps) {
  const std::string_view way = issue.way_around, code = code_in(way);
  const bool is_asked = issue.fixed.empty() && !code.empty() && way.find(" or ") > way.find(code);
  return std::ranges::find_if(steps, [&](const Step& step) { return is_asked && code_in(step.text) == code; });
}

/// Merges the issue into a step with the same setting or command. If the workaround has alternatives, the step gets the
/// text of the issue; else the description of the fault is added to the step, unless the step ends with an example.
Step joined(Step step, const KnownIssue& issue, const Release& release) {
  if (issue.way_around.find(" or ") != std::string_view::npos)
    step.text = step_text(issue, release);
  else if (!shows_example(step))
    step.text += concat(" ", issue.says);
  step.because = release.text;
  step.reference = reference_text(issue.reference);
  return step;
}

void insert_step(const KnownIssue& issue, const Release& release, std::vector<Step>& steps) {
  // One step that asks for an upgrade is enough.
  if (!issue.fixed.empty())
    std::erase_if(steps, [](const Step& one) { return one.text.starts_with("Update NCCL to "); });
  const bool is_first = issue.kind == IssueKind::fault || issue.kind == IssueKind::likely ||
                        issue.kind == IssueKind::harmless || steps.empty();
  const bool is_last = issue.kind == IssueKind::message;
  std::ptrdiff_t at = is_first ? 0 : is_last ? std::ssize(steps) : 1;
  Step step{step_text(issue, release), {}, release.text, reference_text(issue.reference)};
  if (const auto same = same_step(issue, steps); same != steps.end()) {
    at = std::min(at, same - steps.begin());
    step = joined(std::move(*same), issue, release);
    steps.erase(same);
  }
  steps.insert(steps.begin() + at, std::move(step));
}

}  // namespace

const std::vector<KnownIssue>& known_issues() {
  static const std::vector<KnownIssue> issues = read_issues(known_issues_table);
  return issues;
}

bool has_issue(const KnownIssue& issue, std::string_view version) {
  if (!issue.from.empty() && lower_version(version, issue.from)) return false;
  if (!issue.fixed.empty()) return lower_version(version, issue.fixed);
  return issue.until.empty() || !lower_version(issue.until, version);
}

bool is_shown_by(const KnownIssue& issue, std::string_view text, std::string_view place) {
  return contains(place, issue.place) && has_parts(text, issue.wording);
}

void add_known_issues(const Facts& facts, std::vector<Step>& steps) {
  std::optional<Hit> best;
  for (const KnownIssue& issue : known_issues()) {
    if (!is_shown(issue, facts) || (!issue.only_if.empty() && !prove(issue.only_if, facts))) continue;
    Hit hit{&issue, release_of(issue, facts)};
    if (hit.release.is_known && !hit.release.is_affected) continue;
    // Without a version, a message that other faults print, too, says nothing about the release.
    const bool is_guess = issue.kind == IssueKind::maybe || issue.kind == IssueKind::likely;
    if (!hit.release.is_known && is_guess && !issue.fixed.empty()) continue;
    if (!best || weight_of(hit) > weight_of(*best)) best = std::move(hit);
  }
  if (best) insert_step(*best->issue, best->release, steps);
}

}  // namespace nccl_analyze
