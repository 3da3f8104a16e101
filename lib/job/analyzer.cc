// Implements Analyzer: one parser for each open source, one model builder for all sources, the rules, and what the user
// requires.

#include "nccl_analyze/analyzer.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "model/summary/summary_parts.h"
#include "nccl_analyze/compare.h"
#include "nccl_analyze/summary.h"

namespace nccl_analyze {
namespace {

/// Returns the rules that the caller selects, or all built-in and site rules if it makes no selection, followed by the
/// caller's own rules.
RuleSelection selected_rules(const AnalyzerOptions& options, const SiteRules& site) {
  RuleSelection selection = options.selection ? *options.selection : select_rules({}, {}, site);
  selection.rules.insert(selection.rules.end(), options.own_rules.begin(), options.own_rules.end());
  return selection;
}

}  // namespace

struct Analyzer::Impl {
  struct Open {
    SourceId source;
    Parser parser;
  };

  explicit Impl(AnalyzerOptions given)
      : options(std::move(given)),
        site(options.requirements.site ? options.requirements.site : std::make_shared<const SiteRules>()),
        selection(selected_rules(options, *site)),
        matcher(*site),
        builder(options.model) {}

  Parser& parser_of(std::string_view name) {
    if (const auto found = open.find(name); found != open.end()) return found->second.parser;
    const auto source = static_cast<SourceId>(sources++);
    Parser parser(
        source,
        [this](const Record& record) {
          if (options.on_record) options.on_record(record);
          add(record);
        },
        options.parser);
    return open.emplace(std::string{name}, Open{source, std::move(parser)}).first->second.parser;
  }

  void add(const Record& record) {
    builder.add(record);
    matcher.add(record);
  }

  void end(std::string_view name, Open& ended) {
    ended.parser.finish();
    builder.add_source(ended.source, name, ended.parser.stats());
  }

  /// Applies the built-in rules, the site's rules, the expectations and the baseline. The expectations come after the
  /// rules, because an expectation may forbid warnings.
  Report report_on(Model& model) const {
    const Requirements& required = options.requirements;
    Report report = analyze(model, selection.rules);
    matcher.judge(selection.site, sees_messages, model, report);
    check_expectations(model, required.expectations, selection.rules, report);
    if (required.baseline) check_baseline(model, *required.baseline, selection.rules, report);
    if (report.acceptance) {
      report.acceptance->profile = required.profile;
      report.acceptance->source = required.source;
    }
    return report;
  }

  Analysis judged(ModelBuilder finished) const {
    Analysis analysis{std::move(finished).build(), {}, {}, options.requirements.site};
    analysis.model.unreadable = unreadable;
    analysis.report = report_on(analysis.model);
    if (options.scope.host || options.scope.comm) restrict_to(options.scope, analysis.model, analysis.report);
    analysis.verdict = verdict_of(analysis.model, analysis.report);
    return analysis;
  }

  AnalyzerOptions options;
  std::shared_ptr<const SiteRules> site;
  RuleSelection selection;
  SiteMatcher matcher;
  ModelBuilder builder;
  std::map<std::string, Open, std::less<>> open;  ///< Sources that have not ended, by name.
  std::uint32_t sources = 0;
  bool sees_messages = true;  ///< Whether the matcher received all messages; a summary has only a few of them.
  std::vector<UnreadableInput> unreadable;
};

Analyzer::Analyzer(AnalyzerOptions options) : impl_(std::make_unique<Impl>(std::move(options))) {}
Analyzer::Analyzer(Analyzer&&) noexcept = default;
Analyzer& Analyzer::operator=(Analyzer&&) noexcept = default;
Analyzer::~Analyzer() = default;

void Analyzer::feed(std::string_view source, std::string_view bytes) { impl_->parser_of(source).feed(bytes); }

void Analyzer::end(std::string_view source) {
  const auto found = impl_->open.find(source);
  if (found == impl_->open.end()) return;
  impl_->end(source, found->second);
  impl_->open.erase(found);
}

SourceId Analyzer::next_source() const { return SourceId{impl_->sources}; }

void Analyzer::add(const Record& record) { impl_->add(record); }

void Analyzer::add_source(SourceId source, std::string_view name, const ParseStats& stats) {
  impl_->sources = std::max(impl_->sources, static_cast<std::uint32_t>(source) + 1);
  impl_->builder.add_source(source, name, stats);
}

void Analyzer::add(const Summary& summary) {
  impl_->sees_messages = false;
  summary.replay(impl_->builder);
}

void Analyzer::add(Summary&& summary) {
  impl_->sees_messages = false;
  SummaryParts::replay_and_empty(std::move(summary), impl_->builder);
}

void Analyzer::add_unreadable(UnreadableInput input) { impl_->unreadable.push_back(std::move(input)); }

Analysis Analyzer::look(std::span<const OpenSource> others) const {
  ModelBuilder so_far = impl_->builder;
  for (const auto& [name, open] : impl_->open) so_far.add_source(open.source, name, open.parser.stats());
  for (const OpenSource& other : others) so_far.add_source(other.source, other.name, *other.stats);
  return impl_->judged(std::move(so_far));
}

Analysis Analyzer::finish() && {
  for (auto& [name, open] : impl_->open) impl_->end(name, open);
  impl_->open.clear();
  return impl_->judged(std::move(impl_->builder));
}

}  // namespace nccl_analyze
