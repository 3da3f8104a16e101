#include "nccl_analyze/kept_event.h"

#include <cstring>

#include "messages/views.h"

namespace nccl_analyze {

KeptEvent::KeptEvent(std::string_view name, const void* event, std::size_t size, std::span<const Field> fields)
    : name_(name) {
  std::size_t text = 0;
  for (const Field& field : fields) field.visit(event, [&](const auto& member) { text += view_of(member).size(); });
  std::shared_ptr<std::byte[]> bytes(new std::byte[size + text]);
  std::memcpy(bytes.get(), event, size);
  char* end = static_cast<char*>(static_cast<void*>(bytes.get() + size));
  replace_views(bytes.get(), fields, [&end](std::string_view view) {
    if (view.empty()) return std::string_view();
    std::memcpy(end, view.data(), view.size());
    const std::string_view kept(end, view.size());
    end += view.size();
    return kept;
  });
  bytes_ = std::move(bytes);
}

}  // namespace nccl_analyze
