// Writes a finding: its place, evidence, fix and consequences.

#include "report/text/findings.h"

#include <algorithm>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "nccl_analyze/rule_parts.h"
#include "report/sentences/finding_list.h"
#include "report/sentences/verdict.h"
#include "report/sentences/words.h"
#include "text/escape.h"
#include "text/host_list.h"
#include "text/wrap.h"

namespace nccl_analyze {
namespace {

void write_evidence(const Page& page, const Evidence& evidence) {
  const std::vector<LineRef> lines = quoted_lines(page.model, evidence, max_quoted);
  std::optional<SourceId> above;
  for (const LineRef at : lines) {
    write_quote(page, at, page.model.quote(at), 4, above);
    above = at.source;
  }
  if (evidence.count > lines.size()) page.out << "    ... and " << evidence.count - lines.size() << " more\n";
}

/// Writes the place of the first evidence line, without its text.
void write_first_place(const Page& page, const Evidence& evidence, std::size_t indent = 4) {
  if (evidence.lines.empty() || evidence.lines.front().line == 0) return;
  const LineRef first = evidence.lines.front();
  page.out << std::string(indent, ' ') << linked(page, first, colored(page, dim, place_of(page.model, first)));
  if (evidence.count > 1) page.out << " and " << evidence.count - 1 << " more";
  page.out << "\n";
}

/// Writes the suspects with the reasons to suspect them: all if verbose, else the first ones, and only if there are
/// several and singles_out() is true.
void write_suspects(const Page& page, const Finding& finding) {
  const auto& suspects = finding.suspects;
  if (!page.options.verbose && (suspects.size() < 2 || !singles_out(finding))) return;
  const std::size_t shown = page.options.verbose ? suspects.size() : std::min(suspects.size(), max_quoted);
  const std::vector<std::string> texts = describe_each_suspect(page.model, finding);
  for (std::size_t i = 0; i < shown; ++i) write_paragraph(page, texts[i], 4);
  if (shown < suspects.size()) page.out << "    ... and " << suspects.size() - shown << " more\n";
}

/// Writes each command on one line, because readers copy it.
void write_next(const Page& page, const Finding& finding) {
  constexpr std::string_view label = "  Next:";
  bool first = true;
  for (const std::string& command : stack_commands_of(page.model, finding, max_quoted)) {
    page.out << (first ? colored(page, bold, label) : std::string(label.size(), ' ')) << " " << visible(command)
             << "\n";
    first = false;
  }
}

/// Writes the consequences, which need no fix: they disappear with their cause.
void write_consequences(const Page& page, const Finding& finding) {
  std::string last;
  for (const Finding& consequence : finding.consequences) {
    if (const std::string relation = relation_of(finding, consequence); relation != std::exchange(last, relation))
      page.out << "  " << colored(page, bold, relation + ":") << "\n";
    write_paragraph(page,
                    std::string{consequence.rule->id}
                        .append(" ")
                        .append(consequence.rule->name)
                        .append(": ")
                        .append(consequence.message),
                    4);
    if (page.options.verbose) {
      write_evidence(page, consequence.evidence);
    } else {
      write_first_place(page, consequence.evidence, 6);
    }
  }
}

/// Writes what the messages of the evidence mean.
void write_meanings(const Page& page, const Finding& finding) {
  const Meaning* last = nullptr;
  for (const LineRef at : finding.evidence.lines) {
    const Meaning* const meaning = meaning_at(page.model, finding, at);
    if (meaning != nullptr && meaning != last)
      page.out << wrap_markdown(meaning->text, 4, "\n", page.options.columns, page.options.color) << "\n";
    last = meaning;
  }
}

/// Writes the first four steps, or with -v all steps.
void write_fix(const Page& page, const Finding& finding) {
  constexpr std::size_t most = 4, indent = 7;
  const std::size_t count = steps_of(finding).size(), shown = page.options.verbose ? count : std::min(count, most);
  const std::string fix = wrap_markdown(fix_of(finding, shown), indent, "\n", page.options.columns, page.options.color);
  if (fix.empty()) return;
  page.out << "  " << colored(page, bold, "Fix:") << fix.substr(indent - 1) << "\n";
  if (shown < count)
    write_paragraph(
        page, "and " + std::to_string(count - shown) + " more: nccl-analyze explain " + std::string{finding.rule->id},
        indent);
}

}  // namespace

void write_finding(const Page& page, const Finding& finding, const Finding* as_for) {
  const RuleInfo& rule = *finding.rule;
  page.out << "\n"
           << colored_label(page, label_of(finding.severity())) << "  " << rule.id << " "
           << colored(page, bold, rule.name);
  const std::size_t start = label_of(finding.severity()).size() + 2 + rule.id.size() + 1 + rule.name.size() + 2;
  if (const std::string place = describe_place(page.model, finding); !place.empty())
    page.out << "  " << wrap(place, start, start, page.options.columns);
  page.out << "\n";
  write_paragraph(page, finding.message, 2, 0);
  if (finding.severity() == Severity::info && !page.options.verbose) return write_first_place(page, finding.evidence);
  if (page.options.verbose)
    page.out << wrap_markdown(rule.words->explanation, 2, "\n", page.options.columns, page.options.color) << "\n";
  write_suspects(page, finding);
  write_evidence(page, finding.evidence);
  if (page.options.verbose) write_meanings(page, finding);
  if (as_for != nullptr) {
    page.out << "  " << colored(page, bold, "Fix:") << " as for " << as_for->rule->id << " above\n";
  } else {
    write_fix(page, finding);
  }
  write_next(page, finding);
  write_consequences(page, finding);
}

void write_notes_like(const Page& page, const std::vector<const Finding*>& others) {
  if (others.empty()) return;
  std::vector<std::string> names;
  for (const Finding* const other : others)
    for (const Index communicator : other->communicators) names.push_back(communicator_name(page.model, communicator));
  std::string text = "and " + std::to_string(others.size()) + " more of its kind";
  if (!names.empty())
    text += ", for " + std::string{names.size() == 1 ? "communicator " : "communicators "} +
            fold_host_list({names.begin(), names.end()}, max_quoted);
  write_paragraph(page, text + " (-v shows them)", 4);
}

void write_other_warnings(const Page& page) {
  for (const auto& [title, others] : unexplained_lines(page.model, page.report)) {
    write_heading(page, title);
    const std::size_t shown = page.options.verbose ? others.size() : std::min(others.size(), max_quoted);
    for (std::size_t i = 0; i < shown; ++i) write_quote(page, others[i]->evidence.lines[0], others[i]->message, 2);
    if (shown < others.size()) page.out << "  ... and " << others.size() - shown << " more\n";
  }
}

}  // namespace nccl_analyze
