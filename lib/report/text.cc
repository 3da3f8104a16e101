// The report for people: the verdict first, then the job, the findings with their proof, and what was not judged.

#include <algorithm>
#include <map>
#include <ostream>
#include <string>
#include <vector>

#include "nccl_analyze/export.h"
#include "report/text_findings.h"
#include "report/text_page.h"
#include "report/verdict.h"
#include "report/words.h"
#include "report/wrap.h"

namespace nccl_analyze {
namespace {

void write_verdict(const Page& page) {
  const Judgement judgement = judge(page.model, page.report);
  const std::string_view label = label_of(judgement.status);
  const std::size_t start = label.size() + 2;
  page.out << colored_label(page, label) << "  " << wrap(judgement.headline, start, start, page.options.columns)
           << "\n";
  if (const std::string counts = count_findings(page.report); !counts.empty()) write_paragraph(page, counts, start);
}

void write_job(const Page& page) {
  if (page.model.processes.empty()) return;
  for (const JobPart& part : describe_job(page.model, page.report, page.options.verbose)) {
    write_heading(page, part.title);
    for (const std::string& line : part.lines) write_paragraph(page, line, 2);
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
  // An excerpt answers few of them: their names are enough.
  std::string unknown;
  std::size_t count = 0;
  for (const Check& check : page.report.checks) {
    if (check.status != CheckStatus::unknown) continue;
    unknown += (count++ > 0 ? ", " : "") + check.check;
  }
  const bool is_short = count > max_quoted && !page.options.verbose;
  for (const Check& check : page.report.checks)
    if (!is_short || check.status != CheckStatus::unknown)
      write_check(check.status, check.check + (check.detail.empty() ? "" : ": " + check.detail));
  if (is_short) write_check(CheckStatus::unknown, unknown + ": nothing in this input tells (-v: what is missing)");
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
  write_samples(page);
}

}  // namespace

void write_text(std::ostream& out, const Model& model, const Report& report, const TextOptions& options) {
  const Page page{out, model, report, options};
  write_verdict(page);
  write_job(page);
  std::map<std::string_view, const Finding*> fixes;
  for (const Finding& finding : report.findings) {
    const Finding*& first = fixes[fix_of(finding)];
    write_finding(page, finding, first);
    const bool is_shown = options.verbose || finding.severity() != Severity::info;
    if (first == nullptr && is_shown) first = &finding;
  }
  write_other_warnings(page);
  write_checks(page);
  write_not_evaluated(page);
  write_input(page);
}

}  // namespace nccl_analyze
