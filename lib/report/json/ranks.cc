// Writes the flat lists of the JSON report: ranks, paths between ranks, and progress.

#include "report/json/ranks.h"

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "nccl_analyze/rule.h"
#include "queries/paths.h"
#include "queries/ranks.h"
#include "text/escape.h"

namespace nccl_analyze {
namespace {

/// Returns the number of the last call of each rank in `progress`, by communicator and rank.
using CallNumbers = std::map<std::pair<Index, int>, std::uint64_t>;

CallNumbers numbers_of(std::span<const CallProgress> progress) {
  CallNumbers numbers;
  for (const CallProgress& one : progress) {
    if (one.communicator < 0) continue;
    for (const auto* group : {&one.reached, &one.behind})
      for (const RankProgress& rank : *group) numbers[{one.communicator, rank.rank}] = rank.number;
  }
  return numbers;
}

void write_last_call(JsonWriter& json, const Rank& rank, Index communicator, const CallNumbers& numbers) {
  json.key("last_call");
  if (!rank.calls) return json.null();
  const Calls& calls = *rank.calls;
  const CollectiveCall* const last = calls.total == 0 ? nullptr : calls.find(calls.total - 1);
  if (last == nullptr) return json.null();
  const auto number = numbers.find({communicator, rank.rank});
  json.begin_object();
  json.member("operation", to_string(last->operation));
  json.member("number", number == numbers.end() ? std::nullopt : std::optional{number->second});
  json.end();
}

void write_rank(JsonWriter& json, const Model& model, const Rank& rank, Index communicator,
                const CallNumbers& numbers) {
  const Process* const process = process_of(model, rank.process);
  const auto value_of = [&](Text Process::*fact) {
    return process == nullptr ? std::nullopt : known((process->*fact).view());
  };
  json.begin_object(Layout::line);
  json.member("rank", known(rank.rank));
  json.member("communicator", communicator);
  json.member("process", known(rank.process));
  json.member("host", value_of(&Process::host));
  json.member("pod", value_of(&Process::pod));
  json.member("container", value_of(&Process::container));
  json.member("pid", process == nullptr ? std::nullopt : known(process->pid));
  json.member("gpu", known(rank.nvml_dev >= 0 ? rank.nvml_dev : rank.cuda_dev));
  json.member("bus_id", rank.has_bus_id ? std::optional{to_hex(rank.bus_id)} : std::nullopt);
  json.member("state", to_string(rank.state));
  json.member("phase", to_string(rank.phase));
  json.member("init_seconds", rank.init_seconds ? std::optional{rank.init_seconds->total} : std::nullopt);
  write_last_call(json, rank, communicator, numbers);
  json.end();
}

void write_one(JsonWriter& json, const Model& model, const CallProgress& progress) {
  std::vector<int> reached;
  for (const RankProgress& one : progress.reached) reached.push_back(one.rank);
  json.begin_object(Layout::line);
  json.member("communicator", known(progress.communicator));
  json.member("nranks", known(progress.nranks));
  json.member("operation", to_string(progress.call.operation));
  json.member("number", progress.number);
  json.member("reached", known(rank_set(reached)));
  json.member("reached_count", progress.reached.size());
  json.begin_array("behind");
  for (const RankProgress& one : progress.behind) {
    const Process* const process = process_of(model, one.process);
    json.begin_object();
    json.member("rank", known(one.rank));
    json.member("number", one.number);
    json.member("process", known(one.process));
    json.member("host", process == nullptr ? std::nullopt : known(process->host.view()));
    json.end();
  }
  json.end();
  json.member("unknown", known(rank_set(progress.unknown)));
  json.end();
}

}  // namespace

void write_ranks(JsonWriter& json, const Model& model, std::span<const CallProgress> progress) {
  const CallNumbers numbers = numbers_of(progress);
  json.begin_array("ranks");
  for (std::size_t i = 0; i < model.communicators.size(); ++i)
    for (const Rank& rank : model.communicators[i].ranks) write_rank(json, model, rank, static_cast<Index>(i), numbers);
  json.end();
}

void write_paths(JsonWriter& json, const Model& model) {
  json.begin_array("paths");
  for (std::size_t i = 0; i < model.communicators.size(); ++i) {
    const CommPaths paths = find_paths(model, model.communicators[i]);
    json.begin_object(Layout::line);
    json.member("communicator", i);
    json.member("inside", known(paths.inside));
    json.member("between", known(paths.between));
    json.member("gdr", paths.gdr);
    json.member("nvls", paths.nvls);
    json.begin_array("why");
    for (const LineRef at : paths.why.lines) {
      json.begin_object();
      json.member("source", static_cast<std::uint32_t>(at.source));
      json.member("line", model.place_in_source(at));
      json.end();
    }
    json.end();
    json.end();
  }
  json.end();
}

void write_progress(JsonWriter& json, const Model& model, std::span<const CallProgress> progress) {
  json.begin_array("progress");
  for (const CallProgress& one : progress) write_one(json, model, one);
  json.end();
}

}  // namespace nccl_analyze
