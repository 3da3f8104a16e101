#include "model/build/incidents.h"

#include <algorithm>
#include <string>
#include <utility>

#include "messages/beginnings.h"
#include "model/build/mentions.h"
#include "model/build/ranks.h"
#include "model/wording.h"
#include "text/launcher_tag.h"

namespace nccl_analyze::builder {

std::string_view text_before_message(const Record& record) {
  const std::string_view text = record.text;
  return text.substr(0, text.size() - std::min(text.size(), record.message.size()));
}

void add_incident(Context& context, IncidentKind kind, KeptEvent event, std::string_view error,
                  std::string_view topic) {
  context.made_incident = true;
  Incident one;
  one.kind = kind;
  one.process = context.process_number;
  one.level =
      context.record->level == Level::external ? Level::warn : context.record->level;  // frameworks quote only warnings
  one.message = std::string(context.record->message);
  one.event = std::move(event);
  one.error = std::string(error);
  one.place = std::string(context.record->origin.location);
  const std::size_t slash = std::min(topic.find('/'), topic.size());
  one.topic = std::string(topic.substr(0, slash));
  one.aspect = std::string(topic.substr(std::min(slash + 1, topic.size())));
  const RankRef ref = context.thread().in_init ? context.thread().current : context.process->lifetimes.only_open();
  if (ref.comm >= 0) {
    one.communicator = ref.comm;
    one.rank = context.rank(ref).rank;
  }
  // A line without NCCL's prefix, in a process without a communicator, shows its rank only in the launcher's tag.
  if (context.record->origin.pid < 0 && context.process->lifetimes.empty())
    one.rank = rank_of_tag(launcher_tag(context.record->origin.decoration));
  one.device = context.record->origin.device;
  context.state.quotes.add_incident(std::move(one), *context.record);
}

void add_unread_warning(Context& context) {
  const PhraseSeen seen = phrase_of(*context.record);
  // The message is known as a note or a fact, because newer releases print it at level INFO. No rule reports it.
  const bool is_note = std::holds_alternative<Noted>(context.record->event) ||
                       std::holds_alternative<BufferRegistered>(context.record->event);
  const std::string_view known = is_note ? "none" : topic_of_beginning(context.record->message);
  add_incident(context, IncidentKind::other_warning, {}, {}, seen.topic.empty() ? known : seen.topic);
}

void add_phrase(Context& context, const PhraseSeen& seen, Index process, std::string_view exception, int rank) {
  if (seen.phrase.empty()) return;
  Incident one;
  one.kind = IncidentKind::phrase_seen;
  one.process = process;
  one.level = Level::warn;
  one.message = std::string(context.record->message);
  one.place = std::string(context.record->origin.location);
  one.topic = std::string(seen.topic);
  one.event = KeptEvent(seen);
  one.error = std::string(exception);
  one.rank = rank;
  one.uncaught = !exception.empty() && is_printed_by_hook(text_before_message(*context.record));
  const bool is_nobodys = context.record->level == Level::external && exception.empty();
  if (is_nobodys && !reports_failure(context.record->text, seen.phrase)) one.aspect = "mention";
  context.state.quotes.add_incident(std::move(one), *context.record);
}

void Incidents::apply(Context& context, const CudaFailed& event) {
  const bool memory = event.error.find("out of memory") != std::string_view::npos;
  add_incident(context, memory ? IncidentKind::out_of_memory : IncidentKind::cuda_failed, KeptEvent(event),
               event.error);
}

void Incidents::apply(Context& context, const P2pUnusable& event) {
  add_incident(context, event.between.empty() ? IncidentKind::p2p_disabled_pcie : IncidentKind::p2p_disabled_nvlink,
               KeptEvent(event));
}

void Incidents::apply(Context& context, const CallFailed& event) {
  add_incident(context, event.attempt >= 0 ? IncidentKind::call_retried : IncidentKind::call_failed, KeptEvent(event),
               event.reason);
}

void Incidents::apply(Context& context, const Hinted& event) {
  if (event.detail.find("ACS is enabled") != std::string_view::npos)
    add_incident(context, IncidentKind::acs_suspected, KeptEvent(event));
}

void Incidents::apply(Context& context, const VendorNetworkNoted& event) {
  if (context.record->level == Level::warn)
    add_incident(context, IncidentKind::vendor_network_warned, KeptEvent(event));
}

void Incidents::apply(Context& context, const Warned& event) {
  const PhraseSeen seen = phrase_of(*context.record);
  add_incident(context, IncidentKind::other_warning, KeptEvent(event), {},
               seen.topic.empty() ? event.topic : seen.topic);
}

void Incidents::apply(Context& context, const ErrorPropagated& event) {
  if (event.result == 7 || event.result == 0) return;  // ncclInProgress and ncclSuccess are no errors.
  ErrorPropagated whole = event;
  const std::string_view place = context.record->origin.location;
  if (whole.file.empty()) whole.file = place.substr(0, place.find(':'));  // 2.30.7 prints the file before the message
  add_incident(context, IncidentKind::error_propagated, KeptEvent(whole));
  Rank* const rank = rank_in_init(context);
  if (rank == nullptr || rank->state != RankState::started) return;
  rank->state = RankState::failed;
  rank->ended_at = context.record->at;
}

void Incidents::apply(Context& context, const AffinityChosen& event) {
  // NCCL sets the affinity in initTransportsRank, after the first exchange between ranks, in all versions that print
  // Init START.
  if (Rank* const rank = rank_in_init(context)) reach(*rank, InitPhase::topology);
  if (event.cpus.starts_with("empty")) add_incident(context, IncidentKind::cpu_affinity_empty, KeptEvent(event));
}

void Incidents::apply(Context& context, const Unrecognized&) {
  context.state.quotes.add_unrecognized(*context.record);
  // A warning or notice is an incident as a whole, so its phrase adds nothing.
  if (!is_notable(context.record->level)) add_phrase(context, phrase_of(*context.record), context.process_number);
}

void Incidents::apply(Context& context, const Damaged&) {
  if (!is_notable(context.record->level)) add_phrase(context, phrase_of(*context.record), context.process_number);
}

}  // namespace nccl_analyze::builder
