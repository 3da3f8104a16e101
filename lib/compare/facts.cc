// Collects the facts of a run: first the ranks of the main communicator in ascending order, then the other processes.

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "compare/collector.h"
#include "queries/ranks.h"

namespace nccl_analyze {
namespace {

LineRef first_line(const Evidence& evidence) { return evidence.lines.empty() ? LineRef{} : evidence.lines.front(); }

/// Adds a finding and its consequences. For each rule, the most severe finding is kept, the first one in case of a tie.
void add_finding(const Finding& finding, std::map<std::string_view, RunFinding>& by_rule) {
  const auto [known, is_new] = by_rule.try_emplace(finding.rule->id);
  if (is_new || finding.severity() > known->second.severity)
    known->second = {std::string{finding.rule->id}, std::string{finding.rule->name}, finding.severity(),
                     finding.message, first_line(finding.evidence)};
  for (const Finding& consequence : finding.consequences) add_finding(consequence, by_rule);
}

bool prints_settings(const Process& process) { return process.info_seen; }

}  // namespace

Index find_main_communicator(const Model& model) {
  Index found = -1;
  const auto size = [&](Index index) {
    const Communicator& comm = model.communicators[index];
    return std::pair{std::max(comm.nranks, static_cast<int>(comm.ranks.size())), comm.ranks.size()};
  };
  for (Index i = 0; i < static_cast<Index>(model.communicators.size()); ++i)
    if (!model.communicators[i].ranks.empty() && (found < 0 || size(i) > size(found))) found = i;
  return found;
}

void FactCollector::add(Topic topic, std::string_view name, Subject subject, std::string_view text, LineRef at) {
  if (text.empty()) return;
  auto fact = facts_.find(std::pair{topic, name});
  if (fact == facts_.end()) fact = facts_.try_emplace({topic, std::string{name}}).first;
  Values& values = fact->second;
  auto value = values.find(text);
  if (value == values.end())
    value = values.try_emplace(std::string{text}, FactValue{std::string{text}, {}, 0, at}).first;
  if (!subject.is_rank())
    ++value->second.others;
  else if (value->second.ranks.empty() || value->second.ranks.back() < subject.rank)
    value->second.ranks.push_back(subject.rank);
}

std::vector<Fact> FactCollector::take() && {
  std::vector<Fact> taken;
  for (auto& [key, values] : facts_) {
    Fact& fact = taken.emplace_back(Fact{key.first, key.second, {}});
    for (auto& [text, value] : values) fact.values.push_back(std::move(value));
  }
  return taken;
}

namespace {

/// Adds the facts of all processes. Facts of a process that is a rank of the main communicator get this rank, facts of
/// other processes get none.
void add_processes(const RunView& run, RunFacts& facts, FactCollector& collector) {
  const Model& model = run.model;
  std::vector<char> has_rank(model.processes.size(), 0);
  if (const Communicator* const comm = run.main_communicator()) {
    facts.nranks = comm->nranks;
    facts.measures = init_times(*comm);
    for (const Rank& rank : comm->ranks) {
      const Process* const process = process_of(model, rank.process);
      if (rank.rank < 0 || process == nullptr) continue;
      has_rank[static_cast<std::size_t>(rank.process)] = 1;
      if (!facts.ranks.empty() && facts.ranks.back().rank == rank.rank) continue;
      facts.ranks.push_back({rank.rank, process->host_index, rank.phase, prints_settings(*process)});
      add_process_facts(*process, {rank.rank}, collector);
      add_host_facts(model, *process, {rank.rank}, collector);
      add_gpu_facts(model, rank, collector);
    }
  }
  for (std::size_t i = 0; i < model.processes.size(); ++i) {
    if (has_rank[i] != 0) continue;
    add_process_facts(model.processes[i], {}, collector);
    add_host_facts(model, model.processes[i], {}, collector);
  }
}

}  // namespace

RunFacts facts_of(const Model& model, const Report& report) {
  RunFacts facts;
  const RunView run{model, find_main_communicator(model)};
  for (const Source& source : model.sources) {
    facts.sources.push_back(source.name);
    facts.places.push_back(source.stats.places);
  }
  for (const Host& host : model.hosts) facts.hosts.push_back(host.name.empty() ? host.pod : host.name);
  facts.processes = model.processes.size();
  FactCollector collector;
  add_processes(run, facts, collector);
  add_job_facts(run, collector);
  add_edge_facts(run, collector);
  add_communicator_facts(run, collector);
  facts.facts = std::move(collector).take();

  std::map<std::string_view, RunFinding> by_rule;
  for (const Finding& finding : report.findings) add_finding(finding, by_rule);
  for (auto& [rule, finding] : by_rule) facts.findings.push_back(std::move(finding));
  std::set<std::string> open;
  for (const NotEvaluated& item : report.not_evaluated) open.emplace(item.rule);
  facts.not_judged.assign(open.begin(), open.end());
  return facts;
}

}  // namespace nccl_analyze
