#include "nccl_analyze/kept_event.h"

#include <cstring>
#include <utility>

#include "messages/views.h"

namespace nccl_analyze {

namespace {

/// Thousands of incidents are kept, and a line may have a megabyte.
std::string_view head_of(std::string_view text) { return text.substr(0, KeptEvent::max_text); }

}  // namespace

KeptEvent::KeptEvent(std::string_view name, const void* event, std::size_t size, std::span<const Field> fields)
    : name_(name) {
  std::size_t text = 0;
  for (const Field& field : fields)
    field.visit(event, [&](const auto& member) { text += head_of(view_of(member)).size(); });
  std::shared_ptr<std::byte[]> bytes(new std::byte[size + text]);
  std::memcpy(bytes.get(), event, size);
  char* end = static_cast<char*>(static_cast<void*>(bytes.get() + size));
  replace_views(bytes.get(), fields, [&end](std::string_view whole) {
    const std::string_view view = head_of(whole);
    if (view.empty()) return std::string_view();
    std::memcpy(end, view.data(), view.size());
    const std::string_view kept(end, view.size());
    end += view.size();
    return kept;
  });
  bytes_ = std::move(bytes);
}

}  // namespace nccl_analyze
