#pragma once
// Caches parts of lines, because most lines of a log repeat the prefixes and words of others.

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

#include "redact/free_parts.h"

namespace nccl_analyze::redact {

class PartCache {
 public:
  /// Returns what was noted for a part; null if nothing was, if the part is long, or if its redaction depends on the
  /// rest of the line.
  const std::string* find(std::string_view line, const FreePart& part) {
    if (!remembers(part)) return nullptr;
    key_.assign(reinterpret_cast<const char*>(&part.place), sizeof part.place);
    key_.append(line.substr(part.begin, part.end - part.begin));
    const auto found = texts_.find(key_);
    return found == texts_.end() ? nullptr : &found->second;
  }
  static bool remembers(const FreePart& part) { return part.place != 0 && part.end - part.begin <= longest; }
  /// Notes a text for the part for which find() has just returned null.
  void note(const FreePart& part, std::string_view text) {
    if (!remembers(part)) return;
    if (texts_.size() >= most) texts_.clear();
    texts_.emplace(key_, text);
  }

 private:
  static constexpr std::size_t longest = 128, most = std::size_t{1} << 14U;
  std::unordered_map<std::string, std::string> texts_;
  std::string key_;
};

}  // namespace nccl_analyze::redact
