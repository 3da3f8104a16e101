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

/// Makes the event again; its texts are views of `text`. Members that the event does not have, and values that are none
/// of the member's type, are passed over. False if there is no event with this name.
bool read_event_text(const EventText& text, Event& event);

}  // namespace nccl_analyze
