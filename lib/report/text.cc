// The report for people: the verdict first, then the job, the findings with their proof, and what was not judged.

#include <algorithm>
#include <array>
#include <map>
#include <ostream>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "nccl_analyze/export.h"
#include "report/escape.h"
#include "report/text_hosts.h"
#include "report/text_job.h"
#include "report/verdict.h"
#include "report/wrap.h"
#include "rules/address.h"
#include "rules/progress.h"

namespace nccl_analyze {
namespace {

constexpr std::size_t max_groups = 4;
constexpr std::size_t max_quoted = 3;
constexpr std::size_t max_quote_columns = 240;

struct Page {
  std::ostream& out;
  const Model& model;
  const Report& report;
  const TextOptions& options;
};

constexpr std::string_view bold = "\x1b[1m";
constexpr std::string_view dim = "\x1b[2m";

struct Mark {
  std::string_view label;
  std::string_view color;
};
constexpr std::array marks{Mark{"ERROR", "\x1b[1;31m"}, Mark{"WARNING", "\x1b[1;33m"}, Mark{"INFO", "\x1b[1;36m"},
                           Mark{"OK", "\x1b[1;32m"}, Mark{"UNKNOWN", "\x1b[1;35m"}};

std::string_view label_of(Severity severity) {
  return severity == Severity::error ? "ERROR" : severity == Severity::warning ? "WARNING" : "INFO";
}

std::string colored(const Page& page, std::string_view color, std::string_view text) {
  if (!page.options.color) return std::string{text};
  return std::string{color} + std::string{text} + "\x1b[0m";
}

std::string colored_label(const Page& page, std::string_view label) {
  const auto mark = std::find_if(marks.begin(), marks.end(), [label](const Mark& m) { return m.label == label; });
  return mark == marks.end() ? std::string{label} : colored(page, mark->color, label);
}

void write_heading(const Page& page, std::string_view text) { page.out << "\n" << colored(page, bold, text) << "\n"; }

/// `text` in a paragraph that begins at `indent` and hangs by `hang` more.
void write_paragraph(const Page& page, std::string_view text, std::size_t indent, std::size_t hang = 2) {
  page.out << std::string(indent, ' ') << wrap(text, indent, indent + hang) << "\n";
}

std::string count_findings(const Report& report) {
  std::array<std::uint64_t, 3> counts{};
  for (const Finding& finding : report.findings) ++counts[static_cast<std::size_t>(finding.severity())];
  std::string list;
  const auto add = [&](Severity severity, std::string_view one, std::string_view many) {
    const std::uint64_t count = counts[static_cast<std::size_t>(severity)];
    if (count > 0) list += (list.empty() ? "" : ", ") + counted(count, one, many);
  };
  add(Severity::error, "error", "errors");
  add(Severity::warning, "warning", "warnings");
  add(Severity::info, "note", "notes");
  return list;
}

void write_verdict(const Page& page) {
  constexpr std::array<std::string_view, 4> labels = {"OK", "WARNING", "ERROR", "UNKNOWN"};  // by JobStatus
  const Judgement judgement = judge(page.model, page.report);
  const std::string_view label = labels[static_cast<std::size_t>(judgement.status)];
  const std::size_t start = label.size() + 2;
  page.out << colored_label(page, label) << "  " << wrap(judgement.headline, start, start) << "\n";
  if (const std::string counts = count_findings(page.report); !counts.empty()) write_paragraph(page, counts, start);
}

// ---- job

/// Those that are apart first, then the largest; of communicators whose ranks have all come to one call the number
/// tells enough.
void write_progress(const Page& page) {
  std::vector<CallProgress> all = find_call_progress(page.model);
  const auto apart = [](const CallProgress& one) { return !one.behind.empty(); };
  std::stable_sort(all.begin(), all.end(), [&](const CallProgress& a, const CallProgress& b) {
    return std::tuple{!apart(a), -a.nranks} < std::tuple{!apart(b), -b.nranks};
  });
  const bool several = page.model.communicators.size() > 1;
  const std::size_t shown = page.options.verbose ? all.size() : std::min(all.size(), max_groups);
  for (std::size_t i = 0; i < shown; ++i)
    write_paragraph(page,
                    "Progress: " + progress_text(page.model, all[i]) +
                        (several && all[i].communicator >= 0
                             ? " (communicator " + communicator_name(page.model, all[i].communicator) + ")"
                             : ""),
                    2);
  if (shown == all.size()) return;
  const auto rest =
      static_cast<std::uint64_t>(std::count_if(all.begin() + static_cast<std::ptrdiff_t>(shown), all.end(), apart));
  page.out << "  Progress of " << counted(all.size() - shown, "other communicator", "other communicators") << ": "
           << (rest == 0 ? std::string{"all ranks at the same call"}
                         : "ranks of " + std::to_string(rest) + " are at different calls")
           << "\n";
}

void write_job(const Page& page) {
  if (page.model.processes.empty()) return;
  write_heading(page, "Job");
  if (const std::string jobs = describe_jobs(page.model); !jobs.empty()) write_paragraph(page, jobs, 2);
  write_paragraph(page, describe_processes(page.model), 2);
  const std::vector<std::string> hosts = describe_hosts(page.model);
  const std::size_t kinds = page.options.verbose ? hosts.size() : std::min(hosts.size(), max_groups);
  for (std::size_t i = 0; i < kinds; ++i) write_paragraph(page, hosts[i], 2);
  if (kinds < hosts.size())
    page.out << "  and " << counted(hosts.size() - kinds, "other kind", "other kinds") << " of host\n";
  if (page.options.verbose)
    for (const std::string& host : describe_nic_use(page.model)) write_paragraph(page, host, 2);
  if (const std::string pods = describe_pods(page.model); !pods.empty()) write_paragraph(page, pods, 2);
  for (const std::string& nodes : describe_nodes(page.model)) write_paragraph(page, nodes, 2);
  const std::vector<std::string> texts = describe_communicators(page.model, page.options.verbose);
  const std::size_t shown = page.options.verbose ? texts.size() : std::min(texts.size(), max_groups);
  for (std::size_t i = 0; i < shown; ++i) write_paragraph(page, texts[i], 2);
  if (shown < texts.size())
    page.out << "  and " << counted(texts.size() - shown, "other kind", "other kinds") << " of communicator\n";
  write_progress(page);
}

// ---- findings

std::string place_of(const Page& page, LineRef at) {
  const auto source = static_cast<std::size_t>(at.source);
  const bool named = source < page.model.sources.size() && !page.model.sources[source].name.empty();
  return (named ? visible(page.model.sources[source].name) : "input " + std::to_string(source)) + ":" +
         std::to_string(at.line);
}

void write_quote(const Page& page, LineRef at, std::string_view text, std::size_t indent) {
  const std::string place = place_of(page, at);
  const std::size_t column = indent + columns(place) + 2;
  page.out << std::string(indent, ' ') << colored(page, dim, place);
  if (!text.empty()) page.out << "  " << wrap(shortened(visible(text), max_quote_columns), column, indent + 4);
  page.out << "\n";
}

/// Lines whose text was kept come first: they prove more than a number.
void write_evidence(const Page& page, const Evidence& evidence) {
  std::vector<LineRef> lines = evidence.lines;
  std::erase_if(lines, [](LineRef at) { return at.line == 0; });
  std::stable_partition(lines.begin(), lines.end(), [&](LineRef at) { return !page.model.quote(at).empty(); });
  const std::size_t shown = std::min(lines.size(), max_quoted);
  for (std::size_t i = 0; i < shown; ++i) write_quote(page, lines[i], page.model.quote(lines[i]), 4);
  if (evidence.count > shown) page.out << "    ... and " << evidence.count - shown << " more\n";
}

/// Who is at fault, or else whom a finding touches: ranks and hosts.
std::string place_of(const Page& page, const Occurrence& occurrence) {
  std::string place = describe_suspects(page.model, occurrence);
  if (!place.empty()) return place;
  if (const std::string ranks = rank_set(occurrence.ranks); !ranks.empty())
    place = (ranks.find_first_of(",-") == std::string::npos ? "rank " : "ranks ") + shortened(ranks, 40);
  std::set<std::string_view> hosts;
  for (const Index process : occurrence.processes)
    if (process >= 0) hosts.insert(page.model.processes[static_cast<std::size_t>(process)].host);
  hosts.erase("");
  if (hosts.empty()) return place;
  place += place.empty() ? "on " : " on ";
  return place + std::string{*hosts.begin()} +
         (hosts.size() > 1 ? " and " + std::to_string(hosts.size() - 1) + " more" : "");
}

/// A note is one of several on a page that says "OK": where to look is enough.
void write_first_place(const Page& page, const Evidence& evidence, std::size_t indent = 4) {
  if (evidence.lines.empty() || evidence.lines.front().line == 0) return;
  page.out << std::string(indent, ' ') << colored(page, dim, place_of(page, evidence.lines.front()));
  if (evidence.count > 1) page.out << " and " << evidence.count - 1 << " more";
  page.out << "\n";
}

/// Each of them with what the log shows of it.
void write_suspects(const Page& page, const Occurrence& occurrence) {
  const auto& suspects = occurrence.suspects;
  if (suspects.size() < 2 && !page.options.verbose) return;
  const std::size_t shown = page.options.verbose ? suspects.size() : std::min(suspects.size(), max_quoted);
  for (std::size_t i = 0; i < shown; ++i) {
    const std::string who = address_text(address_of(page.model, suspects[i], occurrence.communicators));
    write_paragraph(
        page, (suspects[i].inferred ? "probably " : "") + who + (suspects[i].why.empty() ? "" : ": ") + suspects[i].why,
        4);
  }
  if (shown < suspects.size()) page.out << "    ... and " << suspects.size() - shown << " more\n";
}

/// Where a process stands can be asked of it while it is there: commands with what the log knows filled in. A command
/// is not broken over lines, for it will be copied.
void write_next(const Page& page, const Finding& finding) {
  const Stage stage = finding.stage();
  if (stage != Stage::hang && stage != Stage::process && stage != Stage::program) return;
  std::string_view label = "  Next:";
  std::size_t shown = 0;
  for (const Suspect& suspect : finding.occurrence.suspects) {
    if (shown == max_quoted) return;
    const std::string command = stack_command(address_of(page.model, suspect, finding.occurrence.communicators));
    if (command.empty()) continue;
    page.out << (shown++ == 0 ? colored(page, bold, label) : std::string(label.size(), ' ')) << " " << visible(command)
             << "\n";
  }
}

/// What to see and to leave: it goes with its cause.
void write_consequences(const Page& page, const Finding& finding) {
  if (finding.consequences.empty()) return;
  page.out << "  " << colored(page, bold, "Follows from it:") << "\n";
  for (const Finding& consequence : finding.consequences) {
    const Occurrence& occurrence = consequence.occurrence;
    write_paragraph(page,
                    std::string{consequence.rule->id}
                        .append(" ")
                        .append(consequence.rule->name)
                        .append(": ")
                        .append(occurrence.message),
                    4);
    if (page.options.verbose) {
      write_evidence(page, occurrence.evidence);
    } else {
      write_first_place(page, occurrence.evidence, 6);
    }
  }
}

void write_finding(const Page& page, const Finding& finding) {
  const RuleInfo& rule = *finding.rule;
  const Occurrence& occurrence = finding.occurrence;
  page.out << "\n"
           << colored_label(page, label_of(finding.severity())) << "  " << rule.id << " "
           << colored(page, bold, rule.name);
  const std::size_t start = label_of(finding.severity()).size() + 2 + rule.id.size() + 1 + rule.name.size() + 2;
  if (const std::string place = place_of(page, occurrence); !place.empty())
    page.out << "  " << wrap(place, start, start);
  page.out << "\n";
  write_paragraph(page, occurrence.message, 2, 0);
  if (finding.severity() == Severity::info && !page.options.verbose)
    return write_first_place(page, occurrence.evidence);
  if (page.options.verbose) page.out << wrap_markdown(rule.explanation, 2, "\n") << "\n";
  write_suspects(page, occurrence);
  write_evidence(page, occurrence.evidence);
  const std::string fix = wrap_markdown(occurrence.fix.empty() ? rule.fix : std::string_view{occurrence.fix}, 7, "\n");
  if (!fix.empty()) page.out << "  " << colored(page, bold, "Fix:") << fix.substr(6) << "\n";
  write_next(page, finding);
  write_consequences(page, finding);
}

/// Warnings that no rule knows and no finding quotes: they must not vanish behind a good verdict.
void write_other_warnings(const Page& page) {
  std::set<LineRef> quoted;
  const auto quote = [&](const Finding& finding) {
    quoted.insert(finding.occurrence.evidence.lines.begin(), finding.occurrence.evidence.lines.end());
  };
  for (const Finding& finding : page.report.findings) {
    quote(finding);
    std::for_each(finding.consequences.begin(), finding.consequences.end(), quote);
  }
  std::vector<const Incident*> others;
  for (const Incident& incident : page.model.incidents) {
    const auto& lines = incident.evidence.lines;
    if (incident.kind == IncidentKind::other_warning && !lines.empty() && !quoted.contains(lines.front()))
      others.push_back(&incident);
  }
  if (others.empty()) return;
  write_heading(page, "Warnings that no rule explains");
  const std::size_t shown = page.options.verbose ? others.size() : std::min(others.size(), max_quoted);
  for (std::size_t i = 0; i < shown; ++i) write_quote(page, others[i]->evidence.lines[0], others[i]->message, 2);
  if (shown < others.size()) page.out << "  ... and " << others.size() - shown << " more\n";
}

// ---- what was asked, and what was not

void write_checks(const Page& page) {
  if (page.report.checks.empty()) return;
  write_heading(page, "Checks");
  for (const Check& check : page.report.checks) {
    std::string line = std::string{to_string(check.status)};
    line.resize(std::max<std::size_t>(line.size(), 7), ' ');
    write_paragraph(page, line + "  " + check.check + (check.detail.empty() ? "" : ": " + check.detail), 2, 9);
  }
}

void write_not_evaluated(const Page& page) {
  std::vector<std::pair<std::string, std::string>> lines;  // the sentence, and the rules that it is about
  for (const NotEvaluated& item : page.report.not_evaluated) {
    std::string sentence = item.reason + (item.needs.empty() ? "" : "; needs " + item.needs);
    const auto same =
        std::find_if(lines.begin(), lines.end(), [&](const auto& line) { return line.first == sentence; });
    if (same == lines.end()) {
      lines.emplace_back(std::move(sentence), item.rule);
    } else {
      same->second += ", " + std::string{item.rule};
    }
  }
  if (lines.empty()) return;
  write_heading(page, "Not evaluated");
  for (const auto& [sentence, rules] : lines)
    write_paragraph(page, std::string{rules}.append(": ").append(sentence), 2);
}

/// Rounded down: 100 % is said only when nothing is unknown.
std::string recognized_share(const ParseStats& sum) {
  if (sum.unrecognized == 0) return "all recognised";
  const std::uint64_t tenths = 1000 * (sum.nccl_lines - sum.unrecognized) / sum.nccl_lines;
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " % recognised";
}

void write_samples(const Page& page) {
  const auto& samples = page.model.unrecognized;
  if (samples.empty()) return;
  page.out << "  not recognised, most frequent first:\n";
  const std::size_t shown = page.options.verbose ? samples.size() : std::min(samples.size(), max_quoted);
  for (std::size_t i = 0; i < shown; ++i)
    write_quote(page, samples[i].at, std::to_string(samples[i].count) + " x " + samples[i].text, 4);
  if (shown < samples.size()) page.out << "    ... and " << samples.size() - shown << " more\n";
}

void write_input(const Page& page) {
  const ParseStats sum = totals(page.model);
  const auto& sources = page.model.sources;
  std::string text = sources.size() == 1 ? sources[0].name : counted(sources.size(), "source", "sources");
  text += ": " + counted(sum.lines, "line", "lines") + ", " + counted(sum.nccl_lines, "NCCL line", "NCCL lines");
  if (sum.nccl_lines > 0) text += ", " + recognized_share(sum);
  const auto add = [&text](std::uint64_t count, std::string_view what) {
    if (count > 0) text += ", " + std::to_string(count) + " " + std::string{what};
  };
  add(sum.malformed, "without a readable prefix");
  add(sum.truncated, "too long and cut");
  add(sum.damage(Damage::torn), "torn");
  add(sum.damage(Damage::cut), "cut short");
  add(sum.damage(Damage::joined), "put together from several lines");
  std::uint64_t ambiguous = 0;
  for (const Ambiguity& ambiguity : page.model.ambiguities) ambiguous += ambiguity.lines;
  add(ambiguous, "that fit several communicators");
  add(page.model.dropped, "facts not kept because a limit was reached");
  write_heading(page, "Input");
  write_paragraph(page, text, 2);
  write_samples(page);
}

}  // namespace

void write_text(std::ostream& out, const Model& model, const Report& report, const TextOptions& options) {
  const Page page{out, model, report, options};
  write_verdict(page);
  write_job(page);
  for (const Finding& finding : report.findings) write_finding(page, finding);
  write_other_warnings(page);
  write_checks(page);
  write_not_evaluated(page);
  write_input(page);
}

}  // namespace nccl_analyze
