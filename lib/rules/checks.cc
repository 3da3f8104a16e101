// Answers the checks of a report (network, transports, versions, ranks, rings, init, progress) from model and findings.

#include "rules/checks.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include "nccl_analyze/events/fault.h"
#include "queries/benchmarks.h"
#include "queries/hosts.h"
#include "queries/places.h"
#include "queries/platform.h"
#include "queries/progress.h"
#include "queries/ranks.h"
#include "rules/words/front_words.h"
#include "text/message_text.h"
#include "text/search.h"

namespace nccl_analyze {

namespace {

/// The answer that the model alone gives to a check. answer_checks() turns it into a fail if the rule of a finding
/// above severity info names the check, and into unknown if such a finding doubts itself.
struct Answer {
  CheckStatus status = CheckStatus::unknown;
  std::string detail;
};

constexpr std::string_view not_needed = ", not needed: one node";

Answer passed(std::string detail) { return {CheckStatus::pass, std::move(detail)}; }
Answer unknown(std::string detail) { return {CheckStatus::unknown, std::move(detail)}; }

/// Returns the network transports that communicators use, such as `NET/Socket` and `NET/IB`.
std::vector<std::string> networks_in_use(const Model& model) {
  std::vector<std::string> networks;
  for (const Communicator& comm : model.communicators)
    for (const std::string& transport : comm.transports)
      if (transport.starts_with("NET/")) add_once(networks, transport);
  return networks;
}

/// Describes what is known of the network, for inputs in which no line names the network that NCCL chose.
Answer ask_unnamed_network(const Model& model) {
  const auto has = [&](auto member) { return std::ranges::any_of(model.processes, member); };
  if (const std::vector<std::string> used = networks_in_use(model); !used.empty())
    return unknown(concat("connections go over ", list_text(used), "; the line that names the network is not here"));
  if (has([](const Process& process) { return process.ib_absent; }))
    return unknown("NCCL finds no InfiniBand device; no line `Using network` is here");
  const auto is_named = [&](std::string_view file) {
    return std::ranges::any_of(
        model.incidents, [&](const Incident& one) { return contains(one.place, file) || contains(one.message, file); });
  };
  for (const std::string_view file : {"ib_plugin", "sharp_plugin"})
    if (is_named(file))
      return unknown(
          "a message comes from a network plugin for InfiniBand; the line that names the network is not here");
  for (const auto& [file, words, network] :
       {std::array{"net_ib", "NET/IB", "InfiniBand"}, std::array{"net_socket", "NET/Socket", "sockets"}})
    if (is_named(file) || is_named(words))
      return unknown(concat("a message comes from NCCL's transport for ", network,
                            "; the line that names the network is not here"));
  if (has([](const Process& process) { return !process.ib_devices.empty(); }))
    return unknown("NCCL finds InfiniBand or RoCE devices; no line `Using network` is here");
  return unknown("no line `Using network` is here");
}

Answer ask_network(const Model& model) {
  std::vector<std::string> networks;
  Text last;
  for (const Process& process : model.processes)
    if (!process.network.empty() && process.network != std::exchange(last, process.network))
      add_once(networks, process.network.str());
  if (networks.empty()) return ask_unnamed_network(model);
  std::size_t nodes = 0;
  for (const Communicator& comm : model.communicators) nodes = std::max(nodes, node_count(model, comm));
  std::string detail = list_text(networks);
  // The log of one pod shows one host even if the job has many. "Not needed" therefore requires a node count from NCCL,
  // or every rank of each communicator in the input.
  const auto is_whole = [&](const Communicator& comm) {
    if (comm.nnodes == 1) return true;
    return comm.nranks > 0 && static_cast<int>(comm.ranks.size()) == comm.nranks && !has_two_addresses(model, comm);
  };
  if (nodes == 1 && networks_in_use(model).empty() && std::ranges::all_of(model.communicators, is_whole))
    detail += not_needed;
  const bool is_between = !networks_in_use(model).empty() ||
                          std::ranges::any_of(model.communicators, [](auto& comm) { return comm.nnodes > 1; });
  if (nodes > 1)
    detail += is_between ? concat(" between ", count_text(nodes, "node"))
                         : concat("; the ranks are on ", count_text(nodes, "host"));
  return passed(std::move(detail));
}

Answer ask_transports(const Model& model) {
  std::map<std::string, std::size_t> counts;
  for (const Communicator& comm : model.communicators) {
    std::vector<std::size_t> uses(comm.transports.size());
    comm.connections.each_bundle([&](const ConnectionBundle& bundle) {
      if (bundle.transport < uses.size()) uses[bundle.transport] += bundle.size();
    });
    for (std::size_t i = 0; i < uses.size(); ++i)
      if (uses[i] > 0) counts[comm.transports[i]] += uses[i];
  }
  if (counts.empty() && !model.communicators.empty() &&
      std::ranges::all_of(model.communicators, [](const Communicator& comm) { return comm.nranks == 1; }))
    return passed("none needed: no communicator has two ranks");
  if (counts.empty())
    return unknown(
        concat("no connection is in the log (NCCL prints them up to ", last_line_about_connections(model), ")"));
  std::vector<std::string> parts;
  for (const auto& [transport, count] : counts) parts.push_back(concat(transport, " x ", count));
  return passed(list_text(parts));
}

/// Returns the detail of the check if no process prints a version: the inferred versions, if there are any.
std::string inferred_versions(const Model& model) {
  std::vector<const InferredVersion*> inferred;
  for (const Process& process : model.processes)
    if (process.inferred_version) inferred.push_back(&*process.inferred_version);
  std::vector<std::string> texts;
  for (const InferredVersion& one : merged_versions(inferred)) add_once(texts, inferred_version_text(one));
  return texts.empty() ? "no version line" : concat("likely ", list_text(texts, 4), "; no version line");
}

Answer ask_versions(const Model& model) {
  std::vector<std::string> versions;
  std::size_t silent = 0;
  std::pair<Text, Text> last;
  for (const Process& process : model.processes) {
    if (process.version.empty()) {
      ++silent;
    } else if (const std::pair own{process.library, process.version}; own != std::exchange(last, own)) {
      const std::string library = process.library.empty() ? "NCCL" : process.library.str();
      add_once(versions, concat(library, " ", process.version));
      if (!process.second_version.empty()) add_once(versions, concat(library, " ", process.second_version));
    }
  }
  if (versions.empty()) return unknown(inferred_versions(model));
  std::ranges::sort(versions);
  // Up to 2.21 only rank 0 prints its version.
  if (silent > 0 && versions.size() == 1)
    return passed(concat(versions[0], " (", count_text(silent, "process"), silent == 1 ? " does" : " do", " not say)"));
  return passed(list_text(versions));
}

/// Answers from the newest report of NCCL's RAS, by the ranks of its largest communicator.
Answer ranks_by_ras(const Model& model) {
  constexpr std::string_view no_size = "no line tells the size of the job";
  if (model.ras_reports.empty()) return unknown(std::string(no_size));
  const std::vector<RasCommunicator>& comms = model.ras_reports.back().communicators;
  const auto largest =
      std::max_element(comms.begin(), comms.end(),
                       [](const RasCommunicator& a, const RasCommunicator& b) { return a.nranks < b.nranks; });
  if (largest == comms.end() || largest->nranks <= 0) return unknown(std::string(no_size));
  std::string detail = concat("by NCCL's RAS report, ", largest->reported, " of ", largest->nranks, " ranks answer");
  if (largest->reported != largest->nranks) return unknown(std::move(detail));
  return passed(std::move(detail));
}

Answer ranks_by_benchmark(const Benchmark& benchmark) {
  if (benchmark.ranks.empty()) return unknown("nccl-tests ran; its list of ranks is not in this input");
  if (const std::size_t copies = count_copies(benchmark); copies > 0)
    return unknown(concat("nccl-tests lists ", copies, " processes that are each rank 0"));
  return unknown(concat("nccl-tests lists ", count_text(benchmark.ranks.size(), "rank"), "; NCCL's lines name none"));
}

/// Returns the number of ranks of the largest communicator, for inputs in which no line names one: from its ring or
/// from the line that begins it; -1 if unknown.
int size_without_name(const Model& model) {
  int size = -1;
  for (const Communicator& comm : model.communicators) size = std::max(size, comm.nranks);
  for (const Process& process : model.processes) size = std::max(size, process.announced_ranks);
  return size;
}

/// Answers for inputs in which no line starts a communicator. Communicators that are inferred from other lines may be
/// parts of one, so the ranks of each are a lower limit. `size` is the result of size_without_name().
Answer ranks_without_start(const Model& model, int size) {
  std::size_t ranks = 0;
  for (const Communicator& comm : model.communicators)
    if (comm.nranks == size) ranks = std::max(ranks, comm.ranks.size());
  const std::string of_all = count_text(static_cast<std::size_t>(size), "rank");
  if (ranks == 0)
    return unknown(concat("a communicator has ", of_all, "; no line tells which of them are in this input"));
  if (ranks == static_cast<std::size_t>(size)) return passed(concat(ranks, " of ", of_all, " in this input"));
  return unknown(concat("at least ", ranks, " of ", of_all, " in this input"));
}

Answer ask_ranks(const Model& model) {
  const Communicator* largest = nullptr;
  for (const Communicator& comm : model.communicators)
    if (!comm.inferred && comm.nranks > 0 && (largest == nullptr || comm.nranks > largest->nranks)) largest = &comm;
  if (largest == nullptr && model.ras_reports.empty() && !model.ras_jobs.empty())
    return unknown(
        concat("the log of no rank is in this input; NCCL's RAS counts ", ras_job_text(model.ras_jobs.back())));
  if (largest == nullptr && model.ras_reports.empty() && !model.benchmarks.empty() && size_without_name(model) < 0)
    return ranks_by_benchmark(model.benchmarks.back());
  if (largest == nullptr && model.ras_reports.empty())
    if (const int size = size_without_name(model); size > 0) return ranks_without_start(model, size);
  if (largest == nullptr) return ranks_by_ras(model);
  const std::size_t size = static_cast<std::size_t>(largest->nranks);
  const bool may_be_here = largest->ranks.size() < size && has_unplaced_lines(model);
  const std::string detail =
      concat(may_be_here ? "at least " : "", largest->ranks.size(), " of ", count_text(size, "rank"), " in this input");
  return largest->ranks.size() == size ? passed(detail) : unknown(detail);
}

Answer ask_rings(const Model& model) {
  std::size_t complete = 0, all = 0, open = 0;  // open: of communicators whose number of ranks is not known
  for (const Communicator& comm : model.communicators) {
    all += comm.rings.size();
    if (comm.nranks < 0) open += comm.rings.size();
    complete += static_cast<std::size_t>(
        std::count_if(comm.rings.begin(), comm.rings.end(), [](const Ring& ring) { return ring.complete; }));
  }
  if (all == 0) return unknown("no ring is in the log");
  if (open == all)
    return unknown(concat(count_text(all, "ring"), " shown, in part or whole; the number of ranks is not known"));
  // Lines without a communicator's name may be of one that is counted already.
  const bool may_be_one =
      std::ranges::count_if(model.communicators, [](auto& comm) { return !comm.rings.empty(); }) > 1 &&
      std::ranges::any_of(model.communicators, &Communicator::inferred);
  if (complete < all && may_be_one)
    return unknown(concat("by these lines ", count_text(complete, "ring"), complete == 1 ? " closes" : " close",
                          "; others are shown in part"));
  if (complete < all) return unknown(concat("by these lines ", complete, " of ", count_text(all, "ring"), " close"));
  return passed(concat(count_text(all, "ring"), all == 1 ? " closes" : " close"));
}

/// Whether the message, or the error trace, comes from NCCL's initialisation (`init.cu` up to 2.3.7).
bool is_in_init(const Incident& one) {
  const std::string_view file = one.event.as<ErrorPropagated>().file;
  return one.place.starts_with("init.c") || contains(file, "init.cc") || contains(file, "init.cu");
}

std::string describe_no_initialisation(const Model& model) {
  if (model.dropped > 0) return "no initialisation was kept";
  if (const auto one = std::ranges::find_if(model.incidents, is_in_init); one != model.incidents.end()) {
    const bool is_old = contains(one->place, "init.cu") || contains(one->event.as<ErrorPropagated>().file, "init.cu");
    return concat("an error went through ", is_old ? "init.cu" : "init.cc",
                  "; no line starts or ends an initialisation");
  }
  return std::ranges::any_of(model.processes, [](const Process& process) { return process.announced_ranks > 0; })
             ? "a communicator begins; no line ends its initialisation"
             : "no line starts or ends an initialisation";
}

Answer ask_init(const Model& model) {
  std::size_t ranks = 0, done = 0, failed = 0, comms = 0;
  bool is_whole = true;  // whether each communicator has all of its ranks
  for (const Communicator& comm : model.communicators) {
    if (comm.inferred || comm.ranks.empty()) continue;
    ++comms;
    is_whole = is_whole && static_cast<int>(comm.ranks.size()) == comm.nranks;
    for (const Rank& rank : comm.ranks) {
      ++ranks;
      failed += rank.state == RankState::failed ? 1 : 0;
      done += rank.state != RankState::started && rank.state != RankState::failed ? 1 : 0;
    }
  }
  if (ranks == 0) return unknown(describe_no_initialisation(model));
  if (failed > 0) return {CheckStatus::fail, concat(failed, " of ", ranks, " initialisations failed")};
  if (done < ranks) return unknown(concat(done, " of ", ranks, " initialisations ended with COMPLETE in this log"));
  if (!is_whole && std::ranges::any_of(model.processes, [](const Process& one) { return one.communicator < 0; }))
    return unknown(
        concat(count_text(ranks, "initialisation"), " ended with COMPLETE; not told of the other processes"));
  if (!is_whole && has_unplaced_lines(model))
    return passed(concat(count_text(ranks, "initialisation"), " ended with COMPLETE"));
  return passed(concat(count_text(comms, "communicator"), comms == 1 ? " was" : " were",
                       " completed by every rank in this input"));
}

/// Answers for the communicator with the most ranks behind. Needs call lines, which NCCL prints if NCCL_DEBUG_SUBSYS
/// includes COLL; without them, the answer is unknown and has no detail.
Answer ask_progress(const Model& model) {
  const std::vector<CallProgress> all = find_call_progress(model);
  if (all.empty()) return {};
  const auto furthest = std::max_element(all.begin(), all.end(), [](const CallProgress& a, const CallProgress& b) {
    return std::tuple(a.behind.size(), a.unknown.size(), a.number) <
           std::tuple(b.behind.size(), b.unknown.size(), b.number);
  });
  const std::string detail = progress_text(model, *furthest);
  return furthest->behind.empty() && furthest->unknown.empty() ? passed(detail) : unknown(detail);
}

struct Question {
  std::string_view name;
  Answer (*ask)(const Model&);
};

/// The checks in the order of the report. RuleInfo::check refers to them by name.
constexpr std::array<Question, 7> questions = {{{"network", ask_network},
                                                {"transports", ask_transports},
                                                {"versions", ask_versions},
                                                {"ranks", ask_ranks},
                                                {"rings", ask_rings},
                                                {"init", ask_init},
                                                {"progress", ask_progress}}};
static_assert(std::ranges::equal(questions, check_words, {}, &Question::name));

/// Whether the blank-separated list contains the name as a whole word.
bool names(std::string_view list, std::string_view name) {
  for (std::size_t at = list.find(name); at != std::string_view::npos; at = list.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    if ((at == 0 || list[at - 1] == ' ') && (end == list.size() || list[end] == ' ')) return true;
  }
  return false;
}

/// Whether all incidents of the finding are kernel launches after their processes made progress, so that the
/// initialisation had ended.
bool is_of_launch(const Model& model, const Finding& finding) {
  return !finding.incidents.empty() && std::ranges::all_of(finding.incidents, [&](Index index) {
    const Incident& incident = model.incidents[index];
    const Process* const process = process_of(model, incident.process);
    return incident.place.starts_with("enqueue.cc") && process != nullptr && process->progress.line > 0 &&
           process->progress < incident.evidence.lines.front();
  });
}

/// Whether the initialisation survives the fault: NCCL says at INFO that its kernels want more than the GPU has, goes
/// on, and fails when it launches one.
bool is_left_to_launch(const Model& model, const Finding& finding) {
  return !finding.incidents.empty() && std::ranges::all_of(finding.incidents, [&](Index index) {
    const Incident& incident = model.incidents[index];
    return incident.kind == IncidentKind::gpu_unsupported && !warns(incident.level);
  });
}

/// Whether the finding is about memory, and nothing shows that an initialisation asked for it. NCCL also allocates
/// memory for registered buffers and, since 2.22, at the first collective.
bool is_of_any_allocation(const Model& model, const Finding& finding) {
  if (finding.rule->name != "out-of-memory") return false;
  // The process that lacked memory may have failed the initialisation of another process, which it had to serve.
  if (std::ranges::any_of(model.incidents, is_in_init)) return false;
  std::set<Index> in_init;
  for (const Communicator& comm : model.communicators)
    for (const Rank& rank : comm.ranks)
      if (!comm.inferred && (rank.state == RankState::started || rank.state == RankState::failed))
        in_init.insert(rank.process);
  return std::ranges::none_of(finding.incidents,
                              [&](Index index) { return in_init.contains(model.incidents[index].process); });
}

/// Whether the finding leaves open whether there is a fault: the log does not show why ranks use SHM, or a single line
/// of a program has the words of a failure.
bool doubts_itself(const Finding& finding) {
  return std::ranges::any_of(finding.values,
                             [](const auto& one) { return one.first == "proof" && one.second == "open"; });
}

}  // namespace

std::vector<Check> answer_checks(const Model& model, std::span<const Finding> findings) {
  std::vector<Check> checks;
  for (const Question& question : questions) {
    Answer answer = question.ask(model);
    const auto says_no = [&](const Finding& finding) {
      return finding.severity() != Severity::info && names(finding.rule->check, question.name) &&
             !(question.name == "init" && (is_of_launch(model, finding) || is_left_to_launch(model, finding) ||
                                           is_of_any_allocation(model, finding)));
    };
    const auto is_no = [&](const Finding& finding) { return says_no(finding) && !doubts_itself(finding); };
    auto found = std::ranges::find_if(findings, is_no);
    const bool is_proven = found != findings.end();
    if (!is_proven && answer.status != CheckStatus::fail) found = std::ranges::find_if(findings, says_no);
    if (found != findings.end()) {
      if (const std::size_t at = answer.detail.find(not_needed); at != std::string::npos) answer.detail.erase(at);
      answer.status = is_proven ? CheckStatus::fail : CheckStatus::unknown;
      answer.detail = concat(found->rule->id, " ", found->rule->name, answer.detail.empty() ? "" : "; ", answer.detail);
    }
    if (answer.status == CheckStatus::unknown && answer.detail.empty()) continue;  // the log has no data
    checks.push_back({std::string(question.name), answer.status, std::move(answer.detail)});
  }
  return checks;
}

void name_shown_findings(std::span<const Finding> findings, std::vector<Check>& checks) {
  const auto name = [](const Finding& finding) { return concat(finding.rule->id, " ", finding.rule->name); };
  if (findings.empty() || findings.front().severity() == Severity::info) return;
  for (Check& check : checks) {
    const std::string named = check.detail.substr(0, check.detail.find(';'));
    if (!named.starts_with("NCA") ||
        std::ranges::any_of(findings, [&](const Finding& finding) { return name(finding) == named; }))
      continue;
    check.detail.replace(0, named.size(), name(findings.front()));
  }
}

}  // namespace nccl_analyze
