// The report for people: the verdict first, then the job, the findings with their proof, and what was not judged.

#include <algorithm>
#include <array>
#include <ostream>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "nccl_analyze/export.h"
#include "report/text_findings.h"
#include "report/text_hosts.h"
#include "report/text_job.h"
#include "report/text_page.h"
#include "report/verdict.h"
#include "report/wrap.h"
#include "rules/address.h"
#include "rules/progress.h"

namespace nccl_analyze {
namespace {

constexpr std::size_t max_groups = 4;

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
  const std::vector<std::string> jobs = describe_jobs(page.model, page.report);
  for (const std::string& job : jobs) write_paragraph(page, job, 2);
  if (jobs.empty()) write_paragraph(page, describe_processes(page.model), 2);
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
  if (const std::string paths = describe_paths(page.model); !paths.empty()) write_paragraph(page, "Paths: " + paths, 2);
  write_progress(page);
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
