// Counts ranks by their last printed state. A rank without lines counts as missing only while no rank has completed: a
// completed rank proves that all ranks took part, so the input merely lacks the log of a rank without lines.

#include "cli/live/job_state.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <string_view>
#include <tuple>
#include <utility>

#include "nccl_analyze/rule.h"
#include "nccl_analyze/rule_parts.h"
#include "queries/progress.h"
#include "text/escape.h"
#include "text/phrases.h"

namespace nccl_analyze {
namespace {

constexpr std::size_t max_columns = 60;  // maximum width of a list of ranks

/// The names of the phases, indexed by InitPhase.
constexpr std::array<std::string_view, 5> phases = {
    "in the bootstrap", "exchanging rank data", "building rings and trees", "connecting channels", "at the very end"};

std::string ranks_text(const std::vector<int>& ranks) {
  return (ranks.size() == 1 ? "rank " : "ranks ") + truncated(rank_set(ranks), max_columns);
}

/// The progress of a communicator's initialisation, according to the log.
struct Progress {
  std::vector<int> silent;                              ///< Ranks without a line.
  std::array<std::vector<int>, phases.size()> waiting;  ///< Ranks without COMPLETE, by phase.
  std::size_t seen = 0, complete = 0, failed = 0, aborted = 0, destroyed = 0;
  std::size_t size = 0;
  bool done() const { return seen > 0 && complete == seen; }
  bool ended() const { return seen > 0 && destroyed + aborted + failed == seen; }
};

Progress progress_of(const Communicator& communicator) {
  Progress progress;
  progress.size = static_cast<std::size_t>(communicator.nranks);
  progress.seen = communicator.ranks.size();
  std::vector<bool> logged(progress.size);
  for (const Rank& rank : communicator.ranks) {
    if (rank.rank >= 0 && rank.rank < communicator.nranks) logged[static_cast<std::size_t>(rank.rank)] = true;
    progress.failed += rank.state == RankState::failed ? 1 : 0;
    progress.aborted += rank.state == RankState::aborted ? 1 : 0;
    progress.destroyed += rank.state == RankState::destroyed ? 1 : 0;
    if (rank.state == RankState::complete || rank.state == RankState::destroyed || rank.phase == InitPhase::complete)
      ++progress.complete;
    else if (rank.state == RankState::started)
      progress.waiting[static_cast<std::size_t>(rank.phase)].push_back(rank.rank);
  }
  for (std::size_t rank = 0; rank < logged.size(); ++rank)
    if (!logged[rank]) progress.silent.push_back(static_cast<int>(rank));
  return progress;
}

bool is_shown(const Communicator& communicator) {
  return !communicator.inferred && communicator.nranks > 0 && !communicator.ranks.empty();
}

std::string count_ranks(const Progress& progress) {
  const std::string size = std::to_string(progress.size), seen = std::to_string(progress.seen);
  std::string text;
  if (progress.complete == progress.size)
    text = "all " + size + " ranks complete";
  else if (progress.complete > 0 && !progress.silent.empty())
    text = seen + " of " + size + " ranks in this input, " +
           (progress.done() ? "all" : std::to_string(progress.complete)) + " complete";
  else
    text = seen + " of " + size + " ranks started, " + std::to_string(progress.complete) + " complete";
  constexpr std::array<std::pair<std::string_view, std::size_t Progress::*>, 3> rest = {
      {{"failed", &Progress::failed}, {"aborted", &Progress::aborted}, {"destroyed", &Progress::destroyed}}};
  for (const auto& [word, count] : rest)
    if (progress.*count > 0) text += ", " + std::to_string(progress.*count) + " " + std::string(word);
  if (progress.complete == 0 && !progress.silent.empty()) text += ", no line of " + ranks_text(progress.silent);
  return text;
}

std::string name_of(const Model& model, const Communicator& communicator) {
  const auto index = static_cast<Index>(&communicator - model.communicators.data());
  return "communicator " + communicator_name(model, index);
}

std::string call_sentence(const Model& model, const CallProgress& progress) {
  std::string text = progress_text(model, progress);
  if (progress.communicator >= 0 && model.communicators.size() > 1)
    text.append(" (communicator ").append(communicator_name(model, progress.communicator)).append(")");
  return text;
}

std::string waiting_phases_text(const Progress& progress) {
  std::vector<std::string> parts;
  for (std::size_t phase = 0; phase < phases.size(); ++phase)
    if (!progress.waiting[phase].empty())
      parts.push_back(ranks_text(progress.waiting[phase]) + " " + std::string(phases[phase]));
  if (progress.complete > 0) parts.push_back(std::to_string(progress.complete) + " complete");
  if (progress.failed > 0) parts.push_back(std::to_string(progress.failed) + " failed");
  if (progress.complete == 0 && !progress.silent.empty()) parts.push_back("no line of " + ranks_text(progress.silent));
  return joined(parts, ", ");
}

}  // namespace

std::vector<StateGroup> group_states(const Model& model) {
  // Communicators that are still in progress come first, larger before smaller.
  std::map<std::tuple<bool, bool, int, std::string>, StateGroup> groups;
  for (const Communicator& communicator : model.communicators) {
    if (!is_shown(communicator)) continue;
    Progress progress = progress_of(communicator);
    std::string counts = count_ranks(progress);
    const auto [place, is_new] =
        groups.try_emplace({progress.done(), progress.ended(), -communicator.nranks, std::move(counts)});
    StateGroup& group = place->second;
    if (!is_new) {
      ++group.communicators;
      continue;
    }
    group.first = static_cast<Index>(&communicator - model.communicators.data());
    group.ranks = progress.size;
    group.started = progress.seen;
    group.complete = progress.complete;
    group.failed = progress.failed;
    group.aborted = progress.aborted;
    group.destroyed = progress.destroyed;
    group.without_line = std::move(progress.silent);
  }
  std::vector<StateGroup> list;
  for (auto& [key, group] : groups) {
    const std::string which = group.communicators == 1 ? name_of(model, model.communicators[group.first])
                                                       : std::to_string(group.communicators) + " communicators";
    group.sentence = std::get<std::string>(key) + " (" + which + ")";
    list.push_back(std::move(group));
  }
  return list;
}

std::vector<std::string> describe_state(const Model& model) {
  std::vector<std::string> sentences;
  for (StateGroup& group : group_states(model)) sentences.push_back(std::move(group.sentence));
  if (sentences.empty() && !model.processes.empty())
    sentences.push_back(std::to_string(model.processes.size()) +
                        (model.processes.size() == 1 ? " process" : " processes") + ", no communicator yet");
  return sentences;
}

bool is_ready(const Model& model) {
  bool any = false;
  for (const Communicator& communicator : model.communicators) {
    if (!is_shown(communicator)) continue;
    any = true;
    if (!progress_of(communicator).done()) return false;
  }
  return any;
}

std::vector<std::string> describe_calls(const Model& model) {
  std::vector<std::string> sentences;
  for (const CallProgress& one : find_call_progress(model)) sentences.push_back(call_sentence(model, one));
  return sentences;
}

std::vector<std::string> describe_wait(const Model& model) {
  std::vector<std::string> sentences;
  bool any = false;
  for (const Communicator& communicator : model.communicators) {
    if (!is_shown(communicator)) continue;
    any = true;
    const Progress progress = progress_of(communicator);
    const bool waits = std::any_of(progress.waiting.begin(), progress.waiting.end(),
                                   [](const std::vector<int>& ranks) { return !ranks.empty(); });
    if (waits) sentences.push_back(name_of(model, communicator) + ": " + waiting_phases_text(progress));
  }
  if (!sentences.empty()) return sentences;
  const std::vector<CallProgress> calls = find_call_progress(model);
  for (const CallProgress& one : calls)
    if (!one.behind.empty()) sentences.push_back(call_sentence(model, one));
  if (!sentences.empty()) return sentences;
  if (!calls.empty()) return {"all ranks have made the last call: " + call_sentence(model, calls.front())};
  if (any)
    return {"every communicator is complete; what its job calls now NCCL prints with NCCL_DEBUG_SUBSYS=INIT,COLL"};
  if (!model.processes.empty()) return {"no communicator has begun"};
  return {"none has come at all; is NCCL_DEBUG=INFO set in the job?"};
}

}  // namespace nccl_analyze
