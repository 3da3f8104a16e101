// The report for people: the verdict first, then the job, the findings with their proof, and what was not judged.

#include <algorithm>
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
  page.out << colored_label(page, label) << "  " << wrap(judgement.headline, start, start) << "\n";
  if (const std::string counts = count_findings(page.report); !counts.empty()) write_paragraph(page, counts, start);
}

void write_job(const Page& page) {
  if (page.model.processes.empty()) return;
  write_heading(page, "Job");
  for (const std::string& line : describe_job(page.model, page.report, page.options.verbose))
    write_paragraph(page, line, 2);
}

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
  for (const Finding& finding : report.findings) write_finding(page, finding);
  write_other_warnings(page);
  write_checks(page);
  write_not_evaluated(page);
  write_input(page);
}

}  // namespace nccl_analyze
