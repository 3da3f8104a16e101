#pragma once
// Looks for several words in one pass.

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace nccl_analyze {

/// At most 32 words of at least two bytes.
template <std::size_t count>
class Needles {
 public:
  static_assert(count <= 32);
  using Places = std::array<std::size_t, count>;

  constexpr explicit Needles(const std::array<std::string_view, count>& words) : words_(words) {
    for (std::size_t i = 0; i < count; ++i) {
      first_[static_cast<unsigned char>(words[i][0])] |= 1U << i;
      second_[static_cast<unsigned char>(words[i][1])] |= 1U << i;
    }
  }

  /// Where each word first stands; npos where it does not.
  Places find(std::string_view text) const {
    Places places;
    places.fill(std::string_view::npos);
    std::uint32_t left = count == 32 ? ~0U : (1U << count) - 1;
    for (std::size_t at = 0; at + 1 < text.size(); ++at) {
      std::uint32_t fit =
          first_[static_cast<unsigned char>(text[at])] & second_[static_cast<unsigned char>(text[at + 1])];
      for (fit &= left; fit != 0; fit &= fit - 1) {
        const auto word = static_cast<std::size_t>(std::countr_zero(fit));
        if (!text.substr(at).starts_with(words_[word])) continue;
        places[word] = at;
        left &= ~(1U << word);
      }
    }
    return places;
  }

 private:
  std::array<std::string_view, count> words_;
  std::array<std::uint32_t, 256> first_{}, second_{};  ///< Words by their bytes.
};

}  // namespace nccl_analyze
