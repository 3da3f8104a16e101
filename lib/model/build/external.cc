#include "model/build/external.h"

#include <algorithm>
#include <charconv>
#include <span>
#include <utility>

#include "messages/phrases.h"
#include "model/build/incidents.h"
#include "model/build/mentions.h"
#include "model/build/nccl_result.h"
#include "model/resolve/short_host.h"
#include "text/launcher_tag.h"
#include "text/lower_case.h"

namespace nccl_analyze::builder {

namespace {

constexpr std::size_t max_stuck = 1 << 16;         // entries of Model::stuck
constexpr std::size_t max_reports = 64;            // Limit on Model::launch_counts and similar lists.
constexpr std::size_t max_listed_ranks = 1 << 12;  // Limit on the ranks, and on the groups of ranks, in one report.

/// Parses the number that follows the last `words` in `text`; -1 if there is none.
int number_behind(std::string_view text, std::string_view words) {
  const std::size_t at = text.rfind(words);
  if (at == std::string_view::npos) return -1;
  int number = -1;
  const char* const digits = text.data() + at + words.size();
  const auto [end, error] = std::from_chars(digits, text.data() + text.size(), number);
  return error == std::errc{} && number >= 0 ? number : -1;
}

/// Extracts the process group from PyTorch's prefix: `GUID 0(default_pg)` from `[PG ID 0 PG GUID 0(default_pg) Rank
/// 13]`. The ID is left out, because each rank numbers its groups itself, and some lines do not have it.
std::string_view group_of(std::string_view text) {
  const std::size_t open = text.rfind("[PG ");
  const std::size_t close = open == std::string_view::npos ? open : text.find(" Rank ", open);
  if (close == std::string_view::npos) return {};
  const std::string_view group = text.substr(open + 4, close - open - 4);
  const std::size_t guid = group.starts_with("ID ") ? group.find(" PG GUID ") : std::string_view::npos;
  return guid == std::string_view::npos ? group : group.substr(guid + 4);
}

/// Parses the numbers of a list such as `0, 5`.
std::vector<int> numbers_in(std::string_view list) {
  std::vector<int> numbers;
  while (!list.empty() && numbers.size() < max_listed_ranks) {
    int number = -1;
    list.remove_prefix(std::min(list.find_first_not_of(" ,"), list.size()));
    const auto [end, error] = std::from_chars(list.data(), list.data() + list.size(), number);
    if (error != std::errc{} || number < 0) break;
    numbers.push_back(number);
    list.remove_prefix(static_cast<std::size_t>(end - list.data()));
  }
  return numbers;
}

}  // namespace

/// The phrase in the words of the exception, else in its name: `RendezvousTimeoutError` has no words.
FoundPhrase External::phrase_of(const ProgramRaised& event) {
  const KnownPhrase& known = phrases_(event.words, [](std::string_view words) {
    const FoundPhrase found = find_phrase(words);
    const std::size_t begin = found ? static_cast<std::size_t>(found.words.data() - words.data()) : 0;
    return KnownPhrase{found.phrase, begin, found.words.size(), found.softened};
  });
  const FoundPhrase in_words{known.phrase, event.words.substr(known.begin, known.size), known.softened};
  if (in_words) return in_words;
  const FoundPhrase in_name = find_phrase(event.exception);
  return in_name && in_name.phrase->printed_by == PrintedBy::anyone ? in_name : FoundPhrase{};
}

namespace {

/// Whether resolve/incidents.cc derives the cause from the exception itself, so that the phrase is not needed.
bool is_judged_as_exception(const Phrase& phrase) {
  constexpr std::string_view rules[] = {"application-error", "process-died", "cuda-error", "out-of-memory"};
  return phrase.printed_by == PrintedBy::anyone &&
         std::find(std::begin(rules), std::end(rules), phrase.rule) != std::end(rules);
}

struct MpiTag {
  std::string_view host;
  std::int64_t pid = -1;
};

/// Parses the text that Open MPI prints before its own messages: `worker-1` and 4711 from `[worker-1:04711`.
MpiTag mpi_tag(std::string_view before) {
  const std::size_t open = before.rfind('[');
  const std::size_t colon = before.rfind(':');
  if (open == std::string_view::npos || colon == std::string_view::npos || colon < open) return {};
  const int pid = number_behind(before, ":");
  return {before.substr(open + 1, colon - open - 1), pid > 0 ? pid : -1};
}

/// Whether the line is about a process other than the current one; false if that cannot be decided. `rank` and `pid`:
/// the rank and the pid in the line; -1 if the line has none.
bool is_of_another(const Context& context, int rank, std::int64_t pid) {
  if (context.process_number < 0) return false;
  const std::int64_t own = context.facts->pid;
  if (pid >= 0 && own >= 0) return pid != own;
  constexpr std::size_t most = 256;  // the first communicators of a process usually span the whole job
  const std::span lifetimes(context.process->lifetimes.all().data(),
                            std::min(context.process->lifetimes.all().size(), most));
  return rank >= 0 && !lifetimes.empty() && std::none_of(lifetimes.begin(), lifetimes.end(), [&](const Lifetime& life) {
           return life.ref.comm >= 0 && context.state.comm(life.ref.comm).rank_at(life.ref.slot).rank == rank;
         });
}

/// Whether both names are of one host: `node-7` and `node-7.example.org`. A name that is not known differs from none.
bool may_be_same_host(std::string_view a, std::string_view b) {
  return a.empty() || b.empty() || short_host(a) == short_host(b);
}

/// Whether Ray says that it killed workers for lack of memory.
bool is_killed_by_ray(const ProcessEnded& event) {
  return event.why == "killed due to memory pressure" || event.why == "ray.exceptions.OutOfMemoryError";
}

/// Whether the count before the message is 0: `0 Workers (tasks / actors) killed due to memory pressure`.
bool names_none(const Record& record) {
  const std::string_view before = trimmed(text_before_message(record));
  return before == "0" || before.ends_with(" 0") || before.ends_with(":0");
}

void add_external_incident(Context& context, IncidentKind kind, KeptEvent event, std::string_view error, int rank = -1,
                           std::int64_t pid = -1) {
  Incident one;
  one.kind = kind;
  one.process = is_of_another(context, rank, pid) ? -1 : context.process_number;
  one.rank = rank;
  one.level = Level::warn;
  one.message = std::string(context.record->message);
  one.event = std::move(event);
  one.error = std::string(trimmed(error));
  one.uncaught = kind != IncidentKind::process_ended && is_printed_by_hook(text_before_message(*context.record));
  context.state.quotes.add_incident(std::move(one), *context.record);
}

}  // namespace

WatchdogTimeout* External::watchdog_timeout(Context& context, bool may_add) {
  std::vector<WatchdogTimeout>& stuck = context.state.model.stuck;
  const std::string_view before = text_before_message(*context.record);
  WatchdogTimeout made;
  made.group = std::string(group_of(before).substr(0, 100));
  made.rank = number_behind(before, "Rank ");
  made.global_rank = number_behind(before, "[rank");
  made.process = context.process_number;
  const SourceId source = context.record->at.source;
  // The text of an exception repeats the watchdog's line without `[rank1]:`.
  if (made.global_rank < 0 && made.rank >= 0) {
    const auto before_it = timeout_index_.lower_bound({source, made.group, made.rank, 0});
    if (before_it != timeout_index_.end() && std::get<1>(before_it->first) == made.group &&
        std::get<0>(before_it->first) == source && std::get<2>(before_it->first) == made.rank)
      made.global_rank = std::get<3>(before_it->first);
  }
  const auto [found, is_new] =
      timeout_index_.try_emplace({source, made.group, made.rank, made.global_rank}, stuck.size());
  if (is_new && (!may_add || stuck.size() >= max_stuck)) {
    timeout_index_.erase(found);
    if (may_add) context.drop();
    return nullptr;
  }
  if (is_new) stuck.push_back(std::move(made));
  WatchdogTimeout& one = stuck[found->second];
  one.evidence.add(context.quote(), context.record->times);
  return &one;
}

void External::apply(Context& context, const CollectiveTimedOut& event) {
  WatchdogTimeout* const one = watchdog_timeout(context);
  if (one == nullptr || one->sequence >= 0) return;
  one->sequence = event.sequence;
  one->operation = std::string(event.operation.substr(0, 40));
  one->elements_in = event.elements_in;
  one->elements_out = event.elements_out;
  one->timeout_seconds = static_cast<double>(event.timeout) / 1000;
}

void External::apply(Context& context, const WatchdogReported& event) {
  // A line without a collective may still report that the watchdog gave up.
  if (event.work < 0)
    if (const FoundPhrase found = find_phrase(text_before_message(*context.record)); found && !found.softened)
      add_phrase(context, {found.words, found.phrase->rule}, context.process_number);
  WatchdogTimeout* const one = watchdog_timeout(context);
  if (one == nullptr || one->enqueued >= 0) return;
  if (one->sequence < 0) one->sequence = event.work;
  one->enqueued = event.enqueued;
  one->completed = event.completed;
}

void External::apply(Context& context, const FirstToSignal&) {
  // The line follows another one that says what the watchdog found.
  if (WatchdogTimeout* const one = watchdog_timeout(context, false)) one->first_to_signal = true;
}

void External::apply(Context& context, const PhraseSeen& event) {
  context.state.quotes.take_back(*context.record);
  const int rank = number_behind(text_before_message(*context.record), "[rank");
  add_phrase(context, event, is_of_another(context, rank, -1) ? -1 : context.process_number,
             exception_around(context.record->text, event.phrase), rank);
}

void External::apply(Context& context, const ProgramRaised& event) {
  if (event.exception.starts_with("NCCL ") && event.words == "0") return;  // ncclSuccess
  context.state.quotes.take_back(*context.record);
  const FoundPhrase found = phrase_of(event);
  const int rank = number_behind(text_before_message(*context.record), "[rank");
  // The line may be truncated before the words `collective operation timeout`.
  constexpr std::string_view timeout = "Watchdog caught";
  if (!found && event.words.find(timeout) != std::string_view::npos)
    return add_phrase(context, {timeout, "watchdog-timeout"},
                      is_of_another(context, rank, -1) ? -1 : context.process_number, event.exception, rank);
  const bool explained = found && !found.softened && !is_judged_as_exception(*found.phrase);
  if (explained)
    add_phrase(context, {found.words, found.phrase->rule},
               is_of_another(context, rank, -1) ? -1 : context.process_number, event.exception, rank);
  if (const std::string_view result = nccl_result(event.exception, event.words, found); !result.empty())
    return add_external_incident(context, IncidentKind::nccl_error_raised, KeptEvent(event), result);
  if (explained) return;  // the phrase states the cause; the exception adds nothing
  add_external_incident(context, IncidentKind::program_raised, KeptEvent(event), event.words, rank);
}

void External::apply(Context& context, const ProcessEnded& event) {
  // A process with `EXIT CODE: 0` did not fail.
  if (event.code == 0 && lower_case(event.why).ends_with("code")) return;
  if (event.is_bare() && !reports_failure(context.record->text, event.why)) return;
  if (is_killed_by_ray(event) && names_none(*context.record)) return;
  // The kernel printed the line, as for GpuFaulted, or Ray, Slurm or Kubernetes, which serve all processes of a node.
  if (event.why == "segfault at" || is_killed_by_ray(event) || event.why == "The node was low on resource" ||
      event.why == "oom_kill event" || event.why == "oom-kill event")
    context.select_process(-1);
  if (context.process_number >= 0 && !may_be_same_host(event.host, context.facts->host)) context.select_process(-1);
  const MpiTag tag = event.signal > 0 && event.host.empty() ? mpi_tag(text_before_message(*context.record)) : MpiTag{};
  const std::int64_t pid = event.pid > 0 ? event.pid : tag.pid;
  std::string who(!event.program.empty() ? event.program : !event.host.empty() ? event.host : tag.host);
  if (pid > 0) who.append(who.empty() ? "pid " : ", pid ").append(std::to_string(pid));
  add_external_incident(context, IncidentKind::process_ended, KeptEvent(event), who, event.rank, pid);
}

void External::apply(Context& context, const JobCancelled& event) {
  // slurmstepd says on one node that another one failed.
  if (event.why.find("NODE FAILURE") != std::string_view::npos) context.select_process(-1);
  add_external_incident(context, IncidentKind::job_cancelled, KeptEvent(event), event.why);
}

// The kernel's lines may be in any log of the host, and their pids are those of the host, which do not identify a
// process in a container. Only the GPU identifies the process (resolve/gpu_faults.cc).
void External::apply(Context& context, const GpuFaulted& event) {
  context.select_process(-1);
  add_external_incident(context, IncidentKind::gpu_faulted, KeptEvent(event), event.words);
}

void External::apply(Context& context, const NodeLost& event) {
  // A program that caught the exception tries again.
  if (context.record->text.find("retrying") != std::string_view::npos) return;
  if (!reports_failure(context.record->text, event.who)) return;
  context.select_process(-1);
  add_external_incident(context, IncidentKind::node_lost, KeptEvent(event), event.host);
}

void External::apply(Context& context, const DeviceFaulted& event) {
  context.select_process(-1);
  add_external_incident(context, IncidentKind::device_faulted, KeptEvent(event), event.words);
}

RasOpCounts* External::open_counts(Context& context) {
  const bool follows = !context.state.model.launch_counts.empty() && counts_end_.source == context.record->at.source &&
                       context.record->at.line == counts_end_.line + 1;
  if (!follows) return nullptr;
  counts_end_ = context.record->at;
  return &context.state.model.launch_counts.back();
}

void External::apply(Context& context, const RasCountsDiffer& event) {
  if (context.state.model.launch_counts.size() >= max_reports) {
    context.drop();
    return;
  }
  RasOpCounts& made = context.state.model.launch_counts.emplace_back();
  made.operation = std::string(event.operation);
  if (const auto comm = ras_comm_.find(context.record->at.source); comm != ras_comm_.end()) made.comm_id = comm->second;
  made.evidence.add(context.quote(), context.record->times);
  counts_end_ = context.record->at;
}

void External::apply(Context& context, const RasRanksCounted& event) {
  RasOpCounts* const counts = open_counts(context);
  if (counts == nullptr) return;
  if (counts->groups.size() >= max_listed_ranks) return context.drop();
  counts->groups.push_back({.launched = event.launched, .ranks = event.ranks});
  counts->evidence.add(context.quote(), context.record->times);
}

void External::apply(Context& context, const RasRankListed& event) {
  RasOpCounts* const counts = open_counts(context);
  if (counts == nullptr) return;
  if (counts->listed.size() >= max_listed_ranks) return context.drop();
  const std::int64_t group = counts->groups.empty() ? -1 : counts->groups.back().launched;
  int device = -1;
  const auto [end, error] = std::from_chars(event.gpu.data(), event.gpu.data() + event.gpu.size(), device);
  if (error != std::errc{} || end != event.gpu.data() + event.gpu.size()) device = -1;
  counts->listed.push_back({.rank = event.rank,
                            .launched = event.idle            ? 0
                                        : event.launched >= 0 ? event.launched
                                                              : group,
                            .pid = event.pid,
                            .device = device,
                            .host = context.shared(event.node)});
  counts->evidence.add(context.quote(), context.record->times);
}

// If the nodes differ, a report has one row for each kind of node before the totals, in the same form. Each row
// therefore replaces the one before it.
void External::apply(Context& context, const RasJobCounted& event) {
  constexpr std::uint64_t most_between = 8;  // lines between two rows of one report
  std::vector<RasJob>& jobs = context.state.model.ras_jobs;
  const LineRef at = context.record->at;
  const bool is_next_row =
      !jobs.empty() && jobs.back().at.source == at.source && at.line - jobs.back().at.line <= most_between;
  // A row without processes gives the size of a communicator, which is used only if the report has no summary.
  const bool is_group = event.processes < 0;
  const bool is_known = !jobs.empty() && jobs.back().at.source == at.source && jobs.back().gpus >= event.gpus;
  if (is_group && is_known) return;
  if (!is_next_row && jobs.size() >= max_reports) return context.drop();
  if (!is_next_row) jobs.emplace_back();
  jobs.back() = {.at = context.quote(), .nodes = event.nodes, .processes = event.processes, .gpus = event.gpus};
}

void External::apply(Context& context, const RasCommunicatorNamed& event) {
  ras_comm_[context.record->at.source] = event.comm_id.value;
}

void External::apply(Context& context, const MemberAnnounced& event) {
  constexpr std::size_t most = std::size_t{1} << 16;
  std::vector<AnnouncedMember>& announced = context.state.model.announced;
  if (event.rank < 0 || event.size <= event.rank) return;
  if (announced.size() >= most) return context.drop();
  announced.push_back({.at = context.quote(), .rank = event.rank, .size = event.size});
}

void External::apply(Context& context, const MembersRegistered&) { context.state.model.all_registered = true; }

void External::apply(Context& context, const RanksDesynced& event) {
  if (context.state.model.desynced.size() >= max_reports) return context.drop();
  context.state.model.desynced.push_back(
      {.at = context.quote(), .ranks = numbers_in(event.ranks), .joined = event.joined, .finished = event.finished});
}

}  // namespace nccl_analyze::builder
