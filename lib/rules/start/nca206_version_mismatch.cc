// NCA206 reports processes of one job that run different NCCL versions.

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "model/versions.h"
#include "nccl_analyze/events/environment.h"
#include "nccl_analyze/rule.h"
#include "nccl_analyze/rule_parts.h"
#include "queries/places.h"
#include "rules/findings.h"
#include "rules/support/message_groups.h"
#include "text/message_text.h"
#include "text/search.h"

namespace nccl_analyze::nca206 {

namespace {

struct Group {
  std::vector<int> ranks;
  std::vector<Index> processes;
  Evidence evidence;
};

/// Adds a version to the values for the advice: the first version of the finding as `found`, all others as `expected`.
void add_version(const Model& model, const Group& group, Finding& finding) {
  finding.values.emplace_back(finding.values.empty() ? "found" : "expected",
                              model.processes[group.processes.front()].version.str());
}

using Versions = MessageGroups<Group, std::pair<Text, Text>>;

Versions versions_of(const Model& model, const Communicator& comm) {
  Versions groups;
  for (const KnownRank& known : known_ranks(model, comm)) {
    const Process& process = known.process;
    if (process.version.empty()) continue;
    Group& group =
        groups.of({process.library, process.version}, [&] { return concat(process.library, " ", process.version); });
    group.ranks.push_back(known.rank.rank);
    group.processes.push_back(known.rank.process);
    add_line(group.evidence, process.version_at);
  }
  return groups;
}

/// Returns the warnings about bootstrap messages of the wrong size, a sign of different versions: the bootstrap
/// exchanges internal structures of NCCL, whose sizes differ between versions.
Evidence misfits(const Model& model) {
  Evidence evidence;
  for (const Incident& incident : model.incidents)
    if (incident.topic == "collective-mismatch" && contains(incident.place, "bootstrap"))
      evidence.add(incident.evidence);
  return evidence;
}

/// Returns the warnings about addresses that are none, which a structure of another version leaves where one is read.
Evidence invalid_addresses(const Model& model) {
  Evidence evidence;
  for (const Incident& incident : model.incidents)
    if (contains(incident.message, "is neither AF_INET")) evidence.add(incident.evidence);
  return evidence;
}

std::string release_text(int release) { return concat(release / 100, ".", release % 100); }

/// Returns the range of NCCL releases that a process may run, by its version line, or else by the wording of its
/// messages.
Releases releases_of(const Process& process) {
  if (process.version.empty()) {
    const Releases& found = process.releases;
    return found.until == 0 || found.since <= found.until ? found : Releases{};
  }
  const int printed = process.library == "NCCL" ? release_of(process.version) : 0;
  return {.since = printed, .until = printed, .since_at = process.version_at, .until_at = process.version_at};
}

/// The processes with the newest and with the oldest release, among all processes that were added.
struct Apart {
  Index newer = -1, older = -1;
  Releases newest, oldest;
  bool is_rccl = false;  ///< Whether a process runs RCCL, whose wording does not identify a release of NCCL.

  void add(const Model& model, Index process) {
    is_rccl |= model.processes[process].library == "RCCL";
    const Releases one = releases_of(model.processes[process]);
    if (one.since > newest.since) newest = one, newer = process;
    if (one.until != 0 && (oldest.until == 0 || one.until < oldest.until)) oldest = one, older = process;
  }
  /// Whether at least one release lies between those of the two processes. Adjacent releases prove nothing, because a
  /// custom build may use a wording one release earlier or later than NCCL.
  bool found() const { return !is_rccl && oldest.until != 0 && newest.since > oldest.until + 1; }
};

std::string release_text(const Process& process, const Releases& found, bool newer) {
  if (!process.version.empty()) return concat(process_text(process), " runs NCCL ", process.version);
  return newer ? concat(process_text(process), " prints words that NCCL has since ", release_text(found.since))
               : concat(process_text(process), " prints words that NCCL had up to ", release_text(found.until));
}

Finding finding_of(const Model& model, const Apart& apart, const Evidence& misfit) {
  const Process& newer = model.processes[apart.newer];
  const Process& older = model.processes[apart.older];
  Finding finding;
  if (misfit.count == 0) finding.own_severity = Severity::warning;
  finding.message =
      concat("By what they print, two processes run different versions: ", release_text(newer, apart.newest, true),
             ", ", release_text(older, apart.oldest, false),
             misfit.count > 0 ? ", and messages of the bootstrap do not fit each other" : "");
  finding.processes = {apart.newer, apart.older};
  add_line(finding.evidence, apart.newest.since_at);
  add_line(finding.evidence, apart.oldest.until_at);
  finding.evidence.add(misfit);
  finding.provisional = true;
  return finding;
}

/// Compares processes by the wording of their messages, because version lines are often missing: NCCL prints the
/// version in one process of a job, or in none if the log has only errors.
void compare_wordings(const Model& model, RuleResult& result) {
  const Evidence misfit = misfits(model);
  for (const Communicator& comm : model.communicators) {
    Apart apart;
    for (const Rank& rank : comm.ranks)
      if (rank.process >= 0) apart.add(model, rank.process);
    if (!apart.found()) continue;
    result.findings.push_back(finding_of(model, apart, misfit));
    result.findings.back().communicators = {index_of(model, comm)};
    return;
  }
  if (!model.communicators.empty()) return;
  std::map<SourceId, Apart> sources;
  for (const Process& process : model.processes)
    if (!process.host.empty()) sources[process.source].add(model, index_of(model, process));
  for (const auto& [source, apart] : sources)
    if (apart.found()) result.findings.push_back(finding_of(model, apart, misfit));
}

/// Describes a contradiction between lines without readable prefixes: two different versions, or a version and the
/// wording of older releases. Empty if there is none.
std::string contradiction_of(const Process& process, Evidence& evidence) {
  if (!process.second_version.empty()) {
    add_line(evidence, process.second_version_at);
    add_line(evidence, process.version_at);
    return concat("different versions: NCCL ", process.second_version, " and ", process.version);
  }
  const int printed = release_of(process.version);
  const Releases& found = process.releases;
  if (process.pid >= 0 || printed == 0 || found.until == 0 || printed <= found.until + 1) return {};
  add_line(evidence, process.version_at);
  add_line(evidence, found.until_at);
  return concat("NCCL ", process.version, " and words that it had up to ", release_text(found.until));
}

/// Whether a rank completed its initialisation, or a benchmark measured: the log is then of a job that started, or of
/// one run after the other.
bool has_started(const Model& model) {
  const auto is_complete = [](const Rank& rank) {
    return rank.phase == InitPhase::complete || rank.state == RankState::destroyed;
  };
  return std::ranges::any_of(model.communicators,
                             [&](const Communicator& comm) { return std::ranges::any_of(comm.ranks, is_complete); }) ||
         std::ranges::any_of(model.benchmarks, [](const Benchmark& one) { return !one.measurements.empty(); });
}

/// Compares lines without readable prefixes, which may come from any number of processes. A version beside the wording
/// of another one counts only if a bootstrap message also had the wrong size; two versions count as long as nothing
/// shows that the job started, or that the log is of one run after the other.
void compare_unnamed(const Model& model, RuleResult& result) {
  const Evidence misfit = misfits(model), invalid = invalid_addresses(model);
  for (const Process& process : model.processes) {
    if (misfit.count == 0 && (process.second_version.empty() || has_started(model))) continue;
    Finding finding;
    const std::string versions = contradiction_of(process, finding.evidence);
    if (versions.empty()) continue;
    const bool is_proven = misfit.count + invalid.count > 0;
    finding.message =
        concat("Lines without a prefix print ", versions,
               misfit.count > 0    ? ", and messages of the bootstrap do not fit each other"
               : invalid.count > 0 ? ", and what came as an address is none"
                                   : ". If they are of one run, its ranks cannot start together; this input does not "
                                     "show it");
    finding.evidence.add(misfit);
    finding.evidence.add(invalid);
    if (!is_proven) finding.own_severity = Severity::warning;
    if (!process.second_version.empty())
      finding.values = {{"found", process.second_version.str()}, {"expected", process.version.str()}};
    finding.processes = {index_of(model, process)};
    finding.provisional = true;
    result.findings.push_back(std::move(finding));
  }
}

/// Compares the processes of each source in an excerpt without communicators. Processes of one job cannot start with
/// different versions.
void compare_processes(const Model& model, RuleResult& result) {
  if (!model.communicators.empty()) return;
  std::map<std::pair<SourceId, std::string>, Group> groups;
  std::map<SourceId, std::set<Text>> hosts;
  for (const Process& process : model.processes) {
    if (process.version.empty() || process.host.empty() || process.version_at.line == 0) continue;
    hosts[process.source].insert(process.host);
    Group& group = groups[{process.source, concat(process.library, " ", process.version)}];
    group.processes.push_back(index_of(model, process));
    add_line(group.evidence, process.version_at);
  }
  const Evidence misfit = misfits(model);
  for (const auto& [source, names] : hosts) {
    Finding finding;
    std::vector<std::string> parts;
    for (auto at = groups.lower_bound({source, {}}); at != groups.end() && at->first.first == source; ++at) {
      const auto& [key, group] = *at;
      parts.push_back(concat(key.second, " on ", process_text(model.processes[group.processes[0]])));
      finding.evidence.add(group.evidence);
      add_version(model, group, finding);
      finding.processes.insert(finding.processes.end(), group.processes.begin(), group.processes.end());
    }
    if (parts.size() < 2 || (names.size() < 2 && misfit.count == 0)) continue;
    finding.evidence.add(misfit);
    finding.message =
        concat(names.size() < 2 ? "Processes" : "Hosts", " print different versions: ", list_text(parts),
               misfit.count > 0 ? ", and messages of the bootstrap do not fit each other"
                                : ". If they are of one job, it cannot start; this input does not show it");
    if (misfit.count == 0) finding.own_severity = Severity::warning;
    finding.provisional = true;
    result.findings.push_back(std::move(finding));
  }
}

/// Returns `2.21.5` for the number 22105.
std::string version_text(int number) { return concat(number / 10000, ".", number / 100 % 100, ".", number % 100); }

/// Merges the warnings of NCCL about two ranks with different versions, because each rank names one other rank.
void add_detected(const Model& model, RuleResult& result) {
  std::map<int, std::set<int>> ranks;
  Finding finding = claimed(model, [&](const Incident& incident) {
    if (incident.kind != IncidentKind::version_mismatched) return false;
    const auto& event = incident.event.as<VersionMismatched>();
    ranks[event.version].insert(event.rank);
    ranks[event.other_version].insert(event.other_rank);
    return true;
  });
  if (ranks.size() < 2) return;
  std::vector<std::string> parts;
  for (const auto& [version, of] : ranks) {
    parts.push_back(concat(version_text(version), " on ", ranks_text({of.begin(), of.end()})));
    finding.values.emplace_back(finding.values.empty() ? "found" : "expected", version_text(version));
    finding.ranks.insert(finding.ranks.end(), of.begin(), of.end());
  }
  std::ranges::sort(finding.ranks);
  finding.message = concat("Ranks of one communicator run different versions of NCCL: ", list_text(parts));
  result.findings.push_back(std::move(finding));
}

}  // namespace

RuleResult check(const Model& model) {
  RuleResult result{each_communicator(model, [&](const Communicator& comm, Finding& finding) -> std::string {
    if (comm.parent >= 0) return {};
    Versions groups = versions_of(model, comm);
    if (groups.size() < 2) return {};
    std::vector<std::string> parts;
    for (auto& [version, group] : groups) {
      parts.push_back(concat(version, " on ", ranks_text(group.ranks)));
      finding.evidence.add(group.evidence);
      add_version(model, group, finding);
      finding.processes.insert(finding.processes.end(), group.processes.begin(), group.processes.end());
      finding.ranks.insert(finding.ranks.end(), group.ranks.begin(), group.ranks.end());
    }
    return concat("One communicator, different libraries: ", list_text(parts));
  })};
  if (result.findings.empty()) add_detected(model, result);
  if (result.findings.empty())
    result.findings =
        topic_findings(model, "version-mismatch", [](const Incident& incident) { return excerpt(incident.message); });
  if (result.findings.empty()) compare_processes(model, result);
  if (result.findings.empty()) compare_unnamed(model, result);
  if (result.findings.empty()) compare_wordings(model, result);
  return result;
}

}  // namespace nccl_analyze::nca206
