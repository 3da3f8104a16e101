// Composes the sentences and labels that the formats of reports share.

#include "report/sentences/words.h"

#include <algorithm>
#include <array>
#include <tuple>
#include <utility>

#include "model/stable_sort.h"
#include "queries/address.h"
#include "queries/progress.h"
#include "report/sentences/benchmarks.h"
#include "report/sentences/communicators.h"
#include "report/sentences/hosts.h"
#include "report/sentences/job.h"
#include "report/sentences/machines.h"
#include "report/sentences/paths.h"
#include "report/sentences/pods.h"
#include "report/sentences/recordings.h"
#include "report/sentences/settings.h"
#include "rules/advice/advise.h"
#include "text/escape.h"
#include "text/phrases.h"

namespace nccl_analyze {
namespace {

constexpr std::size_t max_groups = 4;

/// Adds a line for each of the first max_groups communicators, or for all communicators if `everything`. Communicators
/// whose ranks are at different calls come first, then larger ones. A last line counts the others.
void add_progress(const Model& model, bool everything, std::vector<std::string>& lines) {
  std::vector<CallProgress> all = find_call_progress(model);
  const auto apart = [](const CallProgress& one) { return !one.behind.empty(); };
  sort_stably(all, [&](const CallProgress& a, const CallProgress& b) {
    return std::tuple{!apart(a), -a.nranks} < std::tuple{!apart(b), -b.nranks};
  });
  const bool several = model.communicators.size() > 1;
  const std::size_t shown = everything ? all.size() : std::min(all.size(), max_groups);
  for (std::size_t i = 0; i < shown; ++i)
    lines.push_back(progress_text(model, all[i]) +
                    (several && all[i].communicator >= 0
                         ? " (communicator " + communicator_name(model, all[i].communicator) + ")"
                         : ""));
  if (shown == all.size()) return;
  const auto rest =
      static_cast<std::uint64_t>(std::count_if(all.begin() + static_cast<std::ptrdiff_t>(shown), all.end(), apart));
  lines.push_back(count_text(all.size() - shown, "other communicator") + ": " +
                  (rest == 0 ? std::string{"all ranks at the same call"}
                             : "ranks of " + std::to_string(rest) + " are at different calls"));
}

/// Adds the first max_groups texts, or all texts if `everything`, and counts the others.
void add_kinds(const std::vector<std::string>& texts, bool everything, std::string_view of,
               std::vector<std::string>& lines) {
  const std::size_t shown = everything ? texts.size() : std::min(texts.size(), max_groups);
  lines.insert(lines.end(), texts.begin(), texts.begin() + static_cast<std::ptrdiff_t>(shown));
  if (shown < texts.size())
    lines.push_back("and " + count_text(texts.size() - shown, "other kind") + " of " + std::string{of});
}

/// Returns the share of recognised lines, rounded down, so that a log with an unknown line never shows 100 %.
std::string recognized_share(const ParseStats& sum) {
  if (sum.unrecognized == 0) return "all recognised";
  const std::uint64_t tenths = 1000 * (sum.nccl_lines - sum.unrecognized) / sum.nccl_lines;
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " % recognised";
}

}  // namespace

std::string_view label_of(JobStatus status) {
  constexpr std::array<std::string_view, 4> labels = {"OK", "WARNING", "ERROR", "UNKNOWN"};
  return labels[static_cast<std::size_t>(status)];
}

std::string_view label_of(Severity severity) {
  return severity == Severity::error ? "ERROR" : severity == Severity::warning ? "WARNING" : "INFO";
}

std::string count_findings(const Report& report) {
  std::array<std::uint64_t, 3> counts{};
  for (const Finding& finding : report.findings) ++counts[static_cast<std::size_t>(finding.severity())];
  std::string list;
  const auto add = [&](Severity severity, std::string_view noun) {
    const std::uint64_t count = counts[static_cast<std::size_t>(severity)];
    if (count > 0) append_item(list, count_text(count, noun));
  };
  add(Severity::error, "error");
  add(Severity::warning, "warning");
  add(Severity::info, "note");
  return list;
}

std::vector<JobPart> describe_job(const Model& model, const Report& report, bool everything) {
  std::vector<std::string> lines = describe_jobs(model, report);
  if (lines.empty() && !model.processes.empty()) lines.push_back(describe_processes(model));
  add_kinds(describe_hosts(model), everything, "host", lines);
  if (everything)
    for (std::string& host : describe_nic_use(model)) lines.push_back(std::move(host));
  if (std::string pods = describe_pods(model); !pods.empty()) lines.push_back(std::move(pods));
  for (std::string& nodes : describe_nodes(model)) lines.push_back(std::move(nodes));
  add_kinds(describe_communicators(model, everything), everything, "communicator", lines);
  std::vector<std::string> progress;
  add_progress(model, everything, progress);
  for (std::string& line : describe_recordings(model)) progress.push_back(std::move(line));
  std::vector<JobPart> parts{
      {"Job", std::move(lines)},
      {"Paths", model.processes.empty() ? std::vector<std::string>{} : describe_paths(model, everything)},
      {"Progress", std::move(progress)},
      {"Settings", describe_settings(model)},
      {"Benchmarks", describe_benchmarks(model)},
      {"Manifests", everything ? describe_manifests(model) : std::vector<std::string>{}}};
  if (everything || model.processes.empty()) parts.push_back({"Machines", describe_machines(model)});
  std::erase_if(parts, [](const JobPart& part) { return part.lines.empty(); });
  return parts;
}

std::vector<std::string> describe_not_evaluated(const Report& report) {
  std::vector<std::pair<std::string, std::string>> lines;  // sentence, and the rules to which it applies
  for (const NotEvaluated& item : report.not_evaluated) {
    const auto says_it = [&](const Finding& finding) { return finding.rule->id == item.rule; };
    if (std::ranges::any_of(report.findings, says_it)) continue;
    std::string sentence = item.reason + (item.needs.empty() ? "" : "; needs " + item.needs);
    const auto same =
        std::find_if(lines.begin(), lines.end(), [&](const auto& line) { return line.first == sentence; });
    if (same == lines.end()) {
      lines.emplace_back(std::move(sentence), item.rule);
    } else {
      same->second += ", " + std::string{item.rule};
    }
  }
  std::vector<std::string> texts;
  for (const auto& [sentence, rules] : lines) texts.push_back(std::string{rules}.append(": ").append(sentence));
  return texts;
}

std::string describe_input(const Model& model) {
  const ParseStats sum = totals(model);
  const auto& sources = model.sources;
  std::string text = sources.size() == 1 ? sources[0].name : count_text(sources.size(), "source");
  text += ": " + count_text(sum.lines, "line") + ", ";
  // Where lines lost their prefix, others may have lost the mark `NCCL`, too, and some of these are not recognised.
  if (sum.malformed > 0 && sum.nccl_lines < sum.lines) text += "at least ";
  text += count_text(sum.nccl_lines, "NCCL line");
  if (sum.nccl_lines > 0) text += ", " + recognized_share(sum);
  const auto add = [&text](std::uint64_t count, std::string_view what) {
    if (count > 0) text += ", " + std::to_string(count) + " " + std::string{what};
  };
  add(sum.malformed, "without a readable prefix");
  add(sum.truncated, "too long and cut");
  add(sum.damage(Damage::torn), "torn");
  add(sum.damage(Damage::cut), "cut short");
  add(sum.damage(Damage::joined), "put together from several lines");
  const std::string which = sources.size() == 1 ? "" : " in some sources";
  if (sum.newest_first > 0) text += ", newest first" + which + " and read in this wrong order";
  if (sum.reversed > 0) text += ", newest first" + which + " and read from the end";
  if (sum.pickles > 0)
    text += sources.size() == 1
                ? ", a pickle, whose lines are those of its content as JSON"
                : ", " + count_text(sum.pickles, "pickle") + ", whose lines are those of their content as JSON";
  std::uint64_t ambiguous = 0;
  for (const Ambiguity& ambiguity : model.ambiguities) ambiguous += ambiguity.lines;
  add(ambiguous, "that fit several communicators");
  if (model.dropped > 0) text += ", " + count_text(model.dropped, "fact") + " not kept because a limit was reached";
  return text;
}

std::vector<std::string> describe_gaps(const Model& model) {
  constexpr std::size_t most = 20;
  std::vector<std::string> lines;
  for (const Source& source : model.sources)
    if (source.stats.ends_early > 0) lines.push_back(visible(source.name) + " ends early: its end is missing");
  if (model.sources.size() > 1)
    for (const Source& source : model.sources)
      if (source.stats.lines == 0) lines.push_back(visible(source.name) + " is empty");
  for (const Source& source : model.sources)
    if (source.set_aside)
      lines.push_back(visible(source.name) + " is a program or a document: the failures that it names do not count");
  for (const UnreadableInput& input : model.unreadable)
    lines.push_back("not read: " + visible(input.name) + ": " + visible(input.reason));
  if (lines.size() > most) {
    const std::size_t others = lines.size() - most;
    lines.resize(most);
    lines.push_back("and " + count_text(others, "other"));
  }
  return lines;
}

std::string place_of(const Model& model, LineRef at) {
  const auto source = static_cast<std::size_t>(at.source);
  const bool named = source < model.sources.size() && !model.sources[source].name.empty();
  return (named ? visible(model.sources[source].name) : "input " + std::to_string(source)) + ":" +
         std::to_string(model.place_in_source(at));
}

std::vector<LineRef> quoted_lines(const Model& model, const Evidence& evidence, std::size_t most) {
  std::vector<LineRef> lines = evidence.lines;
  std::erase_if(lines, [](LineRef at) { return at.line == 0; });
  if (!lines.empty())  // The first line proves the fault.
    std::stable_partition(lines.begin() + 1, lines.end(), [&](LineRef at) { return !model.quote(at).empty(); });
  if (lines.size() > most) lines.resize(most);
  return lines;
}

std::vector<Step> steps_of(const Finding& finding) {
  if (!finding.steps.empty() || !finding.rule->words->steps.empty()) return finding.steps;
  return steps_in(finding.fix.empty() ? finding.rule->words->fix : std::string_view{finding.fix});
}

std::string fix_of(const Finding& finding, std::size_t most) { return steps_as_markdown(steps_of(finding), most); }

const Meaning* meaning_at(const Model& model, const Finding& finding, LineRef at) {
  constexpr std::size_t most = 256;
  for (std::size_t i = 0; i < std::min(most, finding.incidents.size()); ++i) {
    const Incident& incident = model.incidents[static_cast<std::size_t>(finding.incidents[i])];
    if (std::ranges::find(incident.evidence.lines, at) != incident.evidence.lines.end())
      return meaning_of(incident.message);
  }
  return nullptr;
}

std::vector<std::string> stack_commands_of(const Model& model, const Finding& finding, std::size_t most) {
  std::vector<std::string> commands;
  const Stage stage = finding.stage();
  if ((stage != Stage::hang && stage != Stage::process) || finding.rule->name == "process-died") return commands;
  for (const Suspect& suspect : finding.suspects) {
    if (commands.size() == most) break;
    // nccl-tests is a program in C++, of which py-spy shows nothing.
    std::string command = stack_command(address_of(model, suspect, finding.communicators), model.benchmarks.empty());
    if (!command.empty() && std::ranges::find(commands, command) == commands.end())
      commands.push_back(std::move(command));
  }
  return commands;
}

std::vector<std::string> describe_each_suspect(const Model& model, const Finding& finding) {
  std::vector<std::string> texts;
  for (const Suspect& suspect : finding.suspects) {
    const std::string who = address_text(address_of(model, suspect, finding.communicators));
    texts.push_back((suspect.inferred ? "probably " : "") + who + (suspect.why.empty() ? "" : ": ") + suspect.why);
  }
  return texts;
}

std::vector<Unexplained> unexplained_lines(const Model& model, const Report& report) {
  Unexplained warnings{"Warnings that no rule explains", {}};
  Unexplained traces{"Error traces that no rule explains", {}};
  for (const Index index : report.unexplained_warnings) {
    const Incident& incident = model.incidents[index];
    if (incident.evidence.lines.empty()) continue;
    if (incident.level == Level::attn) warnings.title = "Warnings and notices that no rule explains";
    (incident.kind == IncidentKind::error_propagated ? traces : warnings).lines.push_back(&incident);
  }
  std::vector<Unexplained> found;
  for (Unexplained* const one : {&warnings, &traces})
    if (!one->lines.empty()) found.push_back(std::move(*one));
  return found;
}

}  // namespace nccl_analyze
