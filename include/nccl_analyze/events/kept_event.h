#pragma once
/// An event that outlives its line.

#include <cstddef>
#include <span>
#include <string_view>

#include "nccl_analyze/events/field.h"

namespace nccl_analyze {

/// A copy of an event with its texts, of each the first max_text bytes; copies share it. `as<E>()` reads it where the
/// header of E is included (nccl_analyze/events/).
class KeptEvent {
 public:
  static constexpr std::size_t max_text = 1024;

  KeptEvent() = default;
  KeptEvent(const KeptEvent& other) noexcept;
  KeptEvent(KeptEvent&& other) noexcept;
  KeptEvent& operator=(KeptEvent other) noexcept;
  ~KeptEvent();
  template <class E>
  explicit KeptEvent(const E& event) : KeptEvent(E::name, &event, sizeof event, fields_of<E>) {}

  /// The event; one with no member set where it is of another type, or none is kept. Its texts live as long as this or
  /// any other copy of it.
  template <class E>
  const E& as() const {
    static constexpr E none{};
    return name_ == E::name ? *static_cast<const E*>(static_cast<const void*>(bytes_)) : none;
  }

 private:
  KeptEvent(std::string_view name, const void* event, std::size_t size, std::span<const Field> fields);

  std::string_view name_;
  std::byte* bytes_ = nullptr;  ///< The event, and behind it its texts; before it, how many copies there are.
};

}  // namespace nccl_analyze
