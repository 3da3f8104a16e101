#pragma once
/// Rules, findings and analyze(), which applies rules to a model. lib/rules/README.md lists the built-in rules.

#include <array>
#include <concepts>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "nccl_analyze/acceptance.h"
#include "nccl_analyze/model.h"

namespace nccl_analyze {

enum class Severity : std::uint8_t { info, warning, error };
std::string_view to_string(Severity severity);

/// The place of a fault between root cause and symptom; a fault of an earlier stage explains faults of later stages in
/// the same scope. Faults of the stages up to `program` occur inside the process that reports them; faults of later
/// stages reach a process through its peers.
enum class Stage : std::uint8_t {
  configuration,  ///< Settings, versions, limits, the container.
  hardware,       ///< A GPU, a NIC, a link, a driver; a host that failed or ran out of memory.
  setup,          ///< NCCL could not initialise a resource, such as shared memory or a plugin.
  program,        ///< The program failed, or called NCCL wrongly.
  process,        ///< A process is missing, has ended or lags behind its peers.
  network,        ///< Traffic between processes failed.
  hang,           ///< Ranks wait, and no line shows the reason.
  symptom,        ///< An effect of another failure, or a failure that the log does not specify.
  performance,    ///< The job runs, but on a slow path.
  note            ///< Not a fault, but worth knowing.
};
std::string_view to_string(Stage stage);

/// A rank or process to examine first, because it is at fault or because other ranks wait for it. Ranks that are merely
/// affected by a fault are in Finding::ranks, but are not suspects.
struct Suspect {
  int rank = -1;       ///< The rank in the finding's communicator; without a communicator, the program's global rank.
  Index process = -1;  ///< Index into Model::processes; -1 if the input has no line of the process.
  std::string why;     ///< Evidence in half a sentence: `called AllReduce 173 last`.
  bool inferred = false;  ///< Whether the suspicion is based on missing lines instead of a printed line.
  // For a rank without a line in the input: its location according to another tool, such as the RAS client.
  Text host = {};
  std::int64_t pid = -1;
  int gpu = -1;
};

struct RuleInfo;

/// A step of the advice of a finding: what to do, or what to look at. Members that do not apply are empty.
struct Step {
  std::string text;       ///< Markdown, one or a few sentences.
  std::string command;    ///< A shell command, or lines of a manifest, ready to paste.
  std::string because;    ///< The fact of this log that demands the step: `errno 110`.
  std::string reference;  ///< Where the remedy comes from: `release notes of NCCL 2.27.3`.
};

/// One fault that a rule found in this input. The function of the rule fills in message, scope and evidence; analyze()
/// sets the rule, completes the scope and links the consequences.
struct Finding {
  const RuleInfo* rule = nullptr;  ///< Set by analyze(); points into the rule.
  /// The title of this variant of the fault, such as `Ranks 0-4 use the same GPU`; empty: RuleWords::title is used.
  std::string title = {};
  std::string message = {};  ///< Describes this case, with its numbers.
  std::string fix = {};      ///< Markdown that replaces the steps of the rule; usually empty. Set by site rules.
  /// Named values of this case, such as {"phase", "topo"}, for the conditions and placeholders of steps. Set by rules,
  /// in addition to the values that every finding has (lib/rules/advice).
  std::vector<std::pair<std::string_view, std::string>> values = {};
  /// The steps of the rule that this log does not exclude; steps that the log demands come first. Set by analyze().
  std::vector<Step> steps = {};
  Evidence evidence = {};  ///< A finding without evidence is not reported.
  // The scope of the fault: communicators, processes and ranks. The whole input if these three lists are empty.
  std::vector<Index> communicators = {};
  std::vector<Index> processes = {};
  std::vector<int> ranks = {};  ///< Rank numbers in the communicator, if the finding has one.
  std::vector<Suspect> suspects = {};
  /// The incidents that the finding accounts for, as indices into Model::incidents.
  std::vector<Index> incidents = {};
  bool survived = false;     ///< Whether the processes continued after the fault; such a finding explains no failure.
  bool provisional = false;  ///< Whether the finding may disappear while the log grows; see RuleInfo::provisional.
  bool consequence = false;  ///< Whether another finding explains this finding. Set by analyze().
  /// Replaces the rule's severity when this case is milder or worse.
  std::optional<Severity> own_severity = std::nullopt;
  std::optional<Stage> own_stage = std::nullopt;  ///< Replaces the rule's stage for this case.
  /// The reported findings that this finding explains; they have no consequences of their own. Set by analyze().
  std::vector<Finding> consequences = {};

  // The functions below require that `rule` is set.
  Severity severity() const;
  Stage stage() const;
  /// Returns `title`, or the title of the rule if `title` is empty.
  std::string_view shown_title() const;
  /// Whether the finding or its rule is provisional.
  bool is_provisional() const;
};

/// A rule that could not be judged on this input.
struct NotEvaluated {
  std::string_view rule;  ///< Id; set by analyze().
  std::string reason;
  std::string needs;  ///< The setting that makes NCCL print the missing lines in the next run.
};

/// The result of the function of a rule.
struct RuleResult {
  std::vector<Finding> findings = {};
  std::vector<NotEvaluated> not_evaluated = {};
};

/// A step as written in the document of a rule. `text` and `command` have placeholders such as `{peer}`, and
/// `{iface|eth0}` with an example for logs that do not show the value; a step with an unknown value and no example is
/// left out. The conditions are expressions such as `errno 110 and not kubernetes`; their terms are listed in
/// lib/rules/advice/conditions.cc. A condition is true only if the log proves it.
struct StepText {
  std::string_view text, command;
  std::string_view only_if;   ///< The step is shown only if this is proven; empty: always.
  std::string_view unless;    ///< The step is not shown if this is proven.
  std::string_view first_if;  ///< The step goes before others if this is proven; `only_if` does not move a step.
  std::string_view reference;
  std::string_view otherwise = {};  ///< Not empty: the step is shown only if no other is.
};

/// A title that replaces RuleWords::title in findings for which the log proves a condition.
struct TitleText {
  std::string_view text, only_if;
};

/// The words of a rule, as Markdown. Those of a built-in rule come from its document, lib/rules/*/ncaNNN.md; a rule of
/// the caller may leave `titles` and `steps` empty.
struct RuleWords {
  std::string_view title;
  std::string_view explanation;  ///< What the fault is and how it harms the job.
  std::string_view fix;          ///< All steps with their conditions, as a list.
  std::span<const TitleText> titles = {};
  std::span<const StepText> steps = {};  ///< Most likely first; empty: the items of `fix` are the steps.
};
inline constexpr RuleWords no_words{};

/// The words of a rule and its place in the chain from cause to symptom. The texts of built-in rules are static;
/// SiteRules owns the texts of a site's rules.
struct RuleInfo {
  std::string_view id;    ///< Such as `NCA301`; never reused. The first digit is the family.
  std::string_view name;  ///< The fault, kebab-case.
  Severity severity{};
  Stage stage = Stage::note;
  /// The entries of Report::checks, separated by blanks, that fail if the rule has a warning or an error.
  std::string_view check = {};
  /// Names of rules whose findings explain findings of this rule, in addition to rules of earlier stages. Findings of
  /// the stages `performance` and `note` are explained only by these rules.
  std::span<const std::string_view> explained_by = {};
  /// Whether the rule infers the fault from missing lines. Findings of such a rule are dropped when another finding
  /// proves a failure.
  bool only_if_unexplained = false;
  /// Whether the rule relies on missing lines, or on the absence of a cause that may still appear. Findings of such a
  /// rule may disappear while the log grows.
  bool provisional = false;
  const RuleWords* words = &no_words;
};

/// The code of a rule: a function, or a callable object with state, which must outlive the rule. Both must be pure, so
/// that equal models give equal reports.
class RuleCheck {
 public:
  using Function = RuleResult (*)(const Model&);

  constexpr RuleCheck() = default;
  template <std::convertible_to<Function> F>
  constexpr RuleCheck(F function) : function_(function) {}  // NOLINT(google-explicit-constructor): reads as a function
  template <class State>
  requires(!std::convertible_to<const State&, Function> && !std::same_as<State, RuleCheck> &&
           std::is_invocable_r_v<RuleResult, const State&,
                                 const Model&>) constexpr RuleCheck(const State&
                                                                        state)  // NOLINT(google-explicit-constructor):
                                                                                // reads as a function
      : state_(&state),
        call_([](const void* given, const Model& model) { return (*static_cast<const State*>(given))(model); }) {}
  /// A temporary would not outlive the rule.
  template <class State>
  requires(!std::convertible_to<const State&, Function> && !std::same_as<State, RuleCheck>)
      RuleCheck(const State&& state)
  = delete;

  explicit constexpr operator bool() const { return function_ != nullptr || call_ != nullptr; }
  RuleResult operator()(const Model& model) const { return call_ != nullptr ? call_(state_, model) : function_(model); }

 private:
  Function function_ = nullptr;
  const void* state_ = nullptr;
  RuleResult (*call_)(const void* state, const Model& model) = nullptr;
};

/// A rule: its texts and its code. Exactly one of `check` and `check_rest` is set.
struct Rule {
  RuleInfo info;
  RuleCheck check = {};
  /// Judges the incidents that no other rule accounts for: `claimed[i]` is true when a finding of severity warning or
  /// error accounts for Model::incidents[i].
  RuleResult (*check_rest)(const Model&, const std::vector<bool>& claimed) = nullptr;
};

inline Severity Finding::severity() const { return own_severity.value_or(rule->severity); }
inline Stage Finding::stage() const { return own_stage.value_or(rule->stage); }
inline std::string_view Finding::shown_title() const {
  return title.empty() ? rule->words->title : std::string_view{title};
}
inline bool Finding::is_provisional() const { return provisional || rule->provisional; }

/// The result of analyze(). Indices refer to the model that was analyzed.
struct Report {
  /// The root causes, most likely first, each with its consequences. A consequence is also listed here, after the
  /// causes of its severity, if its cause is milder or belongs to a rule that was not requested.
  std::vector<Finding> findings;
  std::vector<NotEvaluated> not_evaluated;
  std::vector<Check> checks;
  /// The rules that were passed to analyze(), in that order, then the rules of a site. A rule that is in neither
  /// `findings` nor `not_evaluated` found no fault.
  std::vector<const RuleInfo*> judged = {};
  /// The NCCL warnings, and since 2.32 its notices (level ATTN), that no finding of severity warning or error accounts
  /// for, as indices into Model::incidents, in line order.
  std::vector<Index> unexplained_warnings;
  std::optional<Acceptance> acceptance = std::nullopt;  ///< Set by check_expectations() if anything was expected.
};

/// Rules on one subject, whose ids have the same first digit.
struct RuleFamily {
  std::string_view prefix;  ///< The prefix of the ids in the family.
  std::string_view about;
};
inline constexpr std::array<RuleFamily, 9> rule_families{{
    {"NCA1", "the input itself"},
    {"NCA2", "start-up"},
    {"NCA3", "network"},
    {"NCA4", "inside a host"},
    {"NCA5", "topology and graph"},
    {"NCA6", "failures and hangs"},
    {"NCA7", "settings"},
    {"NCA8", "what was expected"},
    {"NCA9", "outside NCCL"},
}};

/// Returns every built-in rule, in id order.
std::span<const Rule* const> all_rules();

/// Returns the built-in rule with this id or name; null if there is none.
const Rule* find_rule(std::string_view id_or_name);

/// Applies all built-in rules and `rules` to a finished model, and reports the findings of `rules`. `rules` may include
/// rules of the caller, which must outlive the report. Pure: equal models give equal reports.
Report analyze(const Model& model, std::span<const Rule* const> rules = all_rules());

/// Formats ranks, given in any order, as ranges such as `0-3,7`. Duplicates and negative numbers are dropped.
std::string rank_set(std::vector<int> ranks);

}  // namespace nccl_analyze
