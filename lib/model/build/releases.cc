#include "model/build/releases.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>
#include <type_traits>

#include "messages/matcher.h"
#include "model/versions.h"
#include "nccl_analyze/event.h"
#include "nccl_analyze/parser.h"

namespace nccl_analyze::builder {

namespace {

template <class... ReleaseEvents>
struct Kinds {
  template <class E>
  static constexpr std::int8_t place_of() {
    std::int8_t place = 0;
    return ((std::is_same_v<E, ReleaseEvents> || (++place, false)) || ...) ? place : std::int8_t{-1};
  }
  template <class... E>
  static constexpr std::array<std::int8_t, sizeof...(E)> places(const std::variant<E...>*) {
    return {place_of<E>()...};
  }
};

using ReleaseEvents = Kinds<PluginNotFound, PluginLoadFailed, PluginLoaded, PluginLibraryLoaded, CommInitStarted,
                            CommInitCompleted, CommPlaced, CommDestroyed, CommAborted, BootstrapTimed, InitTimed,
                            RingsConnected, AlgorithmConnected, ChannelsCounted, ChannelConnected, TreesBuilt>;
constexpr auto places = ReleaseEvents::places(static_cast<const Event*>(nullptr));

/// The first and the last release with this form of a message, for rows that have forms of several releases; 0: open.
struct Range {
  int since = 0, until = 0;
};

Range range_of(const ChannelConnected& event, std::string_view message) {
  const bool is_net = event.transport == "NET";
  if (event.nranks > 0) return {};
  if (message.starts_with("Ring ")) return {.since = 0, .until = 206};
  if (!message.starts_with("Channel ") || (!is_net && !event.transport.starts_with("P2P"))) return {};
  // The number of the connection follows that of the channel since 2.12.7 (NET) and 2.14.3 (P2P).
  if (has_connection_number(message)) return {.since = is_net ? 212 : 214, .until = 0};
  return {.since = 0, .until = is_net ? 211 : 213};
}

Range range_of_form(const Event& event, std::string_view message) {
  if (const auto* const connected = std::get_if<ChannelConnected>(&event)) return range_of(*connected, message);
  // Up to 2.7.8 each tree stands here twice, upwards and downwards.
  if (std::holds_alternative<TreesBuilt>(event))
    return {.since = 0, .until = message.find('|') == std::string_view::npos ? 0 : 207};
  const auto* const started = std::get_if<CommInitStarted>(&event);
  if (started == nullptr) return {};
  // Since 2.21.5 the function that makes the communicator is named, and since 2.29.2 the rank stands before it.
  if (started->function.empty()) return {.since = 0, .until = 220};
  return {.since = message.starts_with("[Rank ") ? 229 : 221, .until = 0};
}

}  // namespace

bool has_connection_number(std::string_view message) {
  constexpr std::string_view before = "Channel ";
  if (!message.starts_with(before)) return false;
  message.remove_prefix(before.size());
  return message.substr(std::min(message.find_first_not_of("0123456789"), message.size())).starts_with('/');
}

bool is_warning_of_core(const Record& record) {
  const std::string_view place = record.origin.location;
  return place.find(".cc:") != std::string_view::npos && !record.message.starts_with("NET/");
}

int dating_kind(const Event& event) { return places[event.index()]; }

bool narrow(Releases& releases, const Record& record, const Row* row) {
  Event matched;
  const Event& event = row == nullptr ? matched : record.event;
  if (row == nullptr) row = standard_matcher().match(record.message, matched);
  if (row == nullptr) return false;
  const LineRef at = record.at;
  const Range form = range_of_form(event, record.message);
  const int since = std::max(release_of(row->since), form.since);
  const int until = form.until != 0 ? form.until : release_of(row->until);
  const bool newer = since > releases.since;
  const bool older = until != 0 && (releases.until == 0 || until < releases.until);
  if (newer) releases.since = since, releases.since_at = at;
  if (older) releases.until = until, releases.until_at = at;
  return newer || older;
}

}  // namespace nccl_analyze::builder
