#include "model/build/builder.h"

#include <algorithm>
#include <type_traits>
#include <utility>
#include <variant>

#include "model/build/ranks.h"
#include "model/build/releases.h"
#include "model/build/subsystems.h"

namespace nccl_analyze::builder {

namespace {

/// Narrows the NCCL releases that the process may run, by the wording of the current record. To save time, uses only
/// the first record of each kind of event that dating_kind() numbers.
void narrow_releases(Context& context) {
  const Record& record = *context.record;
  const int kind = dating_kind(record.event);
  if (kind < 0 || record.damage != Damage::none || (context.process->dated & 1U << kind) != 0) return;
  context.process->dated |= 1U << kind;
  if (narrow(context.facts->releases, record, context.replayed.row)) context.quote();
}

/// As narrow_releases(), by the first warnings of NCCL's own files: further ones narrow the releases no more as a rule.
void narrow_by_warning(Context& context) {
  constexpr std::uint32_t most = 8;
  const Record& record = *context.record;
  std::uint32_t& warnings = context.process->dated_warnings;
  if (warnings >= most || record.damage != Damage::none || !is_warning_of_core(record)) return;
  ++warnings;
  if (narrow(context.facts->releases, record, context.replayed.row)) context.quote();
}

}  // namespace

void Builder::give_event() { domains_.give(context_, context_.record->event); }

void Builder::add(const Record& record) {
  context_.record = &record;
  if (record.level == Level::external) return add_external();
  if (record.level == Level::version)
    if (const auto* version = std::get_if<VersionPrinted>(&record.event)) return add_bare_version(context_, *version);
  if (record.damage != Damage::none)
    context_.source_of(record.at.source)
        .damaged[static_cast<std::size_t>(record.damage)]
        .add(context_.quote(), record.times);
  const bool found = senders_.select_sender(context_);
  LineCounts& lines = found ? context_.process->lines : context_.state.stray_lines;
  lines.nccl_lines += record.times;
  if (std::holds_alternative<Unrecognized>(record.event)) lines.unrecognized += record.times;
  if (!found) return;
  narrow_releases(context_);
  note_subsystem(context_);
  context_.made_incident = false;
  give_event();
  if (!is_notable(record.level)) return;
  // A line of the kernel or the scheduler that was torn into a warning of NCCL is of no process.
  if (context_.process == nullptr) return;
  narrow_by_warning(context_);
  // every warning must become an incident, even if its domain took only a fact from it
  if (!context_.made_incident && !record.message.empty()) add_unread_warning(context_);
}

void Builder::add_external() {
  const bool quotes_nccl = !context_.record->is_fact && !domains_.is_taken_by<External>(context_.record->event);
  if (senders_.select_printer(context_, quotes_nccl)) give_event();
}

void Builder::expect_sources(std::size_t read, std::size_t all) {
  // Some more than expected, because a table that is too small by one would be doubled.
  const auto expected = [=](std::size_t so_far) { return so_far * (all + all / 16) / std::max<std::size_t>(read, 1); };
  BuilderState& state = context_.state;
  const std::size_t processes = std::min(expected(state.processes.size()), context_.limits.max_processes);
  state.processes.reserve(processes);
  state.model.processes.reserve(processes);
  senders_.reserve(context_, processes);
  context_.threads.reserve(expected(context_.threads.size()));
  for (CommState& comm : state.comms)
    if (comm.comm.ranks.size() * 2 > read)  // It has ranks in most sources.
      comm.comm.ranks.reserve(expected(comm.comm.ranks.size()));
}

void Builder::add_source(SourceId source, std::string_view name, const ParseStats& stats) {
  Source& known = context_.source_of(source);
  known.name = name;
  known.stats = stats;
}

BuilderState Builder::finish() {
  Record end;  // stand-in for the current record, whose position close_batch() may need
  context_.record = &end;
  for (Index i = 0; i < static_cast<Index>(context_.state.processes.size()); ++i) {
    context_.select_process(i);
    end.at = context_.facts->last;
    context_.process->threads.each(
        [this](std::uint32_t thread) { close_batch(context_, context_.threads[thread], BatchKind::unknown); });
    context_.process->threads = {};
  }
  return std::move(context_.state);
}

}  // namespace nccl_analyze::builder
