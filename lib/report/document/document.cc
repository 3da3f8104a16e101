// Composes the report for text, Markdown and HTML: its sections, and for each extent their order and their limits.

#include "report/document/document.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <span>
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
#include "report/sentences/verdict.h"
#include "report/sentences/words.h"
#include "text/escape.h"
#include "text/phrases.h"

namespace nccl_analyze {
namespace {

constexpr std::size_t max_commands = 3, max_notes = 50, max_sources = 20;
constexpr std::size_t max_ranks = 4096, max_communicators = 512, max_settings = 1024, max_drawn = 8;

/// How many items an extent shows.
struct Limits {
  std::size_t quotes;         ///< Lines of evidence; a few are enough to prove a finding.
  std::size_t quote_columns;  ///< Of one line.
  std::size_t meanings;       ///< Lines of evidence of which it is said what they mean.
  std::size_t suspects, steps, warnings, failures;
  std::size_t nodes;           ///< Rows of the acceptance; a row stands for all nodes with equal results.
  std::string_view elsewhere;  ///< Who shows the other items.
};
constexpr std::size_t any = static_cast<std::size_t>(-1);
constexpr std::string_view in_json = ", which --format json holds";
/// In the order of the members: quotes, their columns, meanings, suspects, steps, warnings, failures, nodes.
constexpr std::array<Limits, 4> limits_by_extent{{{3, 240, 0, 3, 4, 3, 3, 12, " (-v shows them)"},
                                                  {3, 240, any, any, any, any, any, any, ""},
                                                  {5, 400, 5, 5, any, 20, 10, 20, in_json},
                                                  {5, 400, 5, 5, any, 20, max_ranks, 512, in_json}}};

class Document {
 public:
  Document(const Model& model, const Report& report, Extent extent)
      : model_(model), report_(report), extent_(extent), limits_(limits_by_extent[static_cast<std::size_t>(extent)]) {}

  std::vector<Block> build() {
    using D = Document;
    using Section = void (D::*)();
    constexpr std::array<Section, 11> terminal{&D::add_verdict,  &D::add_acceptance, &D::add_job,
                                               &D::add_findings, &D::add_notes,      &D::add_warnings,
                                               &D::add_failures, &D::add_checks,     &D::add_not_evaluated,
                                               &D::add_input,    &D::add_next_steps};
    constexpr std::array<Section, 14> page{
        &D::add_verdict,  &D::add_acceptance, &D::add_findings,      &D::add_failures, &D::add_next_steps,
        &D::add_job,      &D::add_graph,      &D::add_timeline,      &D::add_details,  &D::add_notes,
        &D::add_warnings, &D::add_checks,     &D::add_not_evaluated, &D::add_input};
    for (const Section section : on_terminal() ? std::span<const Section>(terminal) : page) (this->*section)();
    return std::move(blocks_);
  }

 private:
  bool on_terminal() const { return extent_ == Extent::terminal || extent_ == Extent::verbose; }

  template <class Content>
  void add(Content content) {
    blocks_.push_back({std::move(content)});
  }
  void add_heading(std::string title, std::string anchor = {}, std::string remark = {}) {
    add(Heading{2, {}, {.strong = std::move(title), .text = std::move(remark)}, std::move(anchor)});
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

  /// Adds a section of details, which is collapsible in tickets and pages.
  template <class Fill>
  void add_section(std::string title, std::string about, Fill fill) {
    if (!on_terminal()) return fold(std::move(title), std::move(about), fill);
    add_heading(std::move(title));
    if (!about.empty()) add_paragraph(std::move(about));
    fill();
  }

  static std::string title_of(const Finding& finding) {
    return std::string{finding.rule->id}.append(" ").append(finding.rule->name);
  }

  /// Returns a unique anchor, `NCA302-1`: the rule and the finding's number among all findings of this rule.
  std::string anchor_of(const Finding& finding) {
    return std::string{finding.rule->id} + "-" + std::to_string(++anchors_[finding.rule->id]);
  }

  void add_verdict() {
    const Judgement judgement = judge(model_, report_);
    add(Heading{1, label_of(judgement.status), {{}, judgement.headline}, {}});
    if (!on_terminal() && !report_.findings.empty() && report_.findings.front().severity() != Severity::info) {
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
    if (!title.empty()) add_paragraph("", std::string{title});
    if (const std::size_t count = texts.size(); count > limits_.suspects) {
      texts.resize(limits_.suspects);
      texts.push_back((on_terminal() ? "... and " : "and ") + std::to_string(count - limits_.suspects) + " more");
    }
    add_list(std::move(texts));
  }

  void add_acceptance() {
    if (report_.acceptance)
      std::ranges::move(acceptance_blocks(*report_.acceptance, limits_.nodes, limits_.elsewhere),
                        std::back_inserter(blocks_));
  }

  void add_job() {
    std::vector<JobPart> parts = describe_job(model_, report_, extent_ == Extent::verbose);
    if (parts.empty()) return;
    if (!on_terminal()) add_heading("Job", "job");
    for (JobPart& part : parts) {
      if (on_terminal())
        add_heading(std::string{part.title});
      else if (part.title != "Job")
        add_paragraph("", std::string{part.title});
      add_list(std::move(part.lines));
    }
    if (extent_ == Extent::page) add_tables();
  }

  /// Adds a collapsible table, which has a row for each of the first of `count` items.
  void add_table(std::string title, TableBlock table, std::size_t count, std::string_view one, std::string many) {
    const auto fill = [&] {
      const std::size_t shown = table.rows.size();
      add(std::move(table));
      add_left_out(count, shown, one, many);
    };
    fold(std::move(title), std::to_string(count), fill, many);
  }

  void add_tables() {
    if (const Communicator* const largest = widest_communicator(model_)) {
      const auto index = static_cast<Index>(largest - model_.communicators.data());
      add_table("Ranks of communicator " + communicator_name(model_, index),
                ranks_table(model_, report_, index, max_ranks), largest->ranks.size(), "rank", "ranks");
    }
    if (const std::size_t count = model_.communicators.size(); count > 1)
      add_table("Communicators", communicators_table(model_, max_communicators), count, "communicator",
                "communicators");
    TableBlock settings = settings_table(model_);
    const std::size_t count = settings.rows.size();
    if (count > max_settings) settings.rows.resize(max_settings);
    if (count > 0) add_table("Settings", std::move(settings), count, "setting", "settings");
  }

  void add_graph() {
    if (extent_ != Extent::page) return;
    std::vector<Index> drawn = drawn_communicators(model_, max_drawn);
    if (drawn.empty()) return;
    const auto count = static_cast<std::size_t>(
        std::ranges::count_if(model_.communicators, [](const Communicator& comm) { return comm.nranks > 1; }));
    const std::size_t others = count - std::min(count, drawn.size());
    add_heading("Graph", "graph");
    add(Graph{std::move(drawn)});
    if (others > 0)
      add_paragraph("and " + count_text(others, "other communicator") + ": --format html --comm NAME draws one");
  }

  void add_timeline() {
    if (extent_ != Extent::page) return;
    Timeline timeline = timeline_of(model_, &report_);
    if (timeline.to <= timeline.from) return;
    add_heading("Time line", "timeline");
    add(TimelinePicture{std::move(timeline)});
  }

  void add_left_out(std::size_t count, std::size_t shown, std::string_view one, std::string_view many) {
    if (count > shown)
      add_paragraph("and " + count_text(count - shown, "other " + std::string{one}, "other " + std::string{many}) +
                    std::string{limits_.elsewhere});
  }

  void add_list(std::vector<std::string> texts) {
    List list;
    for (std::string& text : texts) list.items.push_back({{}, std::move(text)});
    add(std::move(list));
  }

  QuotedLine quoted(LineRef at, std::string_view text) const {
    return {at, place_of(model_, at), truncated(visible(text), limits_.quote_columns)};
  }

  /// Quotes lines of the evidence or, if `briefly`, names the place of the first one.
  void add_evidence(const Evidence& evidence, bool briefly = false) {
    Quotes quotes;
    for (const LineRef at : quoted_lines(model_, evidence, briefly ? 1 : limits_.quotes)) {
      QuotedLine line = quoted(at, briefly ? std::string_view{} : model_.quote(at));
      if (on_terminal() && !quotes.lines.empty() && quotes.lines.back().at.source == at.source)
        line.place = ":" + std::to_string(model_.place_in_source(at));
      quotes.lines.push_back(std::move(line));
    }
    if (quotes.lines.empty()) return;
    quotes.more = evidence.count - std::min<std::uint64_t>(evidence.count, quotes.lines.size());
    add(std::move(quotes));
  }

  /// Adds what the messages of the evidence mean, each meaning once.
  void add_meanings(const Finding& finding) {
    std::vector<std::string> texts;
    for (const LineRef at : quoted_lines(model_, finding.evidence, limits_.meanings))
      if (const Meaning* const meaning = meaning_at(model_, finding, at))
        if (std::string text(meaning->text); std::ranges::find(texts, text) == texts.end())
          texts.push_back(std::move(text));
    for (const std::string& text : texts) add(Advice{text});
  }

  /// Adds the steps, or on a terminal the first ones. What an earlier finding shows is not repeated there.
  void add_fix(const Finding& finding) {
    std::string fix = fix_of(finding, limits_.steps);
    if (fix.empty()) return;
    if (on_terminal()) {
      const auto [first, is_new] = fixes_.try_emplace(fix_of(finding), &finding);
      if (!is_new) return add_paragraph("as for " + std::string{first->second->rule->id} + " above", "Fix");
    }
    const std::size_t steps = steps_of(finding).size();
    if (steps > limits_.steps)
      fix.append("\n\nand ")
          .append(std::to_string(steps - limits_.steps))
          .append(" more: nccl-analyze explain ")
          .append(finding.rule->id);
    add_paragraph("", "Fix");
    add(Advice{std::move(fix)});
  }

  void add_title(const Finding& finding) {
    add(Heading{2,
                label_of(finding.severity()),
                {.strong = title_of(finding), .text = describe_place(model_, finding)},
                anchor_of(finding)});
    add_paragraph(finding.message);
  }

  void add_finding(const Finding& finding) {
    const Advice explanation{std::string(finding.rule->words->explanation)};
    add_title(finding);
    if (extent_ == Extent::verbose) add(explanation);
    const bool is_told = !on_terminal() && &finding == report_.findings.data();  // Below the verdict.
    if (extent_ == Extent::verbose || (!is_told && finding.suspects.size() > 1 && singles_out(finding)))
      add_suspects(finding, on_terminal() ? "" : "Suspects");
    add_evidence(finding.evidence);
    add_meanings(finding);
    add_fix(finding);
    if (std::vector<std::string> commands = stack_commands_of(model_, finding, max_commands); !commands.empty()) {
      add_paragraph("", "Next");
      add(Commands{std::move(commands)});
    }
    for (const Finding& consequence : finding.consequences)
      fold(relation_of(finding, consequence), title_of(consequence), [&] {
        add_paragraph(consequence.message);
        add_evidence(consequence.evidence, extent_ == Extent::terminal);
      });
    if (!on_terminal()) fold("What it means", "", [&] { add(explanation); });
  }

  void add_findings() {
    for (const Finding& finding : report_.findings)
      if (finding.severity() != Severity::info) add_finding(finding);
  }

  /// Adds the failures, if there are several. A single failure is already shown by its finding.
  void add_failures() {
    const FailureList failures = list_failures(model_, report_);
    if (failures.failures.size() < 2) return;
    const std::string order{about(failures.order)};
    std::vector<std::vector<std::string>> rows = failure_rows(model_, failures);
    const std::size_t count = rows.size();
    if (count > limits_.failures) rows.resize(limits_.failures);
    if (on_terminal()) return add_failure_list(order, rows, count - rows.size());
    add_heading("Failures", "failures", order);
    add(TableBlock{{"", failures.order == FailureOrder::time ? "time" : "line", "rank", "message"}, std::move(rows)});
    add_left_out(count, limits_.failures, "failure", "failures");
  }

  void add_failure_list(const std::string& order, const std::vector<std::vector<std::string>>& rows, std::size_t more) {
    std::vector<std::string> texts;
    for (const auto& row : rows)
      texts.push_back(row[0] + (row[0].empty() ? "" : "  ") + row[1] + "  " + row[2] + ": " + row[3]);
    if (more > 0) texts.push_back("and " + std::to_string(more) + " more (nccl-analyze ranks --failed)");
    add_heading("Failures, " + order);
    add_list(std::move(texts));
  }

  void add_next_steps() {
    const std::vector<NextStep> steps = next_steps(model_, report_);
    if (steps.empty()) return;
    add_heading("Next", "next");
    for (const NextStep& step : steps) {
      const bool is_above = on_terminal() && step.in_fix;
      add_paragraph(step.why + (is_above ? ": the command of its fix, above" : ":"));
      if (!is_above) add(Commands{{step.command}});
    }
  }

  /// Begins the sections that tickets and pages collapse.
  void add_details() { add_heading("Notes, checks and input", "input"); }

  void add_notes() {
    if (!on_terminal()) return add_note_list();
    if (extent_ == Extent::verbose) {
      for (const Finding& finding : report_.findings)
        if (finding.severity() == Severity::info) add_finding(finding);
      return;
    }
    for (const AlikeNotes& notes : group_notes(report_)) {
      add_title(*notes.first);
      add_evidence(notes.first->evidence, true);
      if (std::string others = describe_others(model_, notes); !others.empty())
        add_list({others.append(limits_.elsewhere)});
    }
  }

  void add_note_list() {
    List list;
    std::size_t count = 0;
    for (const Finding& finding : report_.findings) {
      if (finding.severity() != Severity::info || count++ >= max_notes) continue;
      std::string text = finding.message;
      if (const auto lines = quoted_lines(model_, finding.evidence, 1); !lines.empty())
        text.append(" (").append(place_of(model_, lines.front())).append(")");
      list.items.push_back({.strong = title_of(finding), .text = std::move(text)});
    }
    if (count == 0) return;
    if (count > max_notes) list.items.push_back({{}, "and " + std::to_string(count - max_notes) + " more"});
    fold("Notes (" + std::to_string(count) + ")", "", [&] { add(std::move(list)); });
  }

  void add_warnings() {
    for (const auto& [title, warnings] : unexplained_lines(model_, report_)) {
      const std::string count = " (" + std::to_string(warnings.size()) + ")";
      add_section(std::string{title} + (on_terminal() ? "" : count), "", [&, &lines = warnings] {
        add_quotes(lines, [&](const Incident* line) { return quoted(line->evidence.lines[0], line->message); });
      });
    }
  }

  /// Adds the quotes that `quote` makes of the first items.
  template <class Items, class Quote>
  void add_quotes(const Items& items, Quote quote) {
    Quotes quotes;
    const std::size_t shown = std::min(items.size(), limits_.warnings);
    for (std::size_t i = 0; i < shown; ++i) quotes.lines.push_back(quote(items[i]));
    quotes.more = items.size() - shown;
    add(std::move(quotes));
  }

  void add_checks() {
    if (report_.checks.empty()) return;
    add_section("Checks", "", [&] {
      on_terminal() ? add(check_list(report_.checks, extent_ == Extent::verbose)) : add(check_table(report_.checks));
    });
  }

  /// Adds what rules lack that could not be evaluated.
  void add_not_evaluated() {
    std::vector<std::string> lines = describe_not_evaluated(report_);
    if (!lines.empty()) add_section("Not evaluated", "", [&] { add_list(std::move(lines)); });
  }

  void add_input() {
    add_section("Input", describe_input(model_), [&] {
      for (std::string& line : describe_gaps(model_)) add_paragraph(std::move(line));
      on_terminal() ? add_samples() : add_sources();
    });
  }

  void add_samples() {
    if (model_.unrecognized.empty()) return;
    add_paragraph("not recognised, most frequent first:");
    add_quotes(model_.unrecognized, [&](const Sample& sample) {
      return quoted(sample.at, std::to_string(sample.count) + " x " + sample.text);
    });
  }

  void add_sources() {
    add(source_table(model_, max_sources));
    if (max_sources < model_.sources.size())
      add_paragraph("and " + count_text(model_.sources.size() - max_sources, "other source"));
  }

  const Model& model_;
  const Report& report_;
  Extent extent_;
  const Limits& limits_;
  std::vector<Block> blocks_;
  std::map<std::string, const Finding*> fixes_;  ///< The first finding with each fix.
  std::map<std::string_view, int> anchors_;
};

}  // namespace

std::vector<std::string> lines_of(const Quotes& quotes) {
  std::vector<std::string> lines;
  for (const QuotedLine& line : quotes.lines) lines.push_back(line.place + (line.text.empty() ? "" : ": ") + line.text);
  if (quotes.more > 0) lines.push_back("... and " + std::to_string(quotes.more) + " more");
  return lines;
}

std::vector<Block> document_of(const Model& model, const Report& report, Extent extent) {
  return Document(model, report, extent).build();
}

}  // namespace nccl_analyze
