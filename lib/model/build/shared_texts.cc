#include "model/build/shared_texts.h"

#include <cstdint>

namespace nccl_analyze::builder {

Text SharedTexts::shared(std::string_view text) {
  if (text.empty()) return {};
  // the parser caches messages, therefore equal texts usually have equal addresses
  Text& recent = recent_[reinterpret_cast<std::uintptr_t>(text.data()) / 8 % recent_.size()];
  if (recent == text) return recent;
  const std::size_t hash = hash_of(text);
  if (const Index* const known = index_.find(hash, [&](Index index) { return texts_[index] == text; }))
    return recent = texts_[*known];
  const auto made = static_cast<Index>(texts_.size());
  texts_.emplace_back(text);
  index_.add(made, hash, [&](Index index) { return hash_of(texts_[index]); });
  return recent = texts_.back();
}

}  // namespace nccl_analyze::builder
