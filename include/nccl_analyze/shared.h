#pragma once
/// An unchanging value that copies share, also those of other threads, in one word. Lighter to include than <memory>.

#include <atomic>
#include <cstddef>
#include <utility>

namespace nccl_analyze {

template <class T>
class Shared {
 public:
  Shared() = default;
  explicit Shared(T value) : counted_(new Counted{std::move(value)}) {}
  Shared(const Shared& other) noexcept : counted_(other.counted_) {
    if (counted_ != nullptr) counted_->copies.fetch_add(1, std::memory_order_relaxed);
  }
  Shared(Shared&& other) noexcept : counted_(std::exchange(other.counted_, nullptr)) {}
  Shared& operator=(Shared other) noexcept {
    std::swap(counted_, other.counted_);
    return *this;
  }
  ~Shared() {
    if (counted_ != nullptr && counted_->copies.fetch_sub(1, std::memory_order_acq_rel) == 1) delete counted_;
  }

  /// Null where none was given; lives as long as some copy.
  const T* get() const { return counted_ != nullptr ? &counted_->value : nullptr; }

 private:
  struct Counted {
    const T value;
    std::atomic<std::size_t> copies = 1;
  };
  Counted* counted_ = nullptr;
};

}  // namespace nccl_analyze
