#pragma once
/// The JSON report as a whole.

#include <cstddef>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "report/json/job_members.h"

namespace nccl_analyze::members {

/// A report with its model, and what several of its members need.
struct Document {
  const Model& model;
  const Report& report;
  std::vector<CallProgress> progress;
};
/// Calls write(ReachRow) for each run whose bandwidth can be judged.
constexpr auto each_reach = [](const Document& document, const Context&, const auto& write) {
  const Model& model = document.model;
  for (const Benchmark& run : model.benchmarks)
    if (const Reach reach = find_reach(model, run); reach.measured != nullptr)
      write(ReachRow{run.operation, "nccl-tests", run.ranks.size(), reach});
  for (const RecordedRun& recorded : recorded_runs(model)) {
    const Benchmark run = as_benchmark(model, recorded);
    if (const Reach reach = find_recorded_reach(model, run); reach.measured != nullptr)
      write(ReachRow{run.operation, tool_of(recorded), static_cast<std::size_t>(recorded.shortest->nranks), reach});
  }
};
/// Calls write(RankRow) for each rank of each communicator.
constexpr auto each_rank = [](const Document& document, const Context&, const auto& write) {
  const CallNumbers calls = numbers_of(document.progress);
  for (const Communicator& communicator : document.model.communicators)
    for (const Rank& rank : communicator.ranks)
      write(row_of(rank, static_cast<Index>(index_in(document.model.communicators, communicator)), calls));
};

template <auto Part>
inline constexpr auto of_model = [](const Document& document) -> auto& {
  return document.model.*Part;
};
template <auto Part>
inline constexpr auto of_report = [](const Document& document) -> auto& {
  return document.report.*Part;
};

template <>
inline constexpr auto members_of<Document> = std::tuple{
    in_block("report",
             "What `nccl-analyze --format json` writes. Absent knowledge is null, never a guess. New keys may be added "
             "within version 1."),
    member("schema", OneOf{"nccl-analyze.report"},
           [](const Document&) { return std::string_view("nccl-analyze.report"); }),
    member("version", Constant{1}, std::identity{}),
    group("tool", Layout::line, "",
          std::tuple{
              member("name", OneOf{"nccl-analyze"}, [](const Document&) { return std::string_view("nccl-analyze"); }),
              member("version", plain, [](const Document&) { return version(); }),
          }),
    member("verdict", object,
           [](const Document& document) {
             return VerdictRow{judge(document.model, document.report), outcome_of(document.model, document.report)};
           }),
    member("jobs", each<JobRow>,
           "Jobs that the input holds one beside the other, each judged by itself; empty when nothing shows more than "
           "one.",
           [](const Document& document, const Context& context, const auto& write) {
             for (const Job& job : find_jobs(context.model))
               write(JobRow{job, {judge(context.model, document.report, job), std::nullopt}});
           }),
    member(
        "input", object, [](const Document& document) -> auto& { return document.model; }),
    member("processes", objects, "One per source, host and pid; sorted by source, then first line.",
           of_model<&Model::processes>),
    member("hosts", objects, "Places that processes share as far as the log lets tell; sorted by name, pod, container.",
           of_model<&Model::hosts>),
    member("communicators", objects, "Parents before children, then by first line.", of_model<&Model::communicators>),
    member("ranks", each<RankRow>, "Every rank of every communicator with its address; sorted by communicator, rank.",
           each_rank),
    member("paths", each<PathsRow>, "How the ranks of each communicator reach each other, as far as it is proven.",
           [](const Document& document, const Context&, const auto& write) {
             for (std::size_t i = 0; i < document.model.communicators.size(); ++i)
               write(PathsRow{i, find_paths(document.model, document.model.communicators[i])});
           }),
    member("progress", objects,
           "How far the ranks of each communicator have come in its collectives, by their COLL lines.",
           &Document::progress),
    member("benchmarks", objects, "Runs of nccl-tests, by line. Bandwidths are in GB/s (10^9 bytes).",
           of_model<&Model::benchmarks>),
    member("bandwidth", each<ReachRow>,
           "The largest size of each run of nccl-tests, and of each operation of a communicator whose durations other "
           "tools recorded, if it is 64 MiB or more; and what the links can carry. GB/s.",
           each_reach),
    member("machines", objects,
           "Documents that describe a machine, by line: nvidia-smi topo -m, topology and graph files of NCCL, ibstat, "
           "ibdev2netdev, lspci -vvv.",
           of_model<&Model::machines>),
    member("pods", objects,
           "Pods, and pod templates of workloads, as their Kubernetes manifests declare them, by line.",
           of_model<&Model::pods>),
    sometimes(
        "recordings", object, "What tools that watch the job recorded beside its log; absent if the input has none.",
        [](const Document& document) {
          const Model& model = document.model;
          const bool has_any = !model.ras_reports.empty() || !model.flight_records.empty() || !model.inspected.empty();
          return has_any ? std::optional<Recordings>({model.ras_reports, model.flight_records, model.inspected})
                         : std::nullopt;
        }),
    member("ambiguities", objects, "Connection lines that fit several communicators and are attributed to none.",
           of_model<&Model::ambiguities>),
    member("failures", object, [](const Document& document) { return list_failures(document.model, document.report); }),
    member("next", objects,
           "Commands with the names of this job, or settings for the next run; empty for a job that is OK.",
           [](const Document& document) { return next_steps(document.model, document.report); }),
    member("findings", objects, "Most likely root cause first: severity, then cause before consequence, then rule.",
           of_report<&Report::findings>),
    member("not_evaluated", objects, "Rules that this input does not allow to judge.",
           of_report<&Report::not_evaluated>),
    member("checks", objects, of_report<&Report::checks>),
    sometimes("acceptance", object, "The expectations as a matrix of nodes and checks. Absent if nothing was expected.",
              of_report<&Report::acceptance>),
};

}  // namespace nccl_analyze::members
