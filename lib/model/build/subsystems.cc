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

/// Whether the line has the flag INIT alone in all releases of NCCL and RCCL that print it.
bool is_of_init(const Record& record) {
  if (record.level != Level::info) return false;
  if (const auto* const note = std::get_if<Noted>(&record.event)) return note->of_init;
  return is_one<CommInitStarted, CommInitCompleted, CommPlaced, AffinityChosen, P2pChecked, P2pUnusable, FabricReported,
                TreesBuilt, ChannelsCounted, RingsConnected, AlgorithmConnected, CollnetChainsBuilt,
                KernelMemoryExceeded>(record.event);
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
  process.init_seen = process.init_seen || is_of_init(record);
  const bool is_setup = note != nullptr && note->wording.starts_with("threadThresholds ");
  if (is_setup || is_of_connection(event) ||
      is_one<CommInitStarted, CommInitCompleted, CommAborted, CommDestroyed, AffinityChosen, SystemPrinted,
             TopologyNodePrinted, PathsPrinted, GraphSearched, GraphChannelPrinted, ChannelConnected, TreesBuilt,
             P2pUnusable, ServiceClosed>(event))
    process.setup_seen = true;
  if (note != nullptr)
    process.announced_ranks = std::max(process.announced_ranks, announced_ranks(*note, record.message));
}

}  // namespace nccl_analyze::builder
