#pragma once
/// Comparison of two runs: the facts of each run as plain data, and what changed between them, ordered by what is
/// likely to matter. Runs need not have equal host names: facts of processes and hosts are compared by rank.

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

/// What a fact is about, in the order in which differences are likely to matter.
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
/// The word of a topic in JSON and on the command line: `init-time`.
std::string_view to_string(Topic topic);
std::optional<Topic> find_topic(std::string_view word);

/// One value of a fact, and who has it.
struct FactValue {
  std::string text;
  std::vector<int> ranks;  ///< Ranks of the main communicator, ascending.
  /// Number of processes outside the main communicator; 1 for a fact of the whole job.
  std::uint64_t others = 0;
  LineRef at;  ///< A line that shows the value; line 0 when none is known.
};

/// A fact with its values. Ranks in none of them have printed no such line: their value was not seen.
struct Fact {
  Topic topic{};
  std::string name;               ///< `network`, `NCCL_IB_HCA`
  std::vector<FactValue> values;  ///< No two with the same text.
};

/// A number that differs a little in every run. Topics set how large a difference must be to count.
struct Measure {
  Topic topic = Topic::init_time;
  std::string name;  ///< `bootstrap`
  double value = 0;
  std::string_view unit;  ///< `s`; static.
  int rank = -1;          ///< The rank with this value, which is the worst one; -1: the whole job.
  LineRef at;
};

/// A rule with findings in a run, by the most severe of them.
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
  /// The log has lines of level INFO, so that a setting without a line was probably not set.
  bool prints_settings = false;
};

/// What a comparison needs to know of a run. The main communicator is the one with the most ranks.
struct RunFacts {
  std::string name;                  ///< For readers, such as a path.
  std::vector<std::string> sources;  ///< Names, indexed by SourceId.
  std::vector<std::string> hosts;
  std::vector<RunRank> ranks;  ///< Sorted by rank.
  std::size_t processes = 0;   ///< With or without a rank.
  int nranks = -1;             ///< Of the main communicator.
  std::vector<Fact> facts;     ///< Sorted by topic and name.
  std::vector<Measure> measures;
  std::vector<RunFinding> findings;     ///< Sorted by rule.
  std::vector<std::string> not_judged;  ///< Ids of rules that could not be evaluated, sorted.
};

/// The facts of a run. The report must be of the same model.
RunFacts facts_of(const Model& model, const Report& report);

/// The result of read_report().
struct ReadReport {
  RunFacts facts;
  std::string error;  ///< Why the text is no report; empty on success.
};
/// Reads the facts of a run from a report that write_json() wrote. What the report does not hold counts as not seen.
/// Memory is a multiple of the text's size.
ReadReport read_report(std::string_view json);

/// One difference between two runs. A disengaged value: there is none, for a setting that no line prints or a finding
/// that is not there.
struct Change {
  Topic topic{};
  std::string what;
  std::optional<std::string> old_value = {}, new_value = {};
  std::vector<int> ranks = {};  ///< The ranks that changed so; empty for a fact of the whole job.
  bool every_rank = false;      ///< These are all ranks that both runs show.
  bool outside = false;         ///< The fact is of processes outside the main communicator.
  /// The hosts of these ranks in the new run if each of them changed with all its ranks; else empty.
  std::vector<std::string> hosts = {};
  LineRef new_at = {};  ///< A line of the new run that shows its value.
  std::string old_place = {},
              new_place = {};  ///< Lines that show the values, `worker-0.log:27`; empty when none is known.
};

/// Facts that could not be compared because one run does not show them.
struct NotCompared {
  Topic topic{};
  std::vector<std::string> what;  ///< Names of facts, or ranks.
  bool old_lacks = false;         ///< The old run lacks them; else the new one.
  bool whole_topic = false;       ///< That run has no fact of the topic.
  std::string_view shown_by;      ///< The lines that show such facts; static.
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
  std::vector<SharedFact> shared;                ///< The main facts that are equal.
  std::array<std::size_t, topics> equal = {};    ///< Number of equal facts by topic.
  std::size_t compared_hosts = 0;                ///< Hosts of the new run whose ranks both runs show.
  bool same() const { return changes.empty(); }  ///< What was not seen is no difference.
};

/// Compares two runs by all topics but `ignored`. Pure: equal facts give an equal result.
RunDiff compare(const RunFacts& old_run, const RunFacts& new_run, std::span<const Topic> ignored = {});

/// Adds to `report` an NCA803 finding if the run differs from a good one and `rules` contains that rule. Findings of
/// other rules are not compared, because they stand in the report themselves. `report` must be the result of analyze()
/// for the same model.
void check_baseline(const Model& model, const RunFacts& baseline, std::span<const Rule* const> rules, Report& report);

/// The difference for a terminal: what both runs share, then old and new in columns. Writes nothing if the runs are
/// equal and everything could be compared.
void write_diff_text(std::ostream& out, const RunDiff& diff, const TextOptions& options = {});
/// The difference as JSON, `nccl-analyze.diff` version 1 (see diff.v1.schema.json).
void write_diff_json(std::ostream& out, const RunDiff& diff);
/// The difference in GitHub's Markdown.
void write_diff_markdown(std::ostream& out, const RunDiff& diff);
/// The difference as one HTML file that loads no external resource.
void write_diff_html(std::ostream& out, const RunDiff& diff);

}  // namespace nccl_analyze
