#pragma once
// Merges facts that NCCL prints once per channel.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace nccl_analyze::builder {

template <class T>
void take_channels(T& into, const T& from) {
  into.channels |= from.channels;
}

/// A list that merges ("folds") items that differ only in their channels. It folds whenever it has doubled in size, so
/// that repeated items cost no memory. T needs a bit set of channels as its member `channels`, and a function `key()`
/// that returns all other members.
template <class T>
class Folded {
 public:
  void add(const T& item) {
    // NCCL prints one line per channel: most items differ from a recent item only in the channel
    const auto recent = static_cast<std::ptrdiff_t>(std::min<std::size_t>(items_.size(), 16));
    for (auto at = items_.rbegin(); at != items_.rbegin() + recent; ++at) {
      if (at->key() != item.key()) continue;
      take_channels(*at, item);
      return;
    }
    items_.push_back(item);
    if (items_.size() >= next_) fold();
  }
  void fold() {
    std::sort(items_.begin(), items_.end(), [](const T& a, const T& b) { return a.key() < b.key(); });
    std::size_t kept = 0;
    for (std::size_t i = 0; i < items_.size(); ++i) {
      if (kept > 0 && items_[kept - 1].key() == items_[i].key())
        take_channels(items_[kept - 1], items_[i]);
      else
        items_[kept++] = items_[i];
    }
    items_.resize(kept);
    next_ = std::max<std::size_t>(1024, kept * 2);
  }
  /// Reserves capacity for `more` further items.
  void reserve(std::size_t more) { items_.reserve(items_.size() + more); }
  std::vector<T>& items() { return items_; }
  const std::vector<T>& items() const { return items_; }

 private:
  std::vector<T> items_;
  std::size_t next_ = 1024;
};

inline constexpr int block_size = 64;

/// Returns the bit of a channel in the bit set of its block. The number of that block is block_of().
inline std::uint64_t channel_bit(int channel) {
  return std::uint64_t{1} << (static_cast<unsigned>(channel) % block_size);
}
inline std::uint8_t block_of(int channel) { return static_cast<std::uint8_t>(channel / block_size); }

}  // namespace nccl_analyze::builder
