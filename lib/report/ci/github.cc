// Writes findings as workflow commands of GitHub Actions.

#include <algorithm>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "nccl_analyze/report.h"
#include "report/sentences/finding_list.h"
#include "report/sentences/verdict.h"
#include "report/sentences/words.h"
#include "text/escape.h"
#include "text/phrases.h"

namespace nccl_analyze {
namespace {

/// GitHub shows ten annotations of a level for a step, in the order of output. The tenth states the number of other
/// findings.
constexpr std::size_t max_annotations = 9;

std::string_view command_of(Severity severity) {
  constexpr std::string_view commands[] = {"notice", "warning", "error"};
  return commands[static_cast<std::size_t>(severity)];
}

/// Escapes text for a message of a workflow command: a line break would begin another command.
std::string message_text(std::string_view raw) {
  std::string out;
  std::string_view rest = raw;
  while (true) {
    const std::size_t end = rest.find('\n');
    for (const char c : visible(rest.substr(0, end))) out += c == '%' ? std::string("%25") : std::string(1, c);
    if (end == std::string_view::npos) return out;
    out += "%0A";
    rest.remove_prefix(end + 1);
  }
}

/// Escapes text for a property of a workflow command, which a colon or a comma would end.
std::string property_text(std::string_view raw) {
  std::string out;
  for (const char c : message_text(raw)) {
    if (c == ':')
      out += "%3A";
    else if (c == ',')
      out += "%2C";
    else
      out += c;
  }
  return out;
}

void write_annotation(std::ostream& out, const Model& model, const ListedFinding& listed) {
  const Finding& finding = *listed.finding;
  out << "::" << command_of(finding.severity()) << ' ';
  const std::vector<LineRef> lines = quoted_lines(model, finding.evidence, 1);
  if (!lines.empty())
    out << "file=" << property_text(path_of(model, lines.front())) << ",line=" << model.place_in_source(lines.front())
        << ',';
  out << "title=" << property_text(std::string{finding.rule->id}.append(" ").append(finding.rule->name))
      << "::" << message_text(message_of(listed));
  if (listed.cause == nullptr && finding.severity() != Severity::info)
    out << message_text(std::string{"\nFix: "}.append(fix_of(finding)));
  out << '\n';
}

}  // namespace

void write_github(std::ostream& out, const Model& model, const Report& report) {
  std::vector<ListedFinding> listed = list_findings(report);
  std::stable_partition(listed.begin(), listed.end(), [](const ListedFinding& one) { return one.cause == nullptr; });
  const std::size_t shown = std::min(listed.size(), max_annotations);
  for (std::size_t i = 0; i < shown; ++i) write_annotation(out, model, listed[i]);
  if (shown < listed.size())
    out << "::notice title=nccl-analyze::and " << count_text(listed.size() - shown, "more finding") << '\n';
  if (listed.empty()) {
    const Judgement verdict = judge(model, report);
    out << "::notice title=nccl-analyze::" << label_of(verdict.status) << "  " << message_text(verdict.headline)
        << '\n';
  }
}

}  // namespace nccl_analyze
