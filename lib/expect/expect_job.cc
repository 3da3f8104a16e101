// Judges the expectations of the whole job: its size, logs, channels and findings.

#include <algorithm>
#include <numeric>
#include <set>
#include <tuple>
#include <utility>

#include "expect/expect.h"
#include "model/stable_sort.h"
#include "nccl_analyze/rule_parts.h"
#include "queries/benchmarks.h"
#include "queries/ranks.h"
#include "text/phrases.h"
#include "text/search.h"

namespace nccl_analyze {

namespace {

/// A GPU in use: process and CUDA device. One process may drive several GPUs.
using Gpu = std::pair<Index, int>;

/// A set of communicators that are connected by shared processes, directly or through other communicators. Only shared
/// processes prove that communicators belong to one job.
struct Part {
  const Communicator* largest = nullptr;
  std::size_t unlogged = 0;  ///< Number of ranks of `largest` whose log is not in the input.
  std::set<Gpu> gpus;        ///< GPUs of all logged ranks.
  bool closed = true;        ///< Whether the input has the log of every rank of every communicator of the part.
  /// Whether some communicator has ranks that `largest` lacks, or more ranks without a log than `largest`.
  bool joined = false;
};

std::size_t logged(const Communicator& comm) { return comm.ranks.size(); }
std::size_t unlogged(const Communicator& comm) {
  const auto size = static_cast<std::size_t>(comm.nranks);
  return size - std::min(size, logged(comm));
}

bool counts(const Communicator& comm) { return !comm.inferred && comm.nranks > 0; }

/// Returns the root of a process in the union-find forest `parents`, and shortens the path to it.
std::size_t root_of(std::vector<std::size_t>& parents, std::size_t at) {
  while (parents[at] != at) at = parents[at] = parents[parents[at]];
  return at;
}

/// Combines communicators into a part; `comms` must not be empty.
Part make_part(const std::vector<const Communicator*>& comms) {
  Part part;
  for (const Communicator* comm : comms)
    if (part.largest == nullptr || comm->nranks > part.largest->nranks) part.largest = comm;
  part.unlogged = unlogged(*part.largest);
  for (const Communicator* comm : comms) {
    part.closed = part.closed && unlogged(*comm) == 0;
    for (const Rank& rank : comm->ranks) part.gpus.insert({rank.process, rank.cuda_dev});
  }
  std::set<Gpu> members;
  for (const Rank& rank : part.largest->ranks) members.insert({rank.process, rank.cuda_dev});
  for (const Communicator* comm : comms) {
    const bool outside = std::any_of(comm->ranks.begin(), comm->ranks.end(), [&](const Rank& rank) {
      return !members.contains({rank.process, rank.cuda_dev});
    });
    part.joined = part.joined || outside || unlogged(*comm) > part.unlogged;
  }
  return part;
}

std::vector<Part> parts_of(const Model& model) {
  std::vector<std::size_t> parents(model.processes.size() + 1);
  std::iota(parents.begin(), parents.end(), std::size_t{0});
  const auto slot = [&](Index process) {
    return process_of(model, process) == nullptr ? model.processes.size() : static_cast<std::size_t>(process);
  };
  std::vector<const Communicator*> counted_comms;
  for (const Communicator& comm : model.communicators) {
    if (!counts(comm) || comm.ranks.empty()) continue;
    counted_comms.push_back(&comm);
    for (const Rank& rank : comm.ranks)
      parents[root_of(parents, slot(rank.process))] = root_of(parents, slot(comm.ranks.front().process));
  }
  std::vector<std::pair<std::size_t, const Communicator*>> by_root;
  for (const Communicator* comm : counted_comms)
    by_root.emplace_back(root_of(parents, slot(comm->ranks.front().process)), comm);
  sort_stably(by_root, [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<Part> parts;
  for (std::size_t from = 0, to = 0; from < by_root.size(); from = to) {
    std::vector<const Communicator*> comms;
    for (to = from; to < by_root.size() && by_root[to].first == by_root[from].first; ++to)
      comms.push_back(by_root[to].second);
    parts.push_back(make_part(comms));
  }
  return parts;
}

/// Returns the number of ranks of a part, or -1 if the part may have ranks that the log does not show.
std::int64_t size_of(const Part& part) {
  if (!part.joined) return part.largest->nranks;
  return part.closed ? static_cast<std::int64_t>(part.gpus.size()) : -1;
}

Evidence size_evidence(const Communicator& comm) {
  for (const Rank& rank : comm.ranks)
    if (rank.started_at.line > 0) return evidence_at(rank.started_at);
  return evidence_at(comm.first);
}

std::vector<Index> processes_of(const Communicator& comm) {
  std::vector<Index> processes;
  for (const Rank& rank : comm.ranks) processes.push_back(rank.process);
  return processes;
}

/// Answers from the newest report of NCCL's RAS client, for logs that do not show the size of the job. `size`: the
/// count to compare; the RAS report's GPUs count as ranks. A mismatch proves a failure only if the report covers the
/// whole job.
ExpectationAnswer answer_by_ras(const ExpectationCase& asked, int RasJob::*size, std::string_view what) {
  const RasJob& job = asked.model.ras_jobs.back();
  std::string detail = concat(count_text(std::max(job.*size, 0), what), " by NCCL's RAS");
  if (fits_number(asked.expected, job.*size)) return passed(std::move(detail));
  if (job.processes < 0) return unknown(concat("the largest communicator shown has ", detail));
  return {.status = CheckStatus::fail, .detail = std::move(detail), .evidence = evidence_at(job.at), .processes = {}};
}

constexpr std::string_view no_size = "the size of the job is not in the log";

}  // namespace

ExpectationAnswer judge_ranks(const ExpectationCase& asked) {
  const std::vector<Part> parts = parts_of(asked.model);
  if (parts.empty() && !asked.model.ras_jobs.empty()) return answer_by_ras(asked, &RasJob::gpus, "rank");
  if (parts.empty()) return unknown(std::string(no_size));
  const Part& largest = *std::max_element(
      parts.begin(), parts.end(), [](const Part& a, const Part& b) { return a.largest->nranks < b.largest->nranks; });
  const Communicator& comm = *largest.largest;
  std::string detail = count_text(comm.nranks, "rank");
  if (parts.size() > 1) detail = concat(parts.size(), " jobs apart, the largest of ", detail);
  bool open = false;
  for (const Part& part : parts) {
    const std::int64_t size = size_of(part);
    const std::int64_t known = size < 0 ? part.largest->nranks : size;
    if (fits_number(asked.expected, known)) {
      if (&part != &largest || known != comm.nranks)
        detail = concat(count_text(known, "rank"), " in communicators of at most ", part.largest->nranks);
      return passed(std::move(detail));
    }
    open = open || size < 0;
  }
  if (open) return unknown(concat("the largest communicator has ", detail, "; others reach ranks without a log here"));
  if (largest.joined) detail = concat(largest.gpus.size(), " ranks in communicators of at most ", comm.nranks);
  return {.status = CheckStatus::fail,
          .detail = std::move(detail),
          .evidence = size_evidence(comm),
          .processes = processes_of(comm)};
}

ExpectationAnswer judge_nodes(const ExpectationCase& asked) {
  const Communicator* const largest = largest_communicator(asked.model);
  if ((largest == nullptr || largest->nnodes < 1) && !asked.model.ras_jobs.empty())
    return answer_by_ras(asked, &RasJob::nodes, "node");
  if (largest == nullptr || largest->nnodes < 1) return unknown("the number of nodes is not in the log");
  const std::string detail = count_text(largest->nnodes, "node");
  if (fits_number(asked.expected, largest->nnodes)) return passed(detail);
  const std::vector<Part> parts = parts_of(asked.model);
  const bool joined = std::any_of(parts.begin(), parts.end(), [](const Part& part) { return part.joined; });
  if (joined) return unknown(concat("the largest communicator has ", detail, "; others reach beyond it"));
  return {.status = CheckStatus::fail,
          .detail = detail,
          .evidence = size_evidence(*largest),
          .processes = processes_of(*largest)};
}

ExpectationAnswer judge_channels(const ExpectationCase& asked) {
  const Communicator* const largest = largest_communicator(asked.model);
  if (largest == nullptr || largest->channel_counts.empty()) return unknown("the number of channels is not in the log");
  ExpectationAnswer answer = passed({});
  std::vector<std::string> counts;
  for (const ChannelCount& count : largest->channel_counts) {
    counts.push_back(std::to_string(count.channels));
    if (fits_number(asked.expected, count.channels)) continue;
    answer.status = CheckStatus::fail;
    add_line(answer.evidence, count.first);
  }
  answer.detail = concat(list_text(counts), " channels");
  if (answer.status == CheckStatus::fail) answer.processes = processes_of(*largest);
  return answer;
}

ExpectationAnswer judge_busbw(const ExpectationCase& asked) {
  const Measurement* best = nullptr;
  for (const Benchmark& benchmark : asked.model.benchmarks)
    if (const Measurement* const peak = benchmark.peak();
        best == nullptr || (peak != nullptr && peak->busbw > best->busbw))
      best = peak;
  if (best == nullptr) return unknown("no nccl-tests table in the input");
  return {.status = status_of(fits_real(asked.expected, best->busbw)),
          .detail = concat("at most ", decimals(best->busbw), " GB/s"),
          .evidence = evidence_at(best->at),
          .processes = {}};
}

ExpectationAnswer judge_logs(const ExpectationCase& asked) {
  const std::vector<Part> parts = parts_of(asked.model);
  if (parts.empty()) return unknown(std::string(no_size));
  for (const Part& part : parts) {
    if (part.closed) continue;
    if (part.unlogged == 0) return unknown("a communicator reaches ranks without a log here");
    ExpectationAnswer answer =
        unknown(concat(logged(*part.largest), " of ", count_text(part.largest->nranks, "rank"),
                       " in this input; nothing is known of ", ranks_text(unlogged_ranks(*part.largest))));
    answer.processes = processes_of(*part.largest);
    return answer;
  }
  std::size_t ranks = 0;
  for (const Part& part : parts) ranks += part.gpus.size();
  return passed(concat("all of ", count_text(ranks, "rank")));
}

ExpectationAnswer judge_no_warning(const ExpectationCase& asked) {
  if (asked.model.processes.empty()) return unknown("no process is in the log");
  ExpectationAnswer answer = passed("none");
  std::vector<std::string> words;
  const auto add = [&](std::string word, const Evidence& evidence) {
    answer.evidence.add(evidence);
    add_once(words, std::move(word));
  };
  const auto take = [&](const Finding& finding) {
    const Evidence& evidence = finding.evidence;
    if (finding.severity() == Severity::info || finding.rule->id.starts_with("NCA8")) return;
    add(concat(finding.rule->id, " ", finding.rule->name), evidence);
    answer.processes.insert(answer.processes.end(), finding.processes.begin(), finding.processes.end());
  };
  for (const Finding& finding : asked.report.findings) {
    take(finding);
    std::for_each(finding.consequences.begin(), finding.consequences.end(), take);
  }
  for (const Index index : asked.report.unexplained_warnings) {
    const Incident& incident = asked.model.incidents[index];
    if (!warns(incident.level)) continue;
    add("warnings that no rule explains", incident.evidence);
    answer.processes.push_back(incident.process);
  }
  if (words.empty()) return answer;
  answer.status = CheckStatus::fail;
  answer.detail = list_text(words, 8);
  return answer;
}

}  // namespace nccl_analyze
