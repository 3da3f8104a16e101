// A finding for people: whom it is about, its proof, what to do, and what follows from it.

#include "report/text_findings.h"

#include <algorithm>
#include <ostream>
#include <set>
#include <string>
#include <vector>

#include "report/escape.h"
#include "report/verdict.h"
#include "report/wrap.h"
#include "rules/address.h"

namespace nccl_analyze {
namespace {

std::string_view label_of(Severity severity) {
  return severity == Severity::error ? "ERROR" : severity == Severity::warning ? "WARNING" : "INFO";
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
  if (!page.options.verbose && (suspects.size() < 2 || !singles_out(occurrence))) return;
  const std::size_t shown = page.options.verbose ? suspects.size() : std::min(suspects.size(), max_quoted);
  for (std::size_t i = 0; i < shown; ++i) {
    const std::string who = address_text(address_of(page.model, suspects[i], occurrence.communicators));
    write_paragraph(
        page, (suspects[i].inferred ? "probably " : "") + who + (suspects[i].why.empty() ? "" : ": ") + suspects[i].why,
        4);
  }
  if (shown < suspects.size()) page.out << "    ... and " << suspects.size() - shown << " more\n";
}

/// Where a process stands can be asked of it while it is there, which one that failed is not: commands with what the
/// log knows filled in. A command is not broken over lines, for it will be copied.
void write_next(const Page& page, const Finding& finding) {
  const Stage stage = finding.stage();
  if (stage != Stage::hang && stage != Stage::process) return;
  if (finding.rule->name == "process-died") return;
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

}  // namespace

void write_finding(const Page& page, const Finding& finding) {
  const RuleInfo& rule = *finding.rule;
  const Occurrence& occurrence = finding.occurrence;
  page.out << "\n"
           << colored_label(page, label_of(finding.severity())) << "  " << rule.id << " "
           << colored(page, bold, rule.name);
  const std::size_t start = label_of(finding.severity()).size() + 2 + rule.id.size() + 1 + rule.name.size() + 2;
  if (const std::string place = describe_place(page.model, occurrence); !place.empty())
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

void write_other_warnings(const Page& page) {
  std::vector<const Incident*> others;
  for (const Index index : page.report.unexplained_warnings) {
    const Incident& incident = page.model.incidents[static_cast<std::size_t>(index)];
    if (!incident.evidence.lines.empty()) others.push_back(&incident);
  }
  if (others.empty()) return;
  write_heading(page, "Warnings that no rule explains");
  const std::size_t shown = page.options.verbose ? others.size() : std::min(others.size(), max_quoted);
  for (std::size_t i = 0; i < shown; ++i) write_quote(page, others[i]->evidence.lines[0], others[i]->message, 2);
  if (shown < others.size()) page.out << "  ... and " << others.size() - shown << " more\n";
}

}  // namespace nccl_analyze
