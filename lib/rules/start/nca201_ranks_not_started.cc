// NCA201 reports ranks without Init START, for which the other ranks wait in the bootstrap.

#include <algorithm>
#include <map>

#include "nccl_analyze/rule.h"
#include "nccl_analyze/rule_parts.h"
#include "queries/announced.h"
#include "queries/places.h"
#include "rules/support/unstarted.h"
#include "text/message_text.h"

namespace nccl_analyze::nca201 {

namespace {

constexpr std::size_t most_suspects = 64;

/// Whether the process printed the last line of a source that it shares with other processes. It may then still have
/// been starting when the log was copied.
bool ends_the_log(const Model& model, const Process& process) {
  bool shared = false;
  for (const Process& other : model.processes) {
    if (&other == &process || other.source != process.source) continue;
    if (process.last < other.last) return false;
    shared = true;
  }
  return shared;
}

/// Adds as suspects the processes that started NCCL but joined no communicator. The caller ensures that there are as
/// many of them as missing ranks.
void name_strangers(const Model& model, const std::vector<Index>& strangers, const Unstarted& unstarted,
                    Finding& finding) {
  const bool one = strangers.size() == 1;
  for (std::size_t i = 0; i < strangers.size() && i < most_suspects; ++i) {
    const Process& process = model.processes[strangers[i]];
    add_line(finding.evidence, process.last);
    if (ends_the_log(model, process)) finding.own_severity = Severity::info;
    finding.suspects.push_back({.rank = one ? unstarted.ranks.front() : -1,
                                .process = strangers[i],
                                .why = "it started NCCL and never printed Init START",
                                .inferred = true});
  }
  const Process& first = model.processes[strangers.front()];
  finding.message +=
      concat(one ? ". It is probably " : ". They are probably ", process_text(first),
             when(!one, " and ", strangers.size() - 1, " more"), ", which started NCCL and stopped before it");
}

/// Returns a sentence saying that the missing ranks are probably one whole host. Empty unless the missing ranks are
/// consecutive, are as many as each other host has, and do not lie between two ranks of one host.
std::string missing_host(const Model& model, const Communicator& comm, const std::vector<int>& missing) {
  const int first = missing.front(), last = missing.back();
  const auto count = static_cast<int>(missing.size());
  if (count < 2 || last - first + 1 != count) return {};
  std::map<std::string_view, int> sizes;
  const auto host_of = [&](const Rank* rank) -> std::string_view {
    const Process* process = rank == nullptr ? nullptr : process_of(model, rank->process);
    return process == nullptr ? std::string_view{} : process->host.view();
  };
  for (const Rank& rank : comm.ranks) ++sizes[host_of(&rank)];
  const bool alike = std::ranges::all_of(sizes, [&](const auto& size) { return size.second == count; });
  if (!alike || sizes.size() < 2 || sizes.contains(std::string_view{})) return {};
  const std::string_view before = host_of(find_rank(comm, first - 1));
  const std::string_view behind = host_of(find_rank(comm, last + 1));
  if (before == behind) return {};
  std::string where;
  if (!before.empty() && !behind.empty())
    where = concat("between those of ", excerpt(before, 60), " and ", excerpt(behind, 60));
  else if (!before.empty())
    where = concat("behind those of ", excerpt(before, 60));
  else
    where = concat("before those of ", excerpt(behind, 60));
  return concat("They are probably one whole host: each of the others has ", count, " ranks, and these come ", where);
}

/// Reports a job of which rank 0 announced itself and waits for others that did not. Without rank 0 the input is one of
/// several nodes, whose rank 0 says when all have come.
void add_unannounced(const Model& model, RuleResult& result) {
  std::optional<Announced> found = waiting_members(model);
  if (!found || !found->twice.empty() || !found->ranks.contains(0)) return;
  Finding& finding = result.findings.emplace_back();
  const std::set<int> absent = found->missing();
  const std::vector<int> missing(absent.begin(), absent.end());
  const std::vector<int> here(found->ranks.begin(), found->ranks.end());
  finding.message = concat(capitalized(ranks_text(here)), " of ", found->size,
                           here.size() == 1 ? " announced itself" : " announced themselves", ", ", ranks_text(missing),
                           " did not, and nothing here says that all have come");
  finding.ranks = missing;
  finding.values = {{"story", "announced"}, {"missing", short_rank_set(missing, 60)}};
  finding.own_severity = Severity::warning;
  finding.evidence = std::move(found->evidence);
}

}  // namespace

RuleResult check(const Model& model) {
  RuleResult result;
  const std::vector<Unstarted> all = find_unstarted(model);
  // With several incomplete communicators, a process without a rank could belong to any of them.
  const std::vector<Index> strangers = all.size() == 1 ? processes_without_rank(model) : std::vector<Index>{};
  for (const Unstarted& unstarted : all) {
    const Communicator& comm = model.communicators[unstarted.communicator];
    const std::vector<int> waiting = logged_ranks(comm);
    Finding& finding = result.findings.emplace_back();
    finding.message =
        concat(capitalized(ranks_text(waiting)), " of ", comm.nranks, waiting.size() == 1 ? " waits" : " wait",
               " in the bootstrap for ", ranks_text(unstarted.ranks), ", of which this input has no Init START");
    for (const Rank& rank : comm.ranks) add_line(finding.evidence, rank.started_at);
    for (const Rank& rank : comm.ranks)  // These lines prove that no log was cut at its head.
      if (const Process* process = process_of(model, rank.process)) add_line(finding.evidence, process->bootstrap_at);
    if (finding.evidence.count == 0) finding.evidence = evidence_at(comm.first);
    finding.communicators = {unstarted.communicator};
    finding.ranks = unstarted.ranks;
    finding.values.push_back({"missing", short_rank_set(unstarted.ranks, 60)});
    if (strangers.size() == unstarted.ranks.size()) {
      name_strangers(model, strangers, unstarted, finding);
      finding.values.push_back({"found", "processes"});
      continue;
    }
    if (const std::string host = missing_host(model, comm, unstarted.ranks); !host.empty())
      finding.message += concat(". ", host);
    for (const int rank : unstarted.ranks)
      if (finding.suspects.size() < most_suspects)
        finding.suspects.push_back({.rank = rank, .process = -1, .why = "no Init START of it is in this input"});
  }
  add_unannounced(model, result);
  return result;
}

}  // namespace nccl_analyze::nca201
