#include "nccl_analyze/events/kept_event.h"

#include <atomic>
#include <cstring>
#include <new>
#include <utility>

#include "messages/views.h"

namespace nccl_analyze {

namespace {

/// Truncates a text: thousands of incidents are kept, and a line may have a megabyte.
std::string_view head_of(std::string_view text) { return text.substr(0, KeptEvent::max_text); }

/// The reference count. It precedes the bytes of the event and has their alignment.
struct alignas(std::max_align_t) Shared {
  std::atomic<std::size_t> copies = 1;
};

Shared* shared_of(std::byte* bytes) { return static_cast<Shared*>(static_cast<void*>(bytes)) - 1; }

std::byte* make_shared_bytes(std::size_t size) {
  void* const room = ::operator new(sizeof(Shared) + size);
  new (room) Shared;
  return static_cast<std::byte*>(room) + sizeof(Shared);
}

}  // namespace

KeptEvent::KeptEvent(const KeptEvent& other) noexcept : name_(other.name_), bytes_(other.bytes_) {
  if (bytes_ != nullptr) shared_of(bytes_)->copies.fetch_add(1, std::memory_order_relaxed);
}

KeptEvent::KeptEvent(KeptEvent&& other) noexcept
    : name_(std::exchange(other.name_, {})), bytes_(std::exchange(other.bytes_, nullptr)) {}

KeptEvent& KeptEvent::operator=(KeptEvent other) noexcept {
  std::swap(name_, other.name_);
  std::swap(bytes_, other.bytes_);
  return *this;
}

KeptEvent::~KeptEvent() {
  if (bytes_ == nullptr || shared_of(bytes_)->copies.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
  ::operator delete(shared_of(bytes_));
}

KeptEvent::KeptEvent(std::string_view name, const void* event, std::size_t size, std::span<const Field> fields)
    : name_(name) {
  std::size_t text = 0;
  for (const Field& field : fields)
    field.visit(event, [&](const auto& member) { text += head_of(view_of(member)).size(); });
  bytes_ = make_shared_bytes(size + text);
  std::memcpy(bytes_, event, size);
  char* end = static_cast<char*>(static_cast<void*>(bytes_ + size));
  replace_views(bytes_, fields, [&end](std::string_view whole) {
    const std::string_view view = head_of(whole);
    if (view.empty()) return std::string_view();
    std::memcpy(end, view.data(), view.size());
    const std::string_view kept(end, view.size());
    end += view.size();
    return kept;
  });
}

}  // namespace nccl_analyze
