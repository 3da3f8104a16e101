#pragma once
/// What a rule is, what it reports, and the analysis of a model. The list of rules is lib/rules/all_rules.cc.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "nccl_analyze/model.h"

namespace nccl_analyze {

enum class Severity : std::uint8_t { info, warning, error };
std::string_view to_string(Severity severity);

/// Where a fault stands between root and symptom; a lower stage explains a higher one in the same scope. Up to
/// `program` a process met the fault itself; the later ones reach a process through its peers.
enum class Stage : std::uint8_t {
  configuration,  ///< Settings, versions, limits, the container.
  hardware,       ///< A GPU, a NIC, a link, a driver.
  setup,          ///< Something that NCCL could not set up.
  program,        ///< The program failed, or called NCCL wrongly.
  process,        ///< A process is missing, gone or behind.
  network,        ///< Traffic between processes failed.
  hang,           ///< Ranks wait, and what for is not said.
  symptom,        ///< It says that another process failed, or only that something failed.
  performance,    ///< The job runs, on a slow path.
  note            ///< Worth knowing.
};
std::string_view to_string(Stage stage);

/// A rank or process to look at first: the one at fault, or the one that the others wait for. Ranks that are merely
/// affected are in Finding::ranks.
struct Suspect {
  int rank = -1;       ///< In the finding's communicator when it names one, else in the job as the program numbers it.
  Index process = -1;  ///< Gives host, pod and pid; -1 when no line of the process is in the input.
  std::string why;     ///< What the log shows of it, half a sentence: `called AllReduce 173 last`.
  bool inferred = false;
};

struct RuleInfo;

/// One fault that a rule found in this input. A check fills in what it sees; analyze() adds the rule, the rest of the
/// scope and what follows from the fault.
struct Finding {
  const RuleInfo* rule = nullptr;  ///< Set by analyze(); points into the rule.
  std::string message = {};        ///< This case, with its numbers.
  std::string fix = {};            ///< Replaces RuleInfo::fix when the log tells more; else empty.
  Evidence evidence = {};          ///< A finding without evidence is not reported.
  // The scope: what the fault touches. All three empty: the whole input.
  std::vector<Index> communicators = {};
  std::vector<Index> processes = {};
  std::vector<int> ranks = {};  ///< Of `communicators` when there is one.
  std::vector<Suspect> suspects = {};
  std::vector<Index> incidents = {};  ///< Into Model::incidents: those that the finding accounts for.
  bool survived = false;              ///< Its processes went on: it explains no failure.
  bool provisional = false;           ///< This case may go away while the log grows; see RuleInfo::provisional.
  bool consequence = false;           ///< Another finding of this input explains it. Set by analyze().
  std::optional<Severity> own_severity = std::nullopt;  ///< Replaces the rule's where this case is milder or worse.
  std::optional<Stage> own_stage = std::nullopt;        ///< Replaces the rule's for this case.
  /// What follows from it, as far as that is reported; these have none of their own. Set by analyze().
  std::vector<Finding> consequences = {};

  // These need `rule`.
  Severity severity() const;
  Stage stage() const;
  /// It may go away while the log grows, by its rule or in this case.
  bool is_provisional() const;
};

/// A rule that could not be judged on this input.
struct NotEvaluated {
  std::string_view rule;  ///< Id; set by analyze().
  std::string reason;
  std::string needs;  ///< What to set so that the lines are printed next time.
};

/// What a check returns.
struct Verdict {
  std::vector<Finding> findings;
  std::vector<NotEvaluated> not_evaluated;
};

/// The words and the place of a rule. Text is Markdown and static.
struct RuleInfo {
  std::string_view id;    ///< `NCA301`: never reused; the hundred is the family.
  std::string_view name;  ///< The fault, kebab-case.
  Severity severity{};
  Stage stage = Stage::note;
  std::string_view check = {};  ///< The question of every job (Report::checks) that a finding above info answers.
  /// Names of rules that explain this one beside those of lower stages; for `performance` and `note` only these do.
  std::span<const std::string_view> explained_by = {};
  /// The fault is inferred from what is absent: not reported where a failure is proven.
  bool only_if_unexplained = false;
  /// The rule relies on missing lines, or on a cause that may still appear: while lines are written, its findings may
  /// go away.
  bool provisional = false;
  std::string_view title;
  std::string_view explanation;  ///< What it means and why it hurts.
  std::string_view fix;          ///< What to do, most likely first.
};

/// Exactly one of the two functions is set. Both are pure.
struct Rule {
  RuleInfo info;
  Verdict (*check)(const Model&) = nullptr;
  /// Judges the incidents that no other rule accounts for: `claimed` says of each of Model::incidents whether a finding
  /// above info does.
  Verdict (*check_rest)(const Model&, const std::vector<bool>& claimed) = nullptr;
};

inline Severity Finding::severity() const { return own_severity.value_or(rule->severity); }
inline Stage Finding::stage() const { return own_stage.value_or(rule->stage); }
inline bool Finding::is_provisional() const { return provisional || rule->provisional; }

enum class CheckStatus : std::uint8_t { pass, fail, unknown };
std::string_view to_string(CheckStatus status);

/// A question every job is asked, with its answer.
struct Check {
  std::string check;
  CheckStatus status = CheckStatus::unknown;
  std::string detail;
};

struct Report {
  /// One for each cause, most likely root cause first. A consequence whose cause is absent, because the cause's rule is
  /// not among those asked or the cause is milder, stands by itself, after the causes of its severity.
  std::vector<Finding> findings;
  std::vector<NotEvaluated> not_evaluated;
  std::vector<Check> checks;
  /// Into Model::incidents: NCCL's warnings that no finding above info reports on, in order of lines.
  std::vector<Index> unexplained_warnings;
};

/// Every rule, in id order.
std::span<const Rule* const> all_rules();

/// The rule with this id or name; nullptr when there is none.
const Rule* find_rule(std::string_view id_or_name);

/// Judges a finished model. `rules` are those whose findings are reported: built-in ones, and the caller's own, which
/// outlive the report. Pure: same model, same report.
Report analyze(const Model& model, std::span<const Rule* const> rules = all_rules());

/// `0-3,7` from ranks in any order, duplicates and unknown ones (-1) dropped.
std::string rank_set(std::vector<int> ranks);

}  // namespace nccl_analyze
