#pragma once
/// A container for an event that outlives its line.

#include <cstddef>
#include <span>
#include <string_view>

#include "nccl_analyze/events/field.h"

namespace nccl_analyze {

/// Owns a copy of an event and of the first max_text bytes of each of its texts. Copies of a KeptEvent share the event.
/// To call `as<E>()`, include the header of E in nccl_analyze/events/.
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

  /// Returns the event, or a default-constructed E if the event has another type or none is kept. The event's texts are
  /// valid while any copy of the KeptEvent exists.
  template <class E>
  const E& as() const {
    static constexpr E none{};
    return name_ == E::name ? *static_cast<const E*>(static_cast<const void*>(bytes_)) : none;
  }

 private:
  KeptEvent(std::string_view name, const void* event, std::size_t size, std::span<const Field> fields);

  std::string_view name_;
  std::byte* bytes_ = nullptr;  ///< The event, followed by its texts; the number of copies is stored before the event.
};

}  // namespace nccl_analyze
