#include "model/build/subsystems.h"

#include <algorithm>
#include <charconv>
#include <string_view>
#include <variant>

namespace nccl_analyze::builder {

namespace {

template <class... E>
bool is_one(const Event& event) {
  return (std::holds_alternative<E>(event) || ...);
}

/// The wordings, without facts, of the subsystem INIT; the second group stands inside an initialisation.
constexpr std::string_view init_wordings[] = {"ROCr version ", "Kernel version: "};
constexpr std::string_view setup_wordings[] = {"threadThresholds "};

template <class List>
bool begins_with_one(std::string_view text, const List& list) {
  return std::ranges::any_of(list, [text](std::string_view words) { return text.starts_with(words); });
}

/// Whether the error came back from a connection or from the thread that serves connections.
bool is_of_connection(const Event& event) {
  const auto* const trail = std::get_if<ErrorPropagated>(&event);
  return trail != nullptr && (trail->file.starts_with("transport") || trail->file.ends_with("proxy.cc"));
}

/// The ranks of `nranks 4` (2.4) and `rank 0 nranks 8` (up to 2.3), which begin a communicator; -1 for other lines.
int announced_ranks(const Noted& note, std::string_view message) {
  if (note.wording != "nranks {:int}" && note.wording != "rank {:int} nranks {:int}") return -1;
  message.remove_prefix(message.rfind(' ') + 1);
  int ranks = -1;
  std::from_chars(message.data(), message.data() + message.size(), ranks);
  return ranks;
}

}  // namespace

void note_first_lines(Context& context) {
  Process& process = *context.facts;
  const Record& record = *context.record;
  if (is_one<Damaged, Unrecognized>(record.event)) return;
  const Event& event = record.event;
  const auto* const note = std::get_if<Noted>(&event);
  const bool is_setup = note != nullptr && begins_with_one(note->wording, setup_wordings);
  // these lines have the flag INIT in all releases
  if (is_setup || is_one<CommInitStarted, CommInitCompleted, CommAborted, CommDestroyed, AffinityChosen>(event) ||
      (note != nullptr && begins_with_one(note->wording, init_wordings)))
    process.init_seen = true;
  if (is_setup || is_of_connection(event) ||
      is_one<CommInitStarted, CommInitCompleted, CommAborted, CommDestroyed, AffinityChosen, SystemPrinted,
             TopologyNodePrinted, PathsPrinted, GraphSearched, GraphChannelPrinted, ChannelConnected, TreesBuilt,
             ServiceClosed>(event))
    process.setup_seen = true;
  if (note == nullptr) return;
  process.announced_ranks = std::max(process.announced_ranks, announced_ranks(*note, record.message));
  process.init_seen = process.init_seen || process.announced_ranks > 0;
}

}  // namespace nccl_analyze::builder
