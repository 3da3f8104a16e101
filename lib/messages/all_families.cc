// The list of all families: the fact families and the generated family of known formats.

#include <vector>

#include "messages/families.h"

namespace nccl_analyze {

std::span<const Family> all_families() {
  static const std::vector<Family> families = [] {
    const std::span<const Family> facts = fact_families();
    std::vector<Family> all(facts.begin(), facts.end());
    all.push_back(known_family);
    return all;
  }();
  return families;
}

}  // namespace nccl_analyze
