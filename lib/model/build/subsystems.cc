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

/// Wordings of the subsystem INIT that yield no facts. NCCL prints those of `setup_wordings` during an initialisation.
constexpr std::string_view init_wordings[] = {"ROCr version ", "Kernel version: "};
constexpr std::string_view setup_wordings[] = {"threadThresholds "};

template <class List>
bool begins_with_one(std::string_view text, const List& list) {
  return std::ranges::any_of(list, [text](std::string_view words) { return text.starts_with(words); });
}

/// Whether an error trace passes through the code of a transport or of the proxy.
bool is_of_connection(const Event& event) {
  const auto* const trail = std::get_if<ErrorPropagated>(&event);
  return trail != nullptr && (trail->file.starts_with("transport") || trail->file.ends_with("proxy.cc"));
}

/// The number of ranks in `nranks 4` (2.4) or `rank 0 nranks 8` (up to 2.3), which NCCL prints when a communicator
/// begins; -1 for other lines.
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
