// NCA606 reports processes that died without logging an error, as shown by errors of their peers, by missing lines, or
// by reports of NCCL's RAS client.

#include <set>
#include <utility>

#include "model/stable_sort.h"
#include "nccl_analyze/rule.h"
#include "nccl_analyze/rule_parts.h"
#include "queries/launches.h"
#include "queries/places.h"
#include "rules/findings.h"
#include "rules/support/vanished.h"
#include "text/message_text.h"

namespace nccl_analyze::nca606 {

namespace {

/// Lost ranks of one communicator, by its newest report.
using LostRanks = std::vector<const RasLostRank*>;

/// Returns ` on 10.0.4.51 and 10.0.4.52`; empty if the report has no address.
std::string hosts_text(const LostRanks& lost) {
  std::set<std::string> hosts;
  for (const RasLostRank* rank : lost)
    if (!rank->host.empty() && rank->host.view() != "unknown") hosts.insert(excerpt(rank->host.view(), 60));
  const std::vector<std::string> names(hosts.begin(), hosts.end());
  return when(!names.empty(), " on ", list_text(names));
}

Finding lost_finding(const Model& model, const NewestReport& newest, const LostRanks& lost) {
  Finding finding;
  const bool dead = lost.front()->dead, one = lost.size() == 1;
  for (const RasLostRank* rank : lost) {
    suspect({.rank = rank->rank,
             .process = rank->process,
             .why = dead ? "NCCL's RAS threads consider it dead" : "it does not answer NCCL's RAS"},
            finding);
    add_line(finding.evidence, rank->at);
    if (const Process* process = process_of(model, rank->process)) add_line(finding.evidence, process->last);
  }
  add_line(finding.evidence, newest.comm->at);
  const RasLostRank& first = *lost.front();
  const std::string who = one ? reported_rank_text(model, first.rank, first.process, first.pid, first.host)
                              : concat(ranks_text(finding.ranks), hosts_text(lost));
  finding.message = concat(
      capitalized(who), dead ? " vanished: by NCCL's RAS report of " : " probably died: by NCCL's RAS report of ",
      excerpt(newest.report->time, 40), one ? " its process" : " their processes",
      dead ? concat(one ? " is" : " are", " considered dead; ") : concat(one ? " does" : " do", " not answer; "),
      newest.comm->reported, " of ", newest.comm->nranks, " ranks answer");
  if (newest.comm->communicator >= 0) finding.communicators = {newest.comm->communicator};
  if (!dead) finding.own_severity = Severity::warning;
  return finding;
}

/// Reports the ranks that do not answer NCCL's RAS threads. A process is reported once, for its largest communicator.
void add_lost(const Model& model, RuleResult& result) {
  constexpr std::size_t max_findings = 16;
  std::vector<NewestReport> reports = newest_reports(model);
  sort_stably(reports, [](const NewestReport& a, const NewestReport& b) { return a.comm->nranks > b.comm->nranks; });
  std::set<std::pair<Text, std::int64_t>> known;
  bool nameless = false;  // whether ranks without a pid were reported, which other communicators may show again
  for (const NewestReport& newest : reports) {
    LostRanks dead, silent;
    const bool again = nameless;
    for (const RasLostRank& rank : newest.comm->lost) {
      const Process* const process = process_of(model, rank.process);
      if (process != nullptr && process->ended_in_order) continue;
      if (rank.pid < 0 ? again : !known.emplace(rank.host, rank.pid).second) continue;
      nameless = nameless || rank.pid < 0;
      (rank.dead ? dead : silent).push_back(&rank);
    }
    for (const LostRanks* lost : {&dead, &silent})
      if (!lost->empty() && result.findings.size() < max_findings)
        result.findings.push_back(lost_finding(model, newest, *lost));
  }
}

}  // namespace

RuleResult check(const Model& model) {
  RuleResult result;
  add_lost(model, result);
  for (VanishedRank& vanished : find_vanished_ranks(model)) {
    const Communicator& comm = model.communicators[vanished.communicator];
    const Rank* rank = find_rank(comm, vanished.rank);
    const Process* process = rank == nullptr ? nullptr : process_of(model, rank->process);
    Finding& finding = result.findings.emplace_back();
    finding.message =
        concat("Rank ", vanished.rank, process == nullptr ? std::string() : concat(" (", process_text(*process), ")"),
               vanished.circumstantial ? " probably died: " : " vanished without an error of its own: ", vanished.sign);
    finding.evidence.add(vanished.evidence);
    if (process != nullptr) {
      add_line(finding.evidence, process->last);
      add_line(finding.evidence, process->bootstrap_at);  // Errors of peers contain this address.
      finding.processes = {rank->process};
    }
    finding.communicators = {vanished.communicator};
    finding.ranks = {vanished.rank};
  }
  return result;
}

}  // namespace nccl_analyze::nca606
