#pragma once
// Passes each event to the one domain that handles it, selected at compile time.

#include <array>
#include <tuple>
#include <variant>

#include "model/build/context.h"
#include "model/build/unused.h"

namespace nccl_analyze::builder {

/// Whether the domain has an `apply` overload for the event.
template <class Domain, class E>
concept Takes = requires(Domain& domain, Context& context, const E& event) {
  domain.apply(context, event);
};

/// Calls `apply` of the one domain that takes an event. std::visit would find it too, but each function that it makes
/// has the names of all types of events in its own name, which makes it slow to compile.
template <class... Domain>
class Dispatch {
 public:
  void give(Context& context, const Event& event) {
    Tables<Event>::givers[event.index()](*this, context, address_of(event));
  }

  /// Whether this domain takes the event.
  template <class One>
  static bool is_taken_by(const Event& event) {
    return Tables<Event>::template taken<One>[event.index()];
  }

 private:
  using Giver = void(Dispatch&, Context&, const void*);

  template <class E>
  static void give_one(Dispatch& self, Context& context, const void* event) {
    constexpr int takers = (int{Takes<Domain, E>} + ...);
    static_assert(takers <= 1, "two domains take this event");
    static_assert(takers == 1 || unused<E>, "no domain takes this event: give it to one, or list it in unused.h");
    static_assert(takers == 0 || !unused<E>, "a domain takes this event: unused.h must not list it");
    (self.give_to<Domain>(context, *static_cast<const E*>(event)), ...);
  }

  /// An entry for each type of event.
  template <class>
  struct Tables;
  template <class... E>
  struct Tables<std::variant<E...>> {
    static constexpr std::array<Giver*, sizeof...(E)> givers{give_one<E>...};
    template <class One>
    static constexpr std::array<bool, sizeof...(E)> taken{Takes<One, E>...};
  };

  template <class One, class E>
  void give_to(Context& context, const E& event) {
    if constexpr (Takes<One, E>) std::get<One>(domains_).apply(context, event);
  }

  std::tuple<Domain...> domains_;
};

}  // namespace nccl_analyze::builder
