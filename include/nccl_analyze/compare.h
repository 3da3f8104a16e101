#pragma once
/// Comparison of two runs: RunFacts has the facts of one run, RunDiff the differences of two. The differences that are
/// most likely to matter come first. Facts of processes and hosts are compared by rank, because the host names of two
/// runs may differ.

#include <array>
#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "nccl_analyze/model.h"
#include "nccl_analyze/report.h"
#include "nccl_analyze/rule.h"

namespace nccl_analyze {

/// The subject of a fact. Subjects whose differences are most likely to matter come first.
enum class Topic : std::uint8_t {
  job,  ///< The number of ranks and hosts, and which ranks share a host.
  network,
  gpudirect,
  transports,
  versions,
  settings,
  machines,  ///< Instance type, CPU, GPUs, NVLink, PCIe.
  nics,
  channels,
  communicators,
  algorithm,
  graphs,  ///< Rings, trees, NVLS heads and CollNet chains, by rank.
  start,   ///< How far the initialisation of each rank came.
  init_time,
  bandwidth,
  findings
};
inline constexpr std::size_t topics = 16;
/// The word for a topic in JSON and on the command line: `init-time`.
std::string_view to_string(Topic topic);
/// The topic with this word; nullopt if there is none.
std::optional<Topic> find_topic(std::string_view word);

/// One value of a fact, and the ranks and processes that have this value.
struct FactValue {
  std::string text;
  std::vector<int> ranks;  ///< Ranks of the main communicator, ascending.
  /// Number of processes outside the main communicator with this value; 1 for a fact of the whole job.
  std::uint64_t others = 0;
  LineRef at;  ///< A line that shows the value; line 0 when none is known.
};

/// A fact with its values. The value of a rank that no FactValue lists is unknown: its log has no line with the fact.
struct Fact {
  Topic topic{};
  std::string name;               ///< `network`, `NCCL_IB_HCA`
  std::vector<FactValue> values;  ///< No two with the same text.
};

/// A number that differs a little in every run, such as a duration. The topic determines how large a difference must be
/// to be reported.
struct Measure {
  Topic topic = Topic::init_time;
  std::string name;  ///< `bootstrap`
  double value = 0;
  std::string_view unit;  ///< `s`; static.
  int rank = -1;          ///< The rank with this value, the worst of all ranks; -1: a value of the whole job.
  LineRef at;
};

/// A rule that has findings in a run, with the most severe of these findings.
struct RunFinding {
  std::string rule, name;  ///< `NCA302`, `socket-fallback`
  Severity severity{};
  std::string message;
  LineRef at;
};

/// A rank of the main communicator whose log is in the input.
struct RunRank {
  int rank = -1;
  Index host = -1;  ///< Index into RunFacts::hosts.
  InitPhase phase = InitPhase::bootstrap;
  /// Whether the log of the rank has lines of level INFO. If so, a setting without a line was probably not set.
  bool prints_settings = false;
};

/// The facts of one run that a comparison uses. The main communicator is the one with the most ranks.
struct RunFacts {
  std::string name;                  ///< The name of the run in reports, such as a path.
  std::vector<std::string> sources;  ///< Names, indexed by SourceId.
  /// Maps the numbers of lines in the order of reading to those in each source; empty if the run was read from a
  /// report, which has the latter.
  std::vector<LinePlaces> places;
  std::vector<std::string> hosts;
  std::vector<RunRank> ranks;  ///< Sorted by rank.
  std::size_t processes = 0;   ///< Number of all processes, with or without a rank.
  int nranks = -1;             ///< Number of ranks of the main communicator; -1: unknown.
  std::vector<Fact> facts;     ///< Sorted by topic and name.
  std::vector<Measure> measures;
  std::vector<RunFinding> findings;     ///< Sorted by rule.
  std::vector<std::string> not_judged;  ///< Ids of rules that could not be evaluated, sorted.
};

/// Returns the facts of a run. `report` must be the report on `model`.
RunFacts facts_of(const Model& model, const Report& report);

/// The result of read_report().
struct ReadReport {
  RunFacts facts;
  std::string error;  ///< Why the text cannot be read as a report; empty on success.
};
/// Reads the facts of a run from a report that write_json() wrote. Facts that the report lacks are unknown. Memory is a
/// multiple of the text's size.
ReadReport read_report(std::string_view json);

/// One difference between two runs. A value is disengaged if the run has no value: no line prints the setting, or the
/// rule has no finding.
struct Change {
  Topic topic{};
  std::string what;
  std::optional<std::string> old_value = {}, new_value = {};
  std::vector<int> ranks = {};  ///< The ranks with this change; empty for a fact of the whole job.
  bool every_rank = false;      ///< Whether `ranks` has all ranks that both runs show.
  bool outside = false;         ///< Whether only processes outside the main communicator have this change.
  /// The hosts of `ranks` in the new run, if the change is on all ranks of these hosts that both runs show; otherwise
  /// empty. Also empty if the host of one of the ranks is unknown.
  std::vector<std::string> hosts = {};
  LineRef new_at = {};  ///< A line of the new run that shows its value.
  std::string old_place = {},
              new_place = {};  ///< Lines that show the values, `worker-0.log:27`; empty when none is known.
};

/// Facts that could not be compared because one run does not show them.
struct NotCompared {
  Topic topic{};
  std::vector<std::string> what;  ///< Names of facts, or ranks.
  bool old_lacks = false;         ///< True: the old run lacks them; false: the new run.
  bool whole_topic = false;       ///< Whether that run has no fact of the topic at all.
  std::string_view shown_by;      ///< Describes the log lines that show such facts; static.
};

/// A fact with the same value on all ranks of both runs.
struct SharedFact {
  Topic topic{};
  std::string what, value;
};

/// The difference of two runs.
struct RunDiff {
  std::string old_name, new_name;
  std::vector<Change> changes;  ///< Causes before their effects, else in the order of topics.
  std::vector<NotCompared> not_compared;
  std::vector<SharedFact> shared;  ///< The equal facts that describe the job, such as its size and versions.
  std::array<std::size_t, topics> equal = {};    ///< Number of equal facts by topic.
  std::size_t compared_hosts = 0;                ///< Number of hosts of the new run with a rank that both runs show.
  bool same() const { return changes.empty(); }  ///< Facts that could not be compared do not count.
};

/// Compares two runs by all topics except `ignored`. Pure: equal facts give an equal result.
RunDiff compare(const RunFacts& old_run, const RunFacts& new_run, std::span<const Topic> ignored = {});

/// Compares the run with `baseline`, a good run. If they differ and `rules` contains the rule NCA803, adds a finding of
/// this rule to `report`. Findings are not compared, because `report` contains them anyway. `report` must be the result
/// of analyze() for the same model.
void check_baseline(const Model& model, const RunFacts& baseline, std::span<const Rule* const> rules, Report& report);

/// Writes the difference for a terminal: the facts that both runs share, then old and new values in columns. Writes
/// nothing if the runs are equal and every fact could be compared.
void write_diff_text(std::ostream& out, const RunDiff& diff, const TextOptions& options = {});
/// Writes the difference as JSON, `nccl-analyze.diff` version 1 (see diff.v1.schema.json).
void write_diff_json(std::ostream& out, const RunDiff& diff);
/// Writes the difference in GitHub's Markdown.
void write_diff_markdown(std::ostream& out, const RunDiff& diff);
/// Writes the difference as one HTML file that loads no external resource.
void write_diff_html(std::ostream& out, const RunDiff& diff);

}  // namespace nccl_analyze
