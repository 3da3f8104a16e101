// What frameworks, launchers and the kernel say: of whom, as far as the log tells, and what happened.

#include <algorithm>
#include <charconv>
#include <span>

#include "messages/phrases.h"
#include "model/build/builder.h"

namespace nccl_analyze::draft {

namespace {

constexpr std::size_t max_stuck = 1 << 16;         // ranks of process groups
constexpr std::size_t max_reports = 64;            // of the RAS client
constexpr std::size_t max_listed_ranks = 1 << 12;  // in one of them

/// The number behind the last `words` of `text`; -1 when there is none.
int number_behind(std::string_view text, std::string_view words) {
  const std::size_t at = text.rfind(words);
  if (at == std::string_view::npos) return -1;
  int number = -1;
  const char* const digits = text.data() + at + words.size();
  const auto [end, error] = std::from_chars(digits, text.data() + text.size(), number);
  return error == std::errc{} && number >= 0 ? number : -1;
}

/// `ID 0 PG GUID 0(default_pg)` of `[PG ID 0 PG GUID 0(default_pg) Rank 13]`.
std::string_view group_of(std::string_view text) {
  const std::size_t open = text.rfind("[PG ");
  const std::size_t close = open == std::string_view::npos ? open : text.find(" Rank ", open);
  return close == std::string_view::npos ? std::string_view{} : text.substr(open + 4, close - open - 4);
}

/// Up to where PyTorch begins to give advice: `unhandled system error` of `unhandled system error (run with …`.
std::string_view without_advice(std::string_view result) {
  return result.substr(0, std::min(result.find('('), result.find(',')));
}

/// NCCL's result in the words of a framework: `unhandled system error` of `NCCL error in: FILE:LINE, unhandled system
/// error (run with …`. Empty when the exception does not pass on an error of NCCL.
std::string_view nccl_result(std::string_view words, const FoundPhrase& found) {
  constexpr std::string_view in = "NCCL error in: ";
  if (const std::size_t at = words.find(in); at != std::string_view::npos) {
    const std::size_t comma = words.find(", ", at);
    return comma == std::string_view::npos ? words.substr(at) : without_advice(words.substr(comma + 2));
  }
  constexpr std::string_view beginnings[] = {"NCCL Error ", "NCCL error", "NCCL communicator was aborted"};
  if (std::any_of(std::begin(beginnings), std::end(beginnings), [&](auto one) { return words.starts_with(one); }))
    return words;
  constexpr std::string_view results[] = {"unhandled cuda error",
                                          "unhandled system error",
                                          "internal error - please report this issue to the NCCL",
                                          "invalid usage (run with NCCL",
                                          "remote process exited or there was a network error",
                                          "raised the following async exception"};
  for (const std::string_view result : results)
    if (const std::size_t at = words.find(result); at != std::string_view::npos)
      return without_advice(words.substr(at));
  return found && found.phrase->said_by == SaidBy::nccl ? found.words : std::string_view{};
}

/// Of an exception: whether it ended its program, and why, is judged where exceptions are.
bool is_told_otherwise(const Phrase& phrase) {
  constexpr std::string_view rules[] = {"application-error", "process-died", "cuda-error", "out-of-memory"};
  return phrase.said_by == SaidBy::anyone &&
         std::find(std::begin(rules), std::end(rules), phrase.rule) != std::end(rules);
}

}  // namespace

Index Folding::only_process() const {
  const auto source = static_cast<std::size_t>(record_->at.source);
  if (source >= inhabitants_.size() || inhabitants_[source].count != 1) return -1;
  return inhabitants_[source].process;
}

void Folding::add_outside() {
  const auto source = static_cast<std::size_t>(record_->at.source);
  const bool inhabited = source < inhabitants_.size() && inhabitants_[source].count > 0;
  Index process = only_process();
  // A framework that quotes NCCL where NCCL itself is silent: somebody has said it.
  const std::size_t kind = record_->event.index();
  const bool own_words = kind < Event(CollectiveTimedOut{}).index() || kind > Event(PhraseSeen{}).index();
  if (own_words && !inhabited && job_.processes.size() < limits_.max_processes) process = make_process(-1);
  if (own_words && process < 0) return;
  turn_to(process);
  std::visit([this](const auto& event) { apply(event); }, record_->event);
}

std::string_view Folding::introduction() const {
  const std::string_view text = record_->text;
  return text.substr(0, text.size() - std::min(text.size(), record_->message.size()));
}

bool Folding::is_of_another(int rank, std::int64_t pid) const {
  if (process_number_ < 0) return false;
  const std::int64_t own = job_.facts[static_cast<std::size_t>(process_number_)].pid;
  if (pid >= 0 && own >= 0) return pid != own;
  constexpr std::size_t most = 256;  // the first are those of the whole job
  const std::span lives(process_->lives.all().data(), std::min(process_->lives.all().size(), most));
  return rank >= 0 && !lives.empty() && std::none_of(lives.begin(), lives.end(), [&](const Life& life) {
           return life.ref.comm >= 0 && job_.comms[static_cast<std::size_t>(life.ref.comm)]
                                                .comm.ranks[static_cast<std::size_t>(life.ref.slot)]
                                                .rank == rank;
         });
}

void Folding::outside_incident(IncidentKind kind, KeptEvent event, std::string_view error, int rank, std::int64_t pid) {
  Incident one;
  one.kind = kind;
  one.process = is_of_another(rank, pid) ? -1 : process_number_;
  one.rank = rank;
  one.level = Level::warn;
  one.message = std::string(record_->message);
  one.event = std::move(event);
  one.error = std::string(trimmed(error));
  keeper_.add_incident(std::move(one), *record_);
}

StuckRank* Folding::stuck_rank() {
  const std::string_view said = introduction();
  StuckRank made;
  made.group = std::string(group_of(said).substr(0, 100));
  made.rank = number_behind(said, "Rank ");
  made.global_rank = number_behind(said, "[rank");
  made.process = process_number_;
  const auto [found, is_new] =
      stuck_index_.try_emplace({record_->at.source, made.group, made.rank, made.global_rank}, stuck_.size());
  if (is_new && stuck_.size() >= max_stuck) {
    stuck_index_.erase(found);
    dropped_ += record_->times;
    return nullptr;
  }
  if (is_new) stuck_.push_back(std::move(made));
  StuckRank& one = stuck_[found->second];
  one.evidence.add(quoted(), record_->times);
  return &one;
}

void Folding::apply(const CollectiveTimedOut& event) {
  StuckRank* const one = stuck_rank();
  if (one == nullptr || one->sequence >= 0) return;
  one->sequence = event.sequence;
  one->operation = std::string(event.operation.substr(0, 40));
  one->elements_in = event.elements_in;
  one->elements_out = event.elements_out;
  one->timeout_seconds = static_cast<double>(event.timeout) / 1000;
}

void Folding::apply(const WatchdogReported& event) {
  StuckRank* const one = stuck_rank();
  if (one == nullptr || one->enqueued >= 0) return;
  if (one->sequence < 0) one->sequence = event.work;
  one->enqueued = event.enqueued;
  one->completed = event.completed;
}

void Folding::apply(const PhraseSeen& event) { phrase_incident(event); }

void Folding::apply(const ProgramRaised& event) {
  const FoundPhrase found = find_phrase(event.words);
  const bool told = found && !found.softened && !is_told_otherwise(*found.phrase);
  if (told) phrase_incident({found.words, found.phrase->rule}, event.exception, number_behind(introduction(), "[rank"));
  if (const std::string_view result = nccl_result(event.words, found); !result.empty())
    return outside_incident(IncidentKind::nccl_error_raised, KeptEvent(event), result);
  if (told) return;  // it says why, so that nothing is left to guess from the exception
  outside_incident(IncidentKind::program_raised, KeptEvent(event), event.words, number_behind(introduction(), "[rank"));
}

void Folding::apply(const ProcessEnded& event) {
  std::string who(event.program.empty() ? event.host : event.program);
  if (event.pid > 0) who.append(who.empty() ? "pid " : ", pid ").append(std::to_string(event.pid));
  outside_incident(IncidentKind::process_ended, KeptEvent(event), who, event.rank, event.pid);
}

void Folding::apply(const JobCancelled& event) {
  outside_incident(IncidentKind::job_cancelled, KeptEvent(event), event.why);
}

void Folding::apply(const GpuFaulted& event) {
  outside_incident(IncidentKind::gpu_faulted, KeptEvent(event), event.words);
}

LaunchCounts* Folding::open_counts() {
  const bool follows =
      !launch_counts_.empty() && counts_end_.source == record_->at.source && record_->at.line == counts_end_.line + 1;
  if (!follows) return nullptr;
  counts_end_ = record_->at;
  return &launch_counts_.back();
}

void Folding::apply(const RasCountsDiffer& event) {
  if (launch_counts_.size() >= max_reports) {
    dropped_ += record_->times;
    return;
  }
  LaunchCounts& made = launch_counts_.emplace_back();
  made.operation = std::string(event.operation);
  made.evidence.add(quoted(), record_->times);
  counts_end_ = record_->at;
}

void Folding::apply(const RasRanksCounted& event) {
  LaunchCounts* const counts = open_counts();
  if (counts == nullptr || counts->groups.size() >= max_listed_ranks) return;
  counts->groups.push_back({.launched = event.launched, .ranks = event.ranks});
  counts->evidence.add(quoted(), record_->times);
}

void Folding::apply(const RasRankListed& event) {
  LaunchCounts* const counts = open_counts();
  if (counts == nullptr || counts->listed.size() >= max_listed_ranks) return;
  const std::int64_t group = counts->groups.empty() ? -1 : counts->groups.back().launched;
  counts->listed.push_back({.rank = event.rank, .launched = event.launched >= 0 ? event.launched : group});
  counts->evidence.add(quoted(), record_->times);
}

}  // namespace nccl_analyze::draft
