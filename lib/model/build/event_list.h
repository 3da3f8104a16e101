#pragma once
// Sets of event types, at compile time.

#include <type_traits>
#include <variant>

#include "nccl_analyze/event.h"

namespace nccl_analyze::builder {

template <class... Listed>
struct EventList {
  template <class E>
  static constexpr bool holds = (std::is_same_v<E, Listed> || ...);

  static bool has(const Event& event) { return (std::holds_alternative<Listed>(event) || ...); }

  /// Calls `visit` with the event if it is of a listed type.
  template <class Visit>
  static void visit(const Event& event, const Visit& visit) {
    ((std::holds_alternative<Listed>(event) ? visit(std::get<Listed>(event)) : void()), ...);
  }
};

}  // namespace nccl_analyze::builder
