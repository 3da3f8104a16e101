#pragma once
// Events as texts: the name of the event and of each member that differs from its default, with its value.

#include <compare>
#include <utility>
#include <vector>

#include "nccl_analyze/containers.h"
#include "nccl_analyze/event.h"

namespace nccl_analyze {

struct EventText {
  Text name;
  std::vector<std::pair<Text, Text>> members;  ///< Name and value, in the order of the event's fields.
  friend auto operator<=>(const EventText&, const EventText&) = default;
};

EventText event_text(const Event& event);

/// Restores the event, whose texts are views of `text`. Skips members that the event does not have, and values that do
/// not have the type of the member. Returns false if there is no event with this name.
bool read_event_text(const EventText& text, Event& event);

}  // namespace nccl_analyze
