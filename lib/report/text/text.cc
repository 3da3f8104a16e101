// Writes the text report: the verdict, the job, the findings with their evidence, and what was not evaluated.

#include <algorithm>
#include <map>
#include <ostream>
#include <sstream>
#include <string>
#include <vector>

#include "nccl_analyze/report.h"
#include "report/sentences/failures.h"
#include "report/sentences/next_steps.h"
#include "report/sentences/outcome.h"
#include "report/sentences/verdict.h"
#include "report/sentences/words.h"
#include "report/text/acceptance.h"
#include "report/text/findings.h"
#include "report/text/page.h"
#include "text/escape.h"
#include "text/wrap.h"

namespace nccl_analyze {
namespace {

void write_verdict(const Page& page) {
  const Judgement judgement = judge(page.model, page.report);
  const std::string_view label = label_of(judgement.status);
  const std::size_t start = label.size() + 2;
  page.out << colored_label(page, label) << "  " << wrap(judgement.headline, start, start, page.options.columns)
           << "\n";
  if (const std::string counts = count_findings(page.report); !counts.empty()) write_paragraph(page, counts, start);
  if (const std::string end = describe_outcome(page.model, outcome_of(page.model, page.report)); !end.empty())
    write_paragraph(page, end, start);
}

void write_job(const Page& page) {
  for (const JobPart& part : describe_job(page.model, page.report, page.options.verbose)) {
    write_heading(page, part.title);
    for (const std::string& line : part.lines) write_paragraph(page, line, 2);
  }
}

bool is_folded(const Page& page, const Finding& finding) {
  return finding.severity() == Severity::info && !page.options.verbose;
}

/// Returns the key of similar notes: the rule and the message without words that contain digits, such as numbers and
/// host names.
std::string likeness_of(const Finding& finding) {
  std::string likeness{finding.rule->id};
  std::istringstream words(finding.message);
  for (std::string word; words >> word;)
    if (word.find_first_of("0123456789") == std::string::npos) likeness.append(" ").append(word);
  return likeness;
}

/// Groups similar notes: maps the first note of each group, which is shown, to the others, which are only counted.
std::map<const Finding*, std::vector<const Finding*>> notes_by_first(const Page& page) {
  std::map<std::string, const Finding*> first;
  std::map<const Finding*, std::vector<const Finding*>> notes;
  for (const Finding& finding : page.report.findings) {
    if (!is_folded(page, finding)) continue;
    const auto [place, is_new] = first.try_emplace(likeness_of(finding), &finding);
    std::vector<const Finding*>& others = notes[place->second];
    if (!is_new) others.push_back(&finding);
  }
  return notes;
}

/// Whether nothing in the input is about the check. For other unknown checks, the report states what is known.
bool is_untold(const Check& check) {
  return check.status == CheckStatus::unknown && (check.detail.empty() || check.detail.starts_with("no "));
}

/// Writes the failures, if there are several. A single failure is already shown by its finding.
void write_failures(const Page& page) {
  const FailureList list = list_failures(page.model, page.report);
  if (list.failures.size() < 2) return;
  write_heading(page, std::string("Failures, ").append(about(list.order)));
  const std::vector<std::vector<std::string>> rows = failure_rows(page.model, list);
  const std::size_t shown = page.options.verbose ? rows.size() : std::min(rows.size(), max_quoted);
  for (std::size_t i = 0; i < shown; ++i) {
    const std::string mark = rows[i][0].empty() ? "       " : "first  ";
    write_paragraph(page, mark + rows[i][1] + "  " + visible(rows[i][2]) + ": " + visible(rows[i][3]), 2, 9);
  }
  if (shown < rows.size())
    page.out << "         and " << rows.size() - shown << " more (nccl-analyze ranks --failed)\n";
}

/// Writes each command on a line of its own, because readers copy it. A command that is part of a fix above is only
/// mentioned.
void write_next_steps(const Page& page) {
  const std::vector<NextStep> steps = next_steps(page.model, page.report);
  if (steps.empty()) return;
  write_heading(page, "Next");
  for (const NextStep& step : steps) {
    if (step.in_fix) {
      write_paragraph(page, step.why + ": the command of its fix, above", 2);
      continue;
    }
    write_paragraph(page, step.why + ":", 2);
    page.out << "    " << visible(step.command) << "\n";
  }
}

void write_checks(const Page& page) {
  if (page.report.checks.empty()) return;
  write_heading(page, "Checks");
  const auto write_check = [&page](CheckStatus status, const std::string& text) {
    std::string line{to_string(status)};
    line.resize(std::max<std::size_t>(line.size(), 7), ' ');
    write_paragraph(page, line + "  " + text, 2, 9);
  };
  // Most checks of a log excerpt are unknown. The checks about which the input shows nothing are therefore only named,
  // in one line.
  std::string unknown;
  std::size_t count = 0;
  for (const Check& check : page.report.checks) {
    if (!is_untold(check)) continue;
    unknown += (count++ > 0 ? ", " : "") + check.check;
  }
  const bool is_short = count > max_quoted && !page.options.verbose;
  for (const Check& check : page.report.checks)
    if (!is_short || !is_untold(check))
      write_check(check.status, check.check + (check.detail.empty() ? "" : ": " + check.detail));
  if (is_short) write_check(CheckStatus::unknown, unknown + ": not answered by this input (-v: what is missing)");
}

void write_not_evaluated(const Page& page) {
  const std::vector<std::string> lines = describe_not_evaluated(page.report);
  if (lines.empty()) return;
  write_heading(page, "Not evaluated");
  for (const std::string& line : lines) write_paragraph(page, line, 2);
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
  write_heading(page, "Input");
  write_paragraph(page, describe_input(page.model), 2);
  for (const std::string& line : describe_gaps(page.model)) write_paragraph(page, line, 2);
  write_samples(page);
}

}  // namespace

void write_text(std::ostream& out, const Model& model, const Report& report, const TextOptions& options) {
  const Page page{out, model, report, options};
  write_verdict(page);
  write_acceptance(page);
  write_job(page);
  const std::map<const Finding*, std::vector<const Finding*>> notes = notes_by_first(page);
  std::map<std::string, const Finding*> fixes;
  for (const Finding& finding : report.findings) {
    const auto note = notes.find(&finding);
    if (is_folded(page, finding) && note == notes.end()) continue;  // covered by the first note of its group
    const Finding*& first = fixes[fix_of(finding)];
    write_finding(page, finding, first);
    const bool is_shown = options.verbose || finding.severity() != Severity::info;
    if (first == nullptr && is_shown) first = &finding;
    if (note != notes.end()) write_notes_like(page, note->second);
  }
  write_other_warnings(page);
  write_failures(page);
  write_checks(page);
  write_not_evaluated(page);
  write_input(page);
  write_next_steps(page);
}

}  // namespace nccl_analyze
