#pragma once
/// What the report shows of the whole job: verdict, failures, checks, acceptance; and the report itself.

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "nccl_analyze/report.h"
#include "queries/jobs.h"
#include "queries/members/address.h"
#include "queries/members/benchmark.h"
#include "queries/members/communicator.h"
#include "queries/members/host.h"
#include "queries/members/machine.h"
#include "queries/members/pod.h"
#include "queries/members/process.h"
#include "queries/members/recording.h"
#include "queries/recorded_durations.h"
#include "report/json/finding_members.h"
#include "report/sentences/acceptance_matrix.h"
#include "report/sentences/failures.h"
#include "report/sentences/next_steps.h"
#include "report/sentences/outcome.h"
#include "report/sentences/verdict.h"

namespace nccl_analyze::members {

/// A verdict; that of one of several jobs has no outcome.
struct VerdictRow {
  Judgement judgement;
  std::optional<JobOutcome> outcome;
};
template <>
inline constexpr auto members_of<VerdictRow> = std::tuple{
    in_line("verdict", "The whole report in a line."),
    member("status", word<JobStatus::unknown>,
           "unknown: nothing is found, and too little was read for that to prove anything.",
           [](const VerdictRow& row) { return row.judgement.status; }),
    member(
        "headline", plain, [](const VerdictRow& row) -> auto& { return row.judgement.headline; }),
    sometimes("outcome", word<Outcome::running>,
              "What became of the job; running: the log ends in the middle of healthy work. Not in the verdicts of "
              "jobs.",
              [](const VerdictRow& row) { return row.outcome ? std::optional{row.outcome->outcome} : std::nullopt; }),
    sometimes("outcome_lines", objects, "Lines that show the outcome; empty if it is unknown.",
              [](const VerdictRow& row) { return row.outcome ? &row.outcome->lines : nullptr; }),
};

/// One of several jobs.
struct JobRow {
  const Job& job;
  VerdictRow verdict;
};
template <>
inline constexpr auto members_of<JobRow> = std::tuple{
    in_block("job"),
    member("nranks", plain, "Of its largest communicator.", [](const JobRow& row) { return row.job.nranks; }),
    member(
        "sources", Array<Plain>{}, "Indices into input.sources.",
        [](const JobRow& row) -> auto& { return row.job.sources; }),
    member("verdict", object, &JobRow::verdict),
};

template <>
inline constexpr auto members_of<ProcessFailure> = std::tuple{
    in_line("failure"),
    member("process", reference, "Index into `processes`.", &ProcessFailure::process),
    member("rank", known, &ProcessFailure::rank),
    flat(&ProcessFailure::at),
    member("message", known, "null: the process died without one, after this line.", &ProcessFailure::message),
    member("first", plain, "It came before all others.", &ProcessFailure::is_first),
};

template <>
inline constexpr auto members_of<FailureList> = std::tuple{
    in_block("failures", "The first failure of each process that failed."),
    member("order", OneOf{"time|line"},
           "What their order is from: the clocks of their hosts, or the lines of the only source. null: nothing tells "
           "it.",
           [](const FailureList& list) {
             return list.order == FailureOrder::none ? std::nullopt : std::optional{to_string(list.order)};
           }),
    member("processes", objects,
           [](const FailureList& list) {
             return std::span(list.failures).first(std::min(std::size_t{65536}, list.failures.size()));
           }),
};

template <>
inline constexpr auto members_of<NextStep> = std::tuple{
    in_line("next"),
    member("why", plain, &NextStep::why),
    member("command", plain, &NextStep::command),
};

template <>
inline constexpr auto members_of<NotEvaluated> = std::tuple{
    in_line("not_evaluated"),
    member("rule", rule_id, &NotEvaluated::rule),
    member("reason", plain, &NotEvaluated::reason),
    member("needs", known, "What to set so that the missing lines are printed.", &NotEvaluated::needs),
};

template <>
inline constexpr auto members_of<Check> = std::tuple{
    in_line("check"),
    member("check", plain, &Check::check),
    member("status", word<CheckStatus::unknown>, &Check::status),
    member("detail", plain, &Check::detail),
};

template <>
inline constexpr auto members_of<AcceptanceColumn> = std::tuple{
    in_line("acceptance_column"),
    member("check", plain, "The expectation as written: nics>=8.", &AcceptanceColumn::check),
    member("key", plain, &AcceptanceColumn::key),
    member("wanted", known, "The number that = or >= requires.", &AcceptanceColumn::wanted),
};

template <>
inline constexpr auto members_of<AcceptanceCell> = std::tuple{
    in_line("acceptance_cell"),
    member("status", word<CheckStatus::unknown>, &AcceptanceCell::status),
    member("seen", known, "What the log shows: 7 NICs.", &AcceptanceCell::seen),
    member("amount", known, "The number in it.", &AcceptanceCell::amount),
};

/// A node of the matrix.
struct AcceptanceRow {
  const AcceptanceNode& node;
  std::vector<AcceptanceCell> cells;  ///< One for each column.
};
template <auto Part>
inline constexpr auto of_node = [](const AcceptanceRow& row) -> auto& {
  return row.node.*Part;
};
template <>
inline constexpr auto members_of<AcceptanceRow> = std::tuple{
    in_line("acceptance_node"),
    member("name", known, "The host, else its pod.", of_node<&AcceptanceNode::name>),
    member("pod", known, "Only where several nodes have the same name.", of_node<&AcceptanceNode::pod>),
    member("container", known, "Only where several nodes have the same name.", of_node<&AcceptanceNode::container>),
    member("has_log", plain, "False for an expected node of which no log was read.", of_node<&AcceptanceNode::has_log>),
    member("status", word<CheckStatus::unknown>, "The worst of its cells.", of_node<&AcceptanceNode::status>),
    member("cells", objects, "One for each column.", &AcceptanceRow::cells),
};

template <>
inline constexpr auto members_of<Acceptance> = std::tuple{
    in_block("acceptance"),
    member("profile", known, &Acceptance::profile),
    member("source", known, "Where the numbers of the profile come from.", &Acceptance::source),
    member("columns", objects, "The checks that each node must pass.", &Acceptance::columns),
    member("nodes", each<AcceptanceRow>, "Sorted by name.",
           [](const Acceptance& acceptance, const Context&, const auto& write) {
             for (const AcceptanceNode& node : acceptance.nodes) {
               AcceptanceRow row{node, {}};
               for (std::size_t i = 0; i < acceptance.columns.size(); ++i)
                 row.cells.push_back(cell_of(node, acceptance, i));
               write(row);
             }
           }),
    member("unlogged_nodes", at_least(0), "Nodes of the job of which no log was read and no name is known.",
           &Acceptance::unlogged_nodes),
    member("job", objects, "The expectations of the whole job, which are also in checks.", &Acceptance::job),
};

}  // namespace nccl_analyze::members
