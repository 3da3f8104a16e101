#pragma once
// Texts with random numbers and words, which depend only on the seed, not on the compiler.

#include <algorithm>
#include <array>
#include <charconv>
#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>

namespace nccl_analyze::benchmark {

/// Xorshift random number generator.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(88172645463325252ULL ^ seed * 0x9E3779B97F4A7C15ULL) {
    for (int i = 0; i < 8; ++i) next();
  }
  /// Returns a number from 0 to `end` - 1.
  std::uint64_t below(std::uint64_t end) { return (next() >> 16U) % end; }

 private:
  std::uint64_t next() {
    state_ ^= state_ << 13U;
    state_ ^= state_ >> 7U;
    return state_ ^= state_ << 17U;
  }
  std::uint64_t state_;
};

inline void append_to(std::string& out, std::string_view part) { out += part; }
inline void append_to(std::string& out, std::integral auto part) {
  std::array<char, 24> digits{};
  out.append(digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), part).ptr);
}

/// Number to be printed in hexadecimal.
struct Hex {
  std::uint64_t value;
  std::string_view prefix = "0x";
};
inline void append_to(std::string& out, Hex part) {
  std::array<char, 24> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), part.value, 16).ptr;
  out.append(part.prefix).append(digits.data(), end);
}

/// Number to be printed with at least `width` digits.
struct Padded {
  std::uint64_t value;
  std::size_t width;
  char fill = '0';
};
inline void append_to(std::string& out, Padded part) {
  const std::string digits = std::to_string(part.value);
  out.append(part.width - std::min(part.width, digits.size()), part.fill).append(digits);
}

/// Appends all parts in order.
template <class... Parts>
void append(std::string& out, const Parts&... parts) {
  (append_to(out, parts), ...);
}

/// Appends `text` with its placeholders replaced: `<word>` by a random word, `<60>` by a random number below 60,
/// `<02:60>` by such a number padded with a zero to two digits, `< 2:60>` by one padded with a blank.
inline void fill(std::string& out, Random& random, std::string_view text) {
  constexpr std::array<std::string_view, 26> words = {
      "loss",      "gradient", "checkpoint", "optimizer", "learning_rate", "tokens_per_sec", "saving",
      "worker",    "dataset",  "shard",      "sequence",  "attention",     "embedding",      "mixed",
      "precision", "pipeline", "tensor",     "parallel",  "throughput",    "memory",         "allocated",
      "reserved",  "step",     "batch",      "epoch",     "evaluation"};
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t hole = std::min(text.find('<', at), text.size());
    out += text.substr(at, hole - at);
    if (hole == text.size()) return;
    const std::size_t end = text.find('>', hole);
    std::string_view inside = text.substr(hole + 1, end - hole - 1);
    at = end + 1;
    if (inside == "word") {
      out += words[random.below(words.size())];
      continue;
    }
    std::size_t width = 0;
    char filler = ' ';
    if (const std::size_t colon = inside.find(':'); colon != std::string_view::npos) {
      filler = inside.front();
      std::from_chars(inside.data() + 1, inside.data() + colon, width);
      inside.remove_prefix(colon + 1);
    }
    std::uint64_t below = 1;
    std::from_chars(inside.data(), inside.data() + inside.size(), below);
    append_to(out, Padded{random.below(below), width, filler});
  }
}

}  // namespace nccl_analyze::benchmark
