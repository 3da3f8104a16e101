#pragma once
// Passes each event to the one domain that handles it, selected at compile time.

#include <tuple>

#include "model/build/context.h"
#include "model/build/unused.h"

namespace nccl_analyze::builder {

/// Whether the domain has an `apply` overload for the event.
template <class Domain, class E>
concept Takes = requires(Domain& domain, Context& context, const E& event) {
  domain.apply(context, event);
};

template <class... Domain>
class Dispatch {
 public:
  template <class E>
  void give(Context& context, const E& event) {
    constexpr int takers = (int{Takes<Domain, E>} + ...);
    static_assert(takers <= 1, "two domains take this event");
    static_assert(takers == 1 || unused<E>, "no domain takes this event: give it to one, or list it in unused.h");
    static_assert(takers == 0 || !unused<E>, "a domain takes this event: unused.h must not list it");
    (give_to<Domain>(context, event), ...);
  }

 private:
  template <class One, class E>
  void give_to(Context& context, const E& event) {
    if constexpr (Takes<One, E>) std::get<One>(domains_).apply(context, event);
  }

  std::tuple<Domain...> domains_;
};

}  // namespace nccl_analyze::builder
