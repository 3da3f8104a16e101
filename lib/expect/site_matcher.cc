// Matches records and the finished model against site rules, and reports the rules that hold.

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "expect/site_rules.h"
#include "nccl_analyze/parser.h"
#include "rules/advice/advise.h"
#include "rules/causes.h"
#include "rules/findings.h"
#include "text/message_text.h"

namespace nccl_analyze {

/// Records that match the pattern of one rule.
struct SiteRuleHits {
  /// Source, host and pid of the process that printed a line. No two processes of a model are equal in all three.
  using Printer = std::tuple<SourceId, std::string, std::int64_t>;

  Evidence evidence;
  std::vector<Quote> quotes;
  std::string first;  ///< Message of the first match.
  std::set<Printer> printers;
};

namespace {

constexpr std::size_t max_processes = 1024;  // Limit on the processes that one finding names.
constexpr std::size_t max_quote = 1024;      // Limit on the bytes of a quoted line.

void add_hit(const Record& record, SiteRuleHits& hits) {
  if (hits.evidence.count == 0) hits.first = excerpt(record.message);
  if (hits.evidence.lines.size() < Evidence::max_lines)
    hits.quotes.push_back({record.at, std::string(record.text.substr(0, max_quote))});
  hits.evidence.add(record.at, record.times);
  if (hits.printers.size() < max_processes)
    hits.printers.insert({record.at.source, std::string(record.origin.host), record.origin.pid});
}

std::vector<Index> find_processes(const Model& model, const std::set<SiteRuleHits::Printer>& printers) {
  std::vector<Index> processes;
  if (printers.empty()) return processes;
  for (std::size_t i = 0; i < model.processes.size(); ++i) {
    const Process& process = model.processes[i];
    if (printers.contains({process.source, process.host.str(), process.pid}))
      processes.push_back(static_cast<Index>(i));
  }
  return processes;
}

void add_quotes(const std::vector<Quote>& quotes, Model& model) {
  for (const Quote& quote : quotes) {
    const auto at = std::lower_bound(model.quotes.begin(), model.quotes.end(), quote.at,
                                     [](const Quote& one, LineRef wanted) { return one.at < wanted; });
    if (at == model.quotes.end() || at->at != quote.at) model.quotes.insert(at, quote);
  }
}

}  // namespace

struct SiteMatcher::Impl {
  const SiteRules::Impl* rules = nullptr;
  std::map<const SiteRule*, SiteRuleHits> hits;
  std::vector<int> fitting;  ///< Scratch buffer of match(); a member so that its memory is reused.
};

SiteMatcher::SiteMatcher(const SiteRules& rules)
    : impl_(std::make_unique<Impl>()), has_patterns_(rules.impl().set != nullptr) {
  impl_->rules = &rules.impl();
}
SiteMatcher::SiteMatcher(SiteMatcher&&) noexcept = default;
SiteMatcher& SiteMatcher::operator=(SiteMatcher&&) noexcept = default;
SiteMatcher::~SiteMatcher() = default;

void SiteMatcher::match(const Record& record) {
  const re2::StringPiece text(record.message.data(), record.message.size());
  std::vector<int>& fitting = impl_->fitting;
  fitting.clear();
  RE2::Set::ErrorInfo error{};
  if (!impl_->rules->set->Match(text, &fitting, &error) && error.kind == RE2::Set::kOutOfMemory) {
    // The combined automaton ran out of memory, which is rare. Matching the patterns one by one is slower, but still
    // linear in the text.
    for (std::size_t i = 0; i < impl_->rules->patterns.size(); ++i)
      if (RE2::PartialMatch(text, *impl_->rules->patterns[i]->message)) fitting.push_back(static_cast<int>(i));
  }
  for (const int number : fitting) {
    const SiteRule* const rule = impl_->rules->patterns[static_cast<std::size_t>(number)];
    if (!rule->level || *rule->level == record.level) add_hit(record, impl_->hits[rule]);
  }
}

namespace {

/// Returns a finding if the rule holds. If a rule has a pattern and conditions, both must hold, but not necessarily for
/// the same process. Adds the rule to `open` if it does not hold and no line shows a value that its conditions compare.
std::optional<Finding> judge_rule(const Model& model, const SiteRule& rule, const SiteRuleHits* hits,
                                  std::vector<NotEvaluated>& open) {
  Finding finding;
  finding.message = rule.title;
  std::vector<Index> processes;
  if (rule.message != nullptr) {
    if (hits == nullptr || hits->evidence.count < rule.at_least) return std::nullopt;
    finding.message += concat(" (", count_text(hits->evidence.count, "line"), ", the first: ", hits->first, ")");
    finding.evidence = hits->evidence;
    processes = find_processes(model, hits->printers);
  }
  if (!rule.conditions.empty()) {
    SiteMatch match = find_matches(model, rule.conditions);
    if (match.processes.empty()) {
      if (!match.unknown.empty())
        open.push_back({rule.info.id, concat("no line tells \"", match.unknown, "\" of any process"), {}});
      return std::nullopt;
    }
    if (rule.message == nullptr) {
      finding.message += concat(" (", count_text(match.processes.size(), "process"), ")");
      processes = std::move(match.processes);
    }
    finding.evidence.add(match.evidence);
  }
  set_scope(model, std::move(processes), finding);
  return finding;
}

}  // namespace

void SiteMatcher::judge(std::span<const RuleInfo* const> wanted, bool messages_seen, Model& model,
                        Report& report) const {
  for (const auto& rule : impl_->rules->rules) {
    if (std::find(wanted.begin(), wanted.end(), &rule->info) == wanted.end()) continue;
    report.judged.push_back(&rule->info);
    if (rule->message != nullptr && !messages_seen) {
      report.not_evaluated.push_back({rule->info.id, "a summary does not hold the messages", "the logs themselves"});
      continue;
    }
    const auto found = impl_->hits.find(rule.get());
    const SiteRuleHits* const hits = found == impl_->hits.end() ? nullptr : &found->second;
    std::optional<Finding> finding = judge_rule(model, *rule, hits, report.not_evaluated);
    if (!finding || finding->evidence.count == 0) continue;
    if (hits != nullptr) add_quotes(hits->quotes, model);
    finding->rule = &rule->info;
    report.findings.push_back(std::move(*finding));
  }
  order_findings(report.findings);
  advise(model, report.findings);
}

}  // namespace nccl_analyze
