#pragma once
// Remembers what was computed for a text, because programs repeat their lines: each rank prints the same exception.

#include <array>
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace nccl_analyze {

/// The values of the last texts, in slots that a hash selects. Texts of more than 1 KiB are not remembered.
template <class Value>
class LineMemo {
 public:
  /// `on`: whether anything is remembered. The values do not depend on it.
  explicit LineMemo(bool on = true) : on_(on) {}

  /// Returns the value for `text`, which `make(copy)` computes if it is not known. The views of the value may point
  /// into the copy; both are valid until the next call.
  template <class Make>
  const Value& operator()(std::string_view text, Make&& make) {
    const bool is_short = text.size() <= max_size;
    Slot& slot = slots_[is_short ? std::hash<std::string_view>{}(text) % slots_.size() : 0];
    if (on_ && is_short && slot.is_used && slot.text == text) return slot.value;
    slot.text.assign(text);
    slot.value = make(std::string_view(slot.text));
    slot.is_used = is_short;
    return slot.value;
  }

 private:
  static constexpr std::size_t max_size = 1024;
  struct Slot {
    bool is_used = false;
    std::string text;
    Value value;
  };
  std::array<Slot, 16> slots_;
  bool on_;
};

}  // namespace nccl_analyze
