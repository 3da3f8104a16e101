#pragma once
// Facts that NCCL prints for one channel after the other, kept once for all channels.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace nccl_analyze::builder {

template <class T>
void take_channels(T& into, const T& from) {
  into.channels |= from.channels;
}

/// Items that are equal but for their channels, folded whenever they have doubled, so that repeats cost no memory.
/// T has `key()`, all but the channels, and `channels`.
template <class T>
class Folded {
 public:
  void add(const T& item) {
    // NCCL prints channel after channel: most lines differ from one just before by their channel alone
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
  /// Makes room for so many more.
  void reserve(std::size_t more) { items_.reserve(items_.size() + more); }
  std::vector<T>& items() { return items_; }
  const std::vector<T>& items() const { return items_; }

 private:
  std::vector<T> items_;
  std::size_t next_ = 1024;
};

inline constexpr int block_size = 64;

/// The bit of a channel in the set of its block, which is block_of().
inline std::uint64_t channel_bit(int channel) {
  return std::uint64_t{1} << (static_cast<unsigned>(channel) % block_size);
}
inline std::uint8_t block_of(int channel) { return static_cast<std::uint8_t>(channel / block_size); }

}  // namespace nccl_analyze::builder
