#include "text/words.h"

#include <bit>
#include <cstring>

namespace nccl_analyze {

std::size_t WordSet::word_at(std::string_view text, std::size_t at) const {
  for (std::uint32_t fit = buckets_at(text.data() + at); fit != 0; fit &= fit - 1) {
    for (std::uint32_t left = buckets_[static_cast<std::size_t>(std::countr_zero(fit))]; left != 0; left &= left - 1) {
      const auto number = static_cast<std::size_t>(std::countr_zero(left));
      const std::string_view word = words_[number];
      if (at < offsets_[number] || text.size() - begin_of(number, at) < word.size()) continue;
      const char* const begin = text.data() + begin_of(number, at);
      if (begin[word.size() - 1] == word.back() && std::memcmp(begin, word.data(), word.size()) == 0) return number;
    }
  }
  return none;
}

}  // namespace nccl_analyze
