#include "redact/own_message.h"

#include <algorithm>
#include <variant>

#include "messages/matcher.h"
#include "redact/bytes.h"

namespace nccl_analyze::redact {

namespace {

/// Names of calls (collectives.cc, enqueue.cc), and names or numbers of algorithms and protocols (graph/tuning.cc).
constexpr std::string_view operations[] = {"AllReduce", "AllGather", "ReduceScatter", "Broadcast",
                                           "Reduce",    "Send",      "Recv",          "AlltoAll",
                                           "AllToAll",  "Gather",    "Scatter",       "SendRecv"};
constexpr std::string_view algorithms[] = {
    "RING", "TREE", "NVLS", "NVLS_TREE", "COLLNET_DIRECT", "COLLNET_CHAIN", "PAT", "0", "1", "2", "3", "4", "5", "6"};
constexpr std::string_view protocols[] = {"SIMPLE", "LL", "LL128", "0", "1", "2"};
/// Transports whose rows have no further words, NCCL's built-in networks, and the networks of the EFA plugin.
constexpr std::string_view transports[] = {"P2P/CUMEM",         "P2P/IPC",   "P2P/direct pointer",
                                           "P2P/common device", "P2P/MNNVL", "NET"};
constexpr std::string_view networks[] = {"", "IB", "Socket", "Libfabric", "AWS Libfabric"};

/// Whether a text is the NVML index or the bus id of a GPU: `3`, `c1000`. Letters alone may be a name.
bool is_of_gpu(std::string_view text) {
  constexpr std::size_t longest = 6;
  return text.size() <= longest && end_of(text, 0, is_hex) == text.size() && std::ranges::any_of(text, is_digit);
}

bool is_own(const CollectiveCalled& call) { return is_among(operations, call.operation); }
bool is_own(const AlgorithmChosen& chosen) {
  return is_among(operations, chosen.operation) && is_among(algorithms, chosen.algorithm) &&
         is_among(protocols, chosen.protocol);
}
bool is_own(const RingLinked&) { return true; }  // It has only numbers.
bool is_own(const ChannelConnected& channel) {
  return is_among(transports, channel.transport) && is_among(networks, channel.network) &&
         is_of_gpu(channel.from_dev) && is_of_gpu(channel.to_dev);
}

}  // namespace

bool is_own_message(const Event& event) {
  if (const auto* const call = std::get_if<CollectiveCalled>(&event)) return is_own(*call);
  if (const auto* const chosen = std::get_if<AlgorithmChosen>(&event)) return is_own(*chosen);
  if (const auto* const ring = std::get_if<RingLinked>(&event)) return is_own(*ring);
  const auto* const channel = std::get_if<ChannelConnected>(&event);
  return channel != nullptr && is_own(*channel);
}

bool is_own_message(std::string_view message) {
  Event event;
  return standard_matcher().match(message, event) != nullptr && is_own_message(event);
}

}  // namespace nccl_analyze::redact
