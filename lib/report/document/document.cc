// Arranges a report into the blocks of a document and limits the length of each part.

#include "report/document/document.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

#include "nccl_analyze/rule_parts.h"
#include "report/document/acceptance.h"
#include "report/document/tables.h"
#include "report/graph/graph_view.h"
#include "report/sentences/failures.h"
#include "report/sentences/finding_list.h"
#include "report/sentences/next_steps.h"
#include "report/sentences/outcome.h"
#include "report/sentences/paths.h"
#include "report/sentences/phrases.h"
#include "report/sentences/verdict.h"
#include "report/sentences/words.h"
#include "text/escape.h"

namespace nccl_analyze {
namespace {

constexpr std::size_t max_lines = 5;    // quoted lines of evidence, enough to prove a finding
constexpr std::size_t max_quote = 400;  // in columns
constexpr std::size_t max_suspects = 5, max_commands = 3, max_warnings = 20, max_notes = 50, max_sources = 20;
constexpr std::size_t max_ranks = 4096, max_communicators = 512, max_settings = 1024, max_drawn = 8;
constexpr std::size_t max_ticket_failures = 10;
constexpr std::size_t max_nodes = 512, max_ticket_nodes = 20;  // in rows; a row stands for all nodes with equal results

class Document {
 public:
  Document(const Model& model, const Report& report, Extent extent) : model_(model), report_(report), extent_(extent) {}

  std::vector<Block> build() {
    write_verdict();
    if (report_.acceptance)
      std::ranges::move(acceptance_blocks(*report_.acceptance, extent_ == Extent::page ? max_nodes : max_ticket_nodes),
                        std::back_inserter(blocks_));
    for (const Finding& finding : report_.findings)
      if (finding.severity() != Severity::info) write_finding(finding);
    write_failures();
    write_next_steps();
    write_job();
    if (extent_ == Extent::page) {
      write_graph();
      write_timeline();
    }
    add(Heading{2, {}, {.strong = "Notes, checks and input", .text = {}}, "input"});
    write_notes();
    write_warnings();
    write_checks();
    write_list("Not evaluated", describe_not_evaluated(report_));
    write_input();
    return std::move(blocks_);
  }

 private:
  template <class Content>
  void add(Content content) {
    blocks_.push_back({std::move(content)});
  }
  void add_paragraph(std::string text, std::string strong = {}) {
    add(Paragraph{{.strong = std::move(strong), .text = std::move(text)}});
  }

  /// Calls `fill` and moves the blocks that it added into a collapsible section.
  template <class Fill>
  void fold(std::string title, std::string about, Fill fill, std::string anchor = {}) {
    std::vector<Block> outside = std::exchange(blocks_, {});
    fill();
    std::vector<Block> inside = std::exchange(blocks_, std::move(outside));
    add(Fold{{.strong = std::move(title), .text = std::move(about)}, std::move(inside), std::move(anchor)});
  }

  static std::string title_of(const Finding& finding) {
    return std::string{finding.rule->id}.append(" ").append(finding.rule->name);
  }

  /// Returns a unique anchor, `NCA302-1`: the rule and the finding's number among all findings of this rule.
  std::string anchor_of(const Finding& finding) {
    return std::string{finding.rule->id} + "-" + std::to_string(++anchors_[finding.rule->id]);
  }

  void write_verdict() {
    const Judgement judgement = judge(model_, report_);
    add(Heading{1, label_of(judgement.status), {{}, judgement.headline}, {}});
    if (!report_.findings.empty() && report_.findings.front().severity() != Severity::info) {
      const Finding& first = report_.findings.front();
      // The headline already names a single suspect.
      const bool is_named = first.suspects.size() == 1 && first.suspects.front().why.empty();
      if (singles_out(first) && !is_named) add_suspects(first, "Look first at");
    }
    if (std::string counts = count_findings(report_); !counts.empty()) add_paragraph(std::move(counts));
    if (std::string end = describe_outcome(model_, outcome_of(model_, report_)); !end.empty())
      add_paragraph(std::move(end));
  }

  void add_suspects(const Finding& finding, std::string_view title) {
    std::vector<std::string> texts = describe_each_suspect(model_, finding);
    std::erase(texts, "");
    if (texts.empty()) return;
    add_paragraph("", std::string{title});
    const std::size_t shown = std::min(texts.size(), max_suspects);
    List list;
    for (std::size_t i = 0; i < shown; ++i) list.items.push_back({{}, std::move(texts[i])});
    if (shown < texts.size()) list.items.push_back({{}, "and " + std::to_string(texts.size() - shown) + " more"});
    add(std::move(list));
  }

  void write_job() {
    std::vector<JobPart> parts = describe_job(model_, report_, false);
    if (parts.empty()) return;
    add(Heading{2, {}, {.strong = "Job", .text = {}}, "job"});
    for (JobPart& part : parts) {
      if (part.title != "Job") add_paragraph("", std::string{part.title});
      add_list(std::move(part.lines));
    }
    if (extent_ == Extent::page) write_tables();
  }

  void write_tables() {
    const Communicator* const largest = widest_communicator(model_);
    if (largest != nullptr) {
      const auto index = static_cast<Index>(largest - model_.communicators.data());
      fold(
          "Ranks of communicator " + communicator_name(model_, index), std::to_string(largest->ranks.size()),
          [&] {
            add(ranks_table(model_, report_, index, max_ranks));
            add_left_out(largest->ranks.size(), max_ranks, "rank", "ranks");
          },
          "ranks");
    }
    if (model_.communicators.size() > 1)
      fold(
          "Communicators", std::to_string(model_.communicators.size()),
          [&] {
            add(communicators_table(model_, max_communicators));
            add_left_out(model_.communicators.size(), max_communicators, "communicator", "communicators");
          },
          "communicators");
    if (TableBlock settings = settings_table(model_); !settings.rows.empty())
      fold(
          "Settings", std::to_string(settings.rows.size()),
          [&] {
            const std::size_t all = settings.rows.size();
            if (all > max_settings) settings.rows.resize(max_settings);
            add(std::move(settings));
            add_left_out(all, max_settings, "setting", "settings");
          },
          "settings");
  }

  void write_graph() {
    std::vector<Index> drawn = drawn_communicators(model_, max_drawn);
    if (drawn.empty()) return;
    const auto all = static_cast<std::size_t>(std::count_if(model_.communicators.begin(), model_.communicators.end(),
                                                            [](const Communicator& comm) { return comm.nranks > 1; }));
    const std::size_t others = all - std::min(all, drawn.size());
    add(Heading{2, {}, {.strong = "Graph", .text = {}}, "graph"});
    add(Graph{std::move(drawn)});
    if (others > 0)
      add_paragraph("and " + count_text(others, "other communicator", "other communicators") +
                    ": --format html --comm NAME draws one");
  }

  void write_timeline() {
    Timeline timeline = timeline_of(model_, &report_);
    if (timeline.to <= timeline.from) return;
    add(Heading{2, {}, {.strong = "Time line", .text = {}}, "timeline"});
    add(TimelinePicture{std::move(timeline)});
  }

  void add_left_out(std::size_t all, std::size_t shown, std::string_view one, std::string_view many) {
    if (all > shown)
      add_paragraph("and " + count_text(all - shown, "other " + std::string{one}, "other " + std::string{many}) +
                    ", which --format json holds");
  }

  void add_list(std::vector<std::string> texts) {
    List list;
    for (std::string& text : texts) list.items.push_back({{}, std::move(text)});
    add(std::move(list));
  }

  void write_list(std::string_view title, std::vector<std::string> texts) {
    if (texts.empty()) return;
    fold(std::string{title}, "", [&] { add_list(std::move(texts)); });
  }

  std::string quoted(LineRef at, std::string_view text) const {
    std::string line = place_of(model_, at);
    if (!text.empty()) line.append(": ").append(truncated(visible(text), max_quote));
    return line;
  }

  void add_evidence(const Evidence& evidence) {
    Verbatim quotes;
    const std::vector<LineRef> lines = quoted_lines(model_, evidence, max_lines);
    if (lines.empty()) return;
    for (const LineRef at : lines) quotes.lines.push_back(quoted(at, model_.quote(at)));
    if (evidence.count > lines.size())
      quotes.lines.push_back("... and " + std::to_string(evidence.count - lines.size()) + " more");
    add(std::move(quotes));
  }

  /// Adds what the messages of the evidence mean, each meaning once.
  void add_meanings(const Finding& finding) {
    std::vector<std::string> texts;
    for (const LineRef at : quoted_lines(model_, finding.evidence, max_lines))
      if (const Meaning* const meaning = meaning_at(model_, finding, at))
        if (std::string text(meaning->text); std::ranges::find(texts, text) == texts.end())
          texts.push_back(std::move(text));
    for (const std::string& text : texts) add(Advice{text});
  }

  void write_finding(const Finding& finding) {
    const RuleInfo& rule = *finding.rule;
    add(Heading{2,
                label_of(finding.severity()),
                {.strong = title_of(finding), .text = describe_place(model_, finding)},
                anchor_of(finding)});
    add_paragraph(finding.message);
    if (finding.suspects.size() > 1 && singles_out(finding) && &finding != report_.findings.data())
      add_suspects(finding, "Suspects");
    add_evidence(finding.evidence);
    add_meanings(finding);
    add_paragraph("", "Fix");
    add(Advice{fix_of(finding)});
    if (std::vector<std::string> commands = stack_commands_of(model_, finding, max_commands); !commands.empty()) {
      for (std::string& command : commands) command = visible(command);
      add_paragraph("", "Next");
      add(Verbatim{std::move(commands), true});
    }
    for (const Finding& consequence : finding.consequences)
      fold(relation_of(finding, consequence), title_of(consequence), [&] {
        add_paragraph(consequence.message);
        add_evidence(consequence.evidence);
      });
    fold("What it means", "", [&] { add(Advice{std::string(rule.words->explanation)}); });
  }

  /// Writes the table of failures, if there are several. A single failure is already shown by its finding.
  void write_failures() {
    const FailureList failures = list_failures(model_, report_);
    if (failures.failures.size() < 2) return;
    TableBlock table{{"", failures.order == FailureOrder::time ? "time" : "line", "rank", "message"},
                     failure_rows(model_, failures)};
    const std::size_t all = table.rows.size(), most = extent_ == Extent::page ? max_ranks : max_ticket_failures;
    if (all > most) table.rows.resize(most);
    add(Heading{2, {}, {.strong = "Failures", .text = std::string(about(failures.order))}, "failures"});
    add(std::move(table));
    add_left_out(all, most, "failure", "failures");
  }

  void write_next_steps() {
    const std::vector<NextStep> steps = next_steps(model_, report_);
    if (steps.empty()) return;
    add(Heading{2, {}, {.strong = "Next", .text = {}}, "next"});
    for (const NextStep& step : steps) {
      add_paragraph(step.why + ":");
      add(Verbatim{{visible(step.command)}, true});
    }
  }

  void write_notes() {
    List list;
    std::size_t left_out = 0;
    for (const Finding& finding : report_.findings) {
      if (finding.severity() != Severity::info) continue;
      if (list.items.size() == max_notes) {
        ++left_out;
        continue;
      }
      std::string text = finding.message;
      if (const auto lines = quoted_lines(model_, finding.evidence, 1); !lines.empty())
        text.append(" (").append(place_of(model_, lines.front())).append(")");
      list.items.push_back({.strong = title_of(finding), .text = std::move(text)});
    }
    if (list.items.empty()) return;
    const std::size_t count = list.items.size() + left_out;
    if (left_out > 0) list.items.push_back({{}, "and " + std::to_string(left_out) + " more"});
    fold("Notes (" + std::to_string(count) + ")", "", [&] { add(std::move(list)); });
  }

  void write_warnings() {
    for (const auto& [title, warnings] : unexplained_lines(model_, report_)) {
      Verbatim quotes;
      const std::size_t shown = std::min(warnings.size(), max_warnings);
      for (std::size_t i = 0; i < shown; ++i)
        quotes.lines.push_back(quoted(warnings[i]->evidence.lines[0], warnings[i]->message));
      if (shown < warnings.size())
        quotes.lines.push_back("... and " + std::to_string(warnings.size() - shown) + " more");
      fold(std::string{title} + " (" + std::to_string(warnings.size()) + ")", "", [&] { add(std::move(quotes)); });
    }
  }

  void write_checks() {
    if (report_.checks.empty()) return;
    TableBlock table{{"check", "answer", "detail"}, {}};
    for (const Check& check : report_.checks)
      table.rows.push_back({check.check, std::string{to_string(check.status)}, check.detail});
    fold("Checks", "", [&] { add(std::move(table)); });
  }

  void write_input() {
    fold("Input", describe_input(model_), [&] {
      for (std::string& line : describe_gaps(model_)) add_paragraph(std::move(line));
      TableBlock table{{"source", "lines", "NCCL lines", "not recognised"}, {}};
      const std::size_t shown = std::min(model_.sources.size(), max_sources);
      for (std::size_t i = 0; i < shown; ++i) {
        const Source& source = model_.sources[i];
        table.rows.push_back({source.name, std::to_string(source.stats.lines), std::to_string(source.stats.nccl_lines),
                              std::to_string(source.stats.unrecognized)});
      }
      add(std::move(table));
      if (shown < model_.sources.size())
        add_paragraph("and " + count_text(model_.sources.size() - shown, "other source", "other sources"));
    });
  }

  const Model& model_;
  const Report& report_;
  Extent extent_;
  std::vector<Block> blocks_;
  std::map<std::string_view, int> anchors_;
};

}  // namespace

std::vector<Block> document_of(const Model& model, const Report& report, Extent extent) {
  return Document(model, report, extent).build();
}

}  // namespace nccl_analyze
