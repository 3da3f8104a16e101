// Explains a pasted line. The parser reads it as a log of one line, so that it may have any prefix or be cut off.

#include <algorithm>
#include <optional>
#include <ostream>
#include <string>
#include <utility>

#include "messages/meanings.h"
#include "nccl_analyze/analyzer.h"
#include "nccl_analyze/report.h"
#include "report/sentences/words.h"
#include "rules/topics.h"
#include "text/escape.h"
#include "text/wrap.h"

namespace nccl_analyze {

namespace {

/// What was recognised in a pasted line.
struct PastedLine {
  std::string message;  ///< Without its prefix.
  std::optional<Level> level;
  Analysis analysis;  ///< Of a log that consists of this line.
  KnownMessage known;
};

PastedLine parse_line(std::string_view text) {
  PastedLine line;
  AnalyzerOptions options;
  options.on_record = [&line](const Record& record) {
    if (!line.message.empty()) return;
    line.message = record.completed.empty() ? record.message : record.completed;
    line.level = record.level;
  };
  Analyzer analyzer(std::move(options));
  analyzer.feed("line", text);
  analyzer.feed("line", "\n");
  line.analysis = std::move(analyzer).finish();
  if (line.message.empty()) line.message = text;
  line.known = find_known_message(line.message);
  return line;
}

/// Parses the line. A known message without a prefix is parsed again with the prefix of a warning.
PastedLine read_line(std::string_view text) {
  PastedLine line = parse_line(text);
  const bool is_bare = line.known.meaning != nullptr && (!line.level || *line.level == Level::external);
  return is_bare ? parse_line(std::string("host:1:1 [0] NCCL WARN ").append(text)) : std::move(line);
}

/// Returns the first finding with an incident, which is the finding about the line; null if there is none.
const Finding* finding_about(const PastedLine& line) {
  const auto& findings = line.analysis.report.findings;
  const auto found = std::ranges::find_if(findings, [](const Finding& finding) { return !finding.incidents.empty(); });
  return found == findings.end() ? nullptr : &*found;
}

/// Returns the rule of the line's first incident that has a rule; null if there is none. In a complete log, this rule
/// would report the message.
const RuleInfo* rule_about(const PastedLine& line) {
  for (const Incident& incident : line.analysis.model.incidents)
    if (const Rule* const rule = find_rule(topic_of(incident).rule)) return &rule->info;
  return nullptr;
}

std::string releases_text(const KnownMessage& known) {
  if (known.since.empty() && known.until.empty()) return {};
  std::string text = "Printed by NCCL";
  if (!known.since.empty()) text.append(" from ").append(known.since);
  return text.append(known.until.empty() ? " on" : " to ").append(known.until).append(". ");
}

/// `is_note`: whether the rule about the message is one of severity info.
std::string_view part_text(MessageClass kind, bool is_note) {
  if (is_note && kind == MessageClass::cause) return "It is a notice and no failure by itself.";
  switch (kind) {
    case MessageClass::cause:
      return "It is a cause: the first that the library saw of the failure.";
    case MessageClass::failure:
      return "It is a cause: the first that the library saw of the failure, after which its call always fails.";
    case MessageClass::echo:
      return "It is an echo: the cause stands before it, or in the log of another rank.";
    case MessageClass::fallback:
      return "It is no failure by itself: the library goes on.";
    case MessageClass::harmless:
      return "It is harmless.";
  }
  return {};
}

class LinePage {
 public:
  LinePage(std::ostream& out, const TextOptions& options) : out_(out), options_(options) {}

  bool write(const PastedLine& line) {
    const Finding* const finding = finding_about(line);
    const RuleInfo* const rule = finding != nullptr ? finding->rule : rule_about(line);
    if (line.known.wording.empty() && rule == nullptr) return write_nearest(line), false;
    if (line.known.meaning != nullptr) add(line.known.meaning->text);
    std::string facts = releases_text(line.known);
    if (line.known.meaning != nullptr)
      facts += part_text(line.known.meaning->kind, rule != nullptr && rule->severity == Severity::info);
    if (!facts.empty()) add(facts);
    if (line.known.meaning == nullptr && rule == nullptr) add("It is no sign of a fault.");
    if (rule != nullptr) write_rule(finding, *rule);
    return true;
  }

 private:
  void add(std::string_view markdown) {
    out_ << (std::exchange(is_begun_, true) ? "\n" : "")
         << wrap_markdown(markdown, 0, "\n", options_.columns, options_.color) << "\n";
  }

  void write_rule(const Finding* finding, const RuleInfo& rule) {
    add(std::string(rule.id).append(" ").append(rule.name).append(": ").append(
        finding == nullptr ? std::string(rule.words->title) : visible(finding->shown_title())));
    const std::string steps = finding == nullptr ? std::string(rule.words->fix) : fix_of(*finding);
    out_ << wrap_markdown(steps, 0, "\n", options_.columns, options_.color) << "\n";
  }

  void write_nearest(const PastedLine& line) {
    constexpr std::size_t most = 3;
    const std::vector<const Meaning*> nearest = nearest_meanings(line.message, most);
    add(nearest.empty() ? "No message of NCCL, of a plugin or of a framework that is known resembles this line."
                        : "This line is not known. The nearest messages:");
    for (const Meaning* meaning : nearest)
      add(std::string("`").append(meaning->wording).append("`\n").append(meaning->text));
  }

  std::ostream& out_;
  const TextOptions& options_;
  bool is_begun_ = false;
};

}  // namespace

bool write_line_page(std::ostream& out, std::string_view line, const TextOptions& options) {
  return LinePage(out, options).write(read_line(line));
}

}  // namespace nccl_analyze
