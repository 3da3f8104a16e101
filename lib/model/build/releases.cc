#include "model/build/releases.h"

#include <array>
#include <string_view>

#include "messages/matcher.h"
#include "model/versions.h"

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
                            RingsConnected, AlgorithmConnected, ChannelsCounted>;
constexpr auto places = ReleaseEvents::places(static_cast<const Event*>(nullptr));

}  // namespace

int dating_kind(const Event& event) { return places[event.index()]; }

bool narrow(Releases& releases, std::string_view message, LineRef at) {
  Event event;
  const Row* const row = standard_matcher().match(message, event);
  if (row == nullptr) return false;
  const int since = release_of(row->since);
  const int until = release_of(row->until);
  const bool newer = since > releases.since;
  const bool older = until != 0 && (releases.until == 0 || until < releases.until);
  if (newer) releases.since = since, releases.since_at = at;
  if (older) releases.until = until, releases.until_at = at;
  return newer || older;
}

}  // namespace nccl_analyze::builder
