// Implements the helpers that several rules share: texts of messages, and queries on the model.

#include "rules/support/rule_support.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <set>
#include <utility>

#include "rules/topics.h"
#include "text/rune.h"

namespace nccl_analyze {

std::string count_text(std::size_t count, std::string_view noun) {
  return concat(count, " ", noun, count == 1 ? "" : noun.ends_with("s") ? "es" : "s");
}

std::string short_rank_set(std::vector<int> ranks, std::size_t most) {
  std::string set = rank_set(std::move(ranks));
  if (set.size() <= most) return set;
  const std::size_t comma = set.rfind(',', most);
  if (comma != std::string::npos) set.replace(comma + 1, std::string::npos, "...");
  return set;
}

// The text may be shortened, since Finding::ranks has the complete list.
std::string ranks_text(const std::vector<int>& ranks, std::size_t most) {
  const std::string set = short_rank_set(ranks, most);
  if (!set.ends_with("...")) return concat(ranks.size() == 1 ? "rank " : "ranks ", set);
  return concat(ranks.size(), " ranks (", set, ")");
}

std::string capitalized(std::string text) {
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return text;
}

std::string seconds_text(double seconds) {
  std::array<char, 64> buffer{};
  const auto precision = seconds < 1 ? 3 : 1;
  const auto [end, error] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), std::min(seconds, 1e9),
                                          std::chars_format::fixed, precision);
  return error == std::errc{} ? concat(std::string_view(buffer.data(), end), " s") : "? s";
}

std::string list_text(std::span<const std::string> items, std::size_t most) {
  std::string out;
  const std::size_t shown = items.size() <= most ? items.size() : most - 1;
  for (std::size_t i = 0; i < shown; ++i) {
    if (i > 0) out += i + 1 == items.size() ? " and " : ", ";
    out += items[i];
  }
  if (shown < items.size()) out += concat(" and ", items.size() - shown, " more");
  return out;
}

std::string excerpt(std::string_view text, std::size_t most) {
  while (!text.empty() && (text.back() == ' ' || text.back() == '.')) text.remove_suffix(1);
  if (text.size() <= most) return std::string(text);
  // An invalid UTF-8 byte counts as one character, like the replacement character that a summary has in its place.
  std::size_t end = 0;
  for (std::size_t runes = 0; runes < most && end < text.size(); ++runes) end += first_rune(text.substr(end)).size;
  return end == text.size() ? std::string(text) : concat(text.substr(0, end), "...");
}

bool contains(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

bool one_of(std::string_view text, std::initializer_list<std::string_view> choices) {
  return std::find(choices.begin(), choices.end(), text) != choices.end();
}

void add_once(std::vector<std::string>& items, std::string item) {
  if (std::find(items.begin(), items.end(), item) == items.end()) items.push_back(std::move(item));
}

bool switched_on(const Process& process, std::string_view variable) {
  const EnvValue* value = setting(process, variable);
  return value != nullptr && !value->value.empty() && value->value != "0";
}

std::uint64_t lost_lines(const Model& model, SourceId source) {
  if (static_cast<std::size_t>(source) >= model.sources.size()) return 0;
  const ParseStats& stats = model.sources[static_cast<std::size_t>(source)].stats;
  // If most lines lack a prefix, the prefixes were removed on purpose and the messages are whole.
  const std::uint64_t headless = stats.malformed * 2 < stats.nccl_lines ? stats.malformed : 0;
  return stats.damage(Damage::cut) + stats.damage(Damage::torn) + headless + stats.truncated;
}

bool may_be_lost(const Model& model, const Communicator& comm, std::size_t missing) {
  std::vector<SourceId> sources;
  for (const Rank& rank : comm.ranks)
    if (const Process* process = process_of(model, rank.process))
      if (sources.empty() || sources.back() != process->source) sources.push_back(process->source);
  std::sort(sources.begin(), sources.end());
  sources.erase(std::unique(sources.begin(), sources.end()), sources.end());
  std::uint64_t lost = 0;
  for (const SourceId source : sources) lost += lost_lines(model, source);
  return missing <= lost;
}

namespace {

/// Whether two ranks of an apparent process have the same GPU. NCCL refuses two ranks on one GPU of a host, so these
/// ranks belong to several processes on several hosts, whose prefixes are lost or were made equal.
bool shares_gpus(const Communicator& comm) {
  std::vector<std::pair<Index, std::uint64_t>> gpus;
  for (const Rank& rank : comm.ranks)
    if (rank.process >= 0 && rank.has_bus_id) gpus.emplace_back(rank.process, rank.bus_id);
  std::sort(gpus.begin(), gpus.end());
  return std::adjacent_find(gpus.begin(), gpus.end()) != gpus.end();
}

}  // namespace

bool has_heads(const Model& model, const Communicator& comm) {
  if (shares_gpus(comm)) return false;  // several processes share one prefix
  return std::all_of(comm.ranks.begin(), comm.ranks.end(), [&](const Rank& rank) {
    const Process* process = process_of(model, rank.process);
    return process != nullptr && process->pid >= 0 && process->bootstrap_at.line > 0 && process->network_at.line > 0 &&
           (process->driver >= 0 || !process->version.empty());
  });
}

bool is_proven(const Model& model, const Communicator& comm) {
  if (comm.inferred || (comm.comm_id == 0 && comm.parent < 0)) return false;
  std::vector<std::uint64_t> lost(model.sources.size());
  for (std::size_t i = 0; i < lost.size(); ++i)
    lost[i] = lost_lines(model, static_cast<SourceId>(i)) + model.sources[i].stats.damage(Damage::joined);
  const auto is_certain = [&](const Rank& rank) {
    const Process* process = process_of(model, rank.process);
    const auto source = process == nullptr ? lost.size() : static_cast<std::size_t>(process->source);
    return rank.start_seen && source < lost.size() && lost[source] == 0;
  };
  if (!std::all_of(comm.ranks.begin(), comm.ranks.end(), is_certain)) return false;
  // If a process has several communicators, lines of a rank without Init COMPLETE may belong to another of them.
  std::vector<int> uses(model.processes.size());
  for (const Communicator& one : model.communicators)
    for (const Rank& rank : one.ranks)
      if (process_of(model, rank.process) != nullptr) ++uses[static_cast<std::size_t>(rank.process)];
  return std::all_of(comm.ranks.begin(), comm.ranks.end(), [&](const Rank& rank) {
    return rank.state != RankState::started || uses[static_cast<std::size_t>(rank.process)] == 1;
  });
}

Evidence evidence_at(LineRef at) {
  Evidence evidence;
  if (at.line > 0) evidence.add(at);
  return evidence;
}

void add_line(Evidence& evidence, LineRef at) {
  if (at.line == 0) return;
  ++evidence.count;
  std::vector<LineRef>& lines = evidence.lines;
  if (lines.size() < Evidence::max_lines && std::find(lines.begin(), lines.end(), at) == lines.end())
    lines.push_back(at);
}

const Process* process_of(const Model& model, Index index) { return model.processes.find(index); }

const Rank* find_rank(const Communicator& comm, int rank) {
  const auto at = std::lower_bound(comm.ranks.begin(), comm.ranks.end(), rank,
                                   [](const Rank& item, int wanted) { return item.rank < wanted; });
  return at != comm.ranks.end() && at->rank == rank ? &*at : nullptr;
}

std::vector<int> logged_ranks(const Communicator& comm) {
  std::vector<int> ranks;
  for (const Rank& rank : comm.ranks) ranks.push_back(rank.rank);
  return ranks;
}

std::vector<int> unlogged_ranks(const Communicator& comm) {
  std::vector<int> missing;
  // A single pass over both sorted lists keeps the cost linear in the number of ranks.
  auto logged = comm.ranks.begin();
  for (int rank = 0; rank < comm.nranks; ++rank) {
    while (logged != comm.ranks.end() && logged->rank < rank) ++logged;
    if (logged == comm.ranks.end() || logged->rank != rank) missing.push_back(rank);
  }
  return missing;
}

Index main_communicator(const Model& model, Index process) {
  const Process* const found = process_of(model, process);
  return found == nullptr ? -1 : found->communicator;
}

std::string process_text(const Process& process) {
  const std::string_view host = process.host.empty() ? std::string_view{"unknown host"} : process.host.view();
  return process.pid < 0 ? std::string(host) : concat(host, ":", process.pid);
}

std::string place_text(const Model& model, Index process) {
  const Process* at = process_of(model, process);
  std::string name = at == nullptr ? "unknown process" : process_text(*at);
  const Index comm = main_communicator(model, process);
  if (comm < 0) return name;
  std::vector<int> ranks;
  for (const Rank& rank : model.communicators[comm].ranks)
    if (rank.process == process) ranks.push_back(rank.rank);
  return concat(ranks_text(ranks), " (", name, ")");
}

void set_scope(const Model& model, std::vector<Index> processes, Finding& finding) {
  std::sort(processes.begin(), processes.end());
  processes.erase(std::unique(processes.begin(), processes.end()), processes.end());
  if (!processes.empty() && processes.front() < 0) processes.erase(processes.begin());
  finding.processes = processes;
  // All ranks come from the first communicator that contains a process, since rank numbers of different communicators
  // are not comparable.
  for (std::size_t i = 0; i < model.communicators.size(); ++i) {
    for (const Rank& rank : model.communicators[i].ranks)
      if (std::binary_search(processes.begin(), processes.end(), rank.process)) finding.ranks.push_back(rank.rank);
    if (finding.ranks.empty()) continue;
    finding.communicators = {static_cast<Index>(i)};
    return;
  }
}

std::string_view ip_of(std::string_view address) {
  address = address.substr(0, address.find('<'));
  // A dot behind the first colon means `eth0:10.0.0.1`; a dot before it means `10.0.0.1:4242`. An IPv6
  // address contains no dot and stays as it is.
  if (const auto colon = address.find(':'); colon != std::string_view::npos && contains(address.substr(colon), ".")) {
    address.remove_prefix(colon + 1);
  } else if (colon != std::string_view::npos && contains(address.substr(0, colon), ".")) {
    address = address.substr(0, colon);
  }
  return address;
}

std::span<const Rank* const> RanksByAddress::at(Index communicator, std::string_view address) {
  const std::string_view ip = ip_of(address);
  if (communicator < 0 || ip.empty()) return {};
  const auto [known, is_new] = known_.try_emplace(communicator);
  auto& ranks = known->second;
  if (is_new)
    for (const Rank& rank : model_.communicators[communicator].ranks)
      if (const Process* const process = process_of(model_, rank.process))
        ranks[ip_of(process->bootstrap_address)].push_back(&rank);
  const auto found = ranks.find(ip);
  return found == ranks.end() ? std::span<const Rank* const>{} : found->second;
}

double seconds_before_bootstrap(const Rank& rank) {
  return rank.init_seconds ? rank.init_seconds->kernels + rank.init_seconds->alloc : 0.0;
}

namespace {

std::set<std::string_view> hosts_of(const Model& model, const Communicator& comm) {
  std::set<std::string_view> hosts;
  const Text* last = nullptr;  // ranks of one host are mostly adjacent, which saves lookups
  for (const Rank& rank : comm.ranks) {
    const Process* process = process_of(model, rank.process);
    if (process == nullptr || (last != nullptr && *last == process->host)) continue;
    last = &process->host;
    hosts.insert(process->host);
  }
  return hosts;
}

}  // namespace

std::size_t node_count(const Model& model, const Communicator& comm) {
  return comm.nnodes > 0 ? static_cast<std::size_t>(comm.nnodes) : hosts_of(model, comm).size();
}

bool spans_nodes(const Model& model, const Communicator& comm) {
  if (comm.nnodes > 0) return comm.nnodes > 1;
  const Text* first = nullptr;
  for (const Rank& rank : comm.ranks)
    if (const Process* process = process_of(model, rank.process)) {
      if (first == nullptr) first = &process->host;
      if (*first != process->host) return true;
    }
  return shares_gpus(comm);
}

bool spans_nodes(const Model& model) {
  return std::any_of(model.communicators.begin(), model.communicators.end(),
                     [&](const Communicator& comm) { return spans_nodes(model, comm); });
}

Proof spans_hosts(const Model& model, const Communicator& comm) {
  if (spans_nodes(model, comm)) return Proof::proven;
  if (comm.nnodes == 1 && comm.nranks > 1) return Proof::disproven;
  const bool all_here = comm.nranks > 1 && static_cast<int>(comm.ranks.size()) == comm.nranks;
  return all_here ? Proof::disproven : Proof::open;
}

Proof spans_hosts(const Model& model, Index process) {
  Proof found = Proof::open;
  for (const Communicator& comm : model.communicators) {
    if (comm.parent >= 0 ||
        std::none_of(comm.ranks.begin(), comm.ranks.end(), [&](const Rank& rank) { return rank.process == process; }))
      continue;
    const Proof proof = spans_hosts(model, comm);
    if (proof == Proof::proven) return proof;
    if (proof == Proof::disproven) found = proof;
  }
  return found;
}

Proof spans_hosts(const Model& model, const std::vector<Index>& processes) {
  Proof found = processes.empty() ? Proof::open : Proof::disproven;
  for (const Index process : processes) {
    const Proof proof = spans_hosts(model, process);
    if (proof == Proof::proven) return proof;
    if (proof == Proof::open) found = proof;
  }
  return found;
}

bool has_transport(const Communicator& comm, std::string_view transport) {
  return std::find(comm.transports.begin(), comm.transports.end(), transport) != comm.transports.end();
}

bool same_host(const Model& model, const Rank& a, const Rank& b) {
  const Process* first = process_of(model, a.process);
  const Process* second = process_of(model, b.process);
  if (first == nullptr || second == nullptr || first->host.empty() || first->host != second->host) return false;
  // Two ranks never share a GPU, so equal bus ids under one host name belong to different machines.
  if (a.has_bus_id && b.has_bus_id && a.bus_id == b.bus_id && a.rank != b.rank) return false;
  // NCCL cuts host names at the first dot: equal names with different addresses are different machines.
  return first->bootstrap_address.empty() || second->bootstrap_address.empty() ||
         ip_of(first->bootstrap_address) == ip_of(second->bootstrap_address);
}

bool has_nvlink(std::string_view instance_type) {
  constexpr std::array<std::string_view, 6> families = {"p3.8", "p3.16", "p3dn", "p4d", "p5", "p6"};
  return std::any_of(families.begin(), families.end(),
                     [&](std::string_view family) { return instance_type.starts_with(family); });
}

bool is_driver_too_old(const Incident& incident) {
  constexpr std::array<int, 5> errors = {35, 36, 222, 803, 804};
  return incident.kind == IncidentKind::cuda_failed &&
         std::find(errors.begin(), errors.end(), incident.cuda_error) != errors.end();
}

void claim(const Model& model, const Incident& incident, Finding& finding) {
  finding.incidents.push_back(static_cast<Index>(&incident - model.incidents.data()));
  finding.evidence.add(incident.evidence);
}

namespace {

template <class Filter>
std::vector<Finding> findings_of(const Model& model, Filter is_wanted, std::string (*message)(const Incident&)) {
  std::vector<Finding> found;
  std::vector<std::vector<Index>> processes;
  std::map<std::string, std::size_t> known;
  for (const Incident& incident : model.incidents) {
    if (!is_wanted(incident)) continue;
    std::string text = message(incident);
    if (text.empty()) continue;
    const auto [at, added] = known.try_emplace(text, found.size());
    if (added) {
      found.emplace_back().message = std::move(text);
      processes.emplace_back();
    }
    claim(model, incident, found[at->second]);
    processes[at->second].push_back(incident.process);
  }
  for (std::size_t i = 0; i < found.size(); ++i) set_scope(model, std::move(processes[i]), found[i]);
  return found;
}

}  // namespace

std::vector<Finding> incident_findings(const Model& model, std::initializer_list<IncidentKind> kinds,
                                       std::string (*message)(const Incident&)) {
  return findings_of(
      model,
      [&](const Incident& incident) { return std::find(kinds.begin(), kinds.end(), incident.kind) != kinds.end(); },
      message);
}

std::vector<Finding> topic_findings(const Model& model, std::string_view rule,
                                    std::string (*message)(const Incident&)) {
  return findings_of(
      model, [&](const Incident& incident) { return is_about(incident, rule); }, message);
}

}  // namespace nccl_analyze
