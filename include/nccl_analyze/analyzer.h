#pragma once
/// The main interface: parses the logs of a job and returns the job's model and the findings.
///
///     Analyzer analyzer;
///     while (read(bytes)) analyzer.feed("worker-0.log", bytes);
///     const Analysis job = std::move(analyzer).finish();
///     std::cout << job.verdict.headline << '\n';
///     write_text(std::cout, job.model, job.report);
///
/// The whole library follows these rules:
/// - Functions copy what they keep of their arguments: bytes, names and paths need not outlive the call. Results own
///   their data, except the texts of rules, which are static or owned by SiteRules. Only a Record holds views, which
///   are valid while the callback runs.
/// - Damaged input is no error: unreadable lines are counted, and Model and Report show the counts. The library throws
///   only std::bad_alloc, and propagates exceptions of callbacks. The library prints nothing, opens no file and has no
///   global state.
/// - An object is used by one thread at a time. Different objects may be used by different threads at once, and
///   functions may be called by several threads at once.
/// - Programs that need a single stage use Parser, ModelBuilder or analyze().

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "nccl_analyze/model.h"
#include "nccl_analyze/parser.h"
#include "nccl_analyze/requirements.h"
#include "nccl_analyze/rule.h"

namespace nccl_analyze {

class Summary;
struct RunFacts;

enum class JobStatus : std::uint8_t { ok, warning, error, unknown };
std::string_view to_string(JobStatus status);

enum class Outcome : std::uint8_t {
  unknown,
  completed,  ///< The job reached its end: results were printed, or every process ended its communicators.
  failed,     ///< A process failed.
  hung,       ///< Ranks wait for others that do not come.
  running     ///< The log ends in the middle of healthy work.
};
std::string_view to_string(Outcome outcome);

/// The whole report in one line.
struct Verdict {
  /// The severity of the first finding, if that is an error or a warning; otherwise ok, or unknown if the input does
  /// not prove it. Also unknown if a log that is newest first was read in this order.
  JobStatus status = JobStatus::unknown;
  Outcome outcome = Outcome::unknown;
  std::string headline;  ///< May contain raw log text, which writers escape.
};
Verdict verdict_of(const Model& model, const Report& report);
/// Returns why the absence of further findings proves nothing: too little input, input that could not be read, an
/// expectation that could not be checked, or ranks without a log. Only the first such reason; empty if there is none.
std::string open_question(const Model& model, const Report& report);
/// Returns where a finding is. If the finding singles out suspects: the first suspect with its address, and the number
/// of the others, `rank 52 (pod llama-worker-6, dgx007, GPU 4, pid 12828) and 2 more`. Otherwise the affected ranks and
/// the first of their hosts, `ranks 0-3 on worker-0 and 1 more`; empty if no rank and no host is known.
std::string describe_place(const Model& model, const Finding& finding);

/// The part of a job that a user wants to see.
struct Scope {
  std::function<bool(std::string_view host)> host = {};  ///< Empty: every host.
  /// A communicator by name, by id, by pointer in any rank (0x…), or by number in the model (#1, 1). Empty: every
  /// communicator.
  std::optional<std::string> comm = std::nullopt;
};

/// Removes what is out of scope from the model and the report. All rules have already run on the whole model, so the
/// remaining findings are based on the whole job. A communicator in scope keeps all its ranks, rings and trees.
/// Rank::process becomes -1 if the process is out of scope; a connection stays if one of its ranks is in scope.
void restrict_to(const Scope& scope, Model& model, Report& report);

/// The rules to apply.
struct RuleSelection {
  std::vector<const Rule*> rules;     ///< Built-in rules in id order, and rules of the caller.
  std::vector<const RuleInfo*> site;  ///< Rules of the site.
  std::string error;                  ///< The word that names no rule, and what may be meant; empty on success.
};
/// Selects the rules that `select` names (empty: all) and `ignore` does not, from the built-in rules and those of
/// `site`. A word is an id (NCA302), a number (302), a name, or the beginning of ids (NCA3, 3). If a word names no
/// rule, nothing is selected and RuleSelection::error is set.
RuleSelection select_rules(const std::vector<std::string>& select, const std::vector<std::string>& ignore,
                           const SiteRules& site);

/// What a user requires of the job.
struct Requirements {
  std::vector<Expectation> expectations = {};
  std::string profile = {}, source = {};               ///< Name and source of the profile; empty without one.
  std::shared_ptr<const SiteRules> site = nullptr;     ///< Null: none.
  std::shared_ptr<const RunFacts> baseline = nullptr;  ///< A good run of the job; null: none.
};

/// The model of a job and the report on it. Indices in the report refer to this model.
struct Analysis {
  Model model;
  Report report;
  Verdict verdict;
  std::shared_ptr<const SiteRules> site;  ///< Owns the texts to which findings of a site's rules point.
};

/// The options of an Analyzer. By default, all built-in rules are applied.
struct AnalyzerOptions {
  ParserLimits parser = {};
  ModelLimits model = {};
  /// Called with each record after parsing, before the record is added to the model.
  std::function<void(const Record&)> on_record = {};
  /// The rules to apply. Not set: all_rules() and all rules of the site.
  std::optional<RuleSelection> selection = std::nullopt;
  /// Additional rules, which the caller wrote. They must outlive the analyzer and every Analysis, because findings
  /// point to them.
  std::vector<const Rule*> own_rules = {};
  Requirements requirements = {};
  Scope scope = {};
};

/// A source that the caller parses itself and that has not ended; an argument of Analyzer::look().
struct OpenSource {
  SourceId source{};
  std::string name;
  const ParseStats* stats = nullptr;  ///< The statistics of the caller's parser; must not be null.
};

/// Parses the logs of one job and applies the rules. Memory grows with the job's size, not with the length of its logs;
/// each source that has not ended takes a few megabytes more.
class Analyzer {
 public:
  explicit Analyzer(AnalyzerOptions options = {});
  Analyzer(Analyzer&&) noexcept;
  Analyzer& operator=(Analyzer&&) noexcept;
  ~Analyzer();

  /// Parses bytes of the source with this name (a file, a pod, a stream); the bytes may be cut anywhere. Sources may be
  /// interleaved. Model::sources lists them in the order of their first bytes.
  void feed(std::string_view source, std::string_view bytes);

  /// Ends a source: parses a last line without a newline and frees the parser. finish() ends the remaining sources.
  /// Bytes fed later under this name begin a new source. An unknown name is ignored.
  void end(std::string_view source);

  // The functions up to add_unreadable() are for callers that use their own Parser or read summaries.

  /// Returns the lowest source number that is not in use; feed() gives it to the next new source.
  SourceId next_source() const;
  /// Adds a record of a source whose number the caller has chosen.
  void add(const Record& record);
  /// Adds a source whose records were added, with the counts of its parser.
  void add_source(SourceId source, std::string_view name, const ParseStats& stats);
  /// Adds the sources of a summary. Site rules with patterns are then reported as not evaluated, because a summary
  /// keeps few messages.
  void add(const Summary& summary);
  /// The same; frees each source of the summary as soon as it is added, which saves memory.
  void add(Summary&& summary);
  /// Adds an input that the caller could not read; the report says that it is missing.
  void add_unreadable(UnreadableInput input);

  /// Returns the analysis of the log so far; a last line without a newline is not included. feed() may be called
  /// afterwards. `others`: sources that the caller parses and that have not ended.
  Analysis look(std::span<const OpenSource> others = {}) const;

  /// Ends all sources and returns the analysis of the whole log; the analyzer cannot be used afterwards.
  Analysis finish() &&;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace nccl_analyze
