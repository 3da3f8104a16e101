// Mutates bytes as lines of a log: swaps tokens, replaces numbers by extremes, and tears, joins, moves and wraps lines.
// Half of the mutations are libFuzzer's own.

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <random>
#include <string>
#include <string_view>
#include <vector>

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

namespace nccl_analyze {
namespace {

using Random = std::minstd_rand;

constexpr std::array<std::string_view, 18> extremes{"0",
                                                    "-1",
                                                    "1",
                                                    "255",
                                                    "256",
                                                    "65535",
                                                    "2147483647",
                                                    "2147483648",
                                                    "4294967295",
                                                    "4294967296",
                                                    "-2147483648",
                                                    "9223372036854775807",
                                                    "18446744073709551615",
                                                    "99999999999999999999999",
                                                    "0x0",
                                                    "0xffffffffffffffff",
                                                    "1e308",
                                                    "00"};

std::size_t below(Random& random, std::size_t limit) { return limit == 0 ? 0 : random() % limit; }

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return lines;
}

struct Part {
  std::size_t begin = 0, size = 0;
};

/// Returns the maximal runs of characters that satisfy `kind`.
template <class IsKind>
std::vector<Part> parts_of(std::string_view text, IsKind kind) {
  std::vector<Part> parts;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = at;
    while (at < text.size() && kind(text[at])) ++at;
    if (at > begin) parts.push_back({begin, at - begin});
    at += at == begin ? 1 : 0;
  }
  return parts;
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_token(char c) { return std::strchr(" \t\n:/[](),=<>", c) == nullptr; }

void swap_tokens(std::string& text, Random& random) {
  const std::vector<Part> tokens = parts_of(text, is_token);
  if (tokens.size() < 2) return;
  Part one = tokens[below(random, tokens.size())], other = tokens[below(random, tokens.size())];
  if (one.begin > other.begin) std::swap(one, other);
  if (one.begin == other.begin) return;
  const std::string first = text.substr(one.begin, one.size), second = text.substr(other.begin, other.size);
  text.replace(other.begin, other.size, first);
  text.replace(one.begin, one.size, second);
}

void change_number(std::string& text, Random& random) {
  const std::vector<Part> numbers = parts_of(text, is_digit);
  if (numbers.empty()) return;
  const Part number = numbers[below(random, numbers.size())];
  text.replace(number.begin, number.size, extremes[below(random, extremes.size())]);
}

/// Cuts a line at a random position: the rest becomes a line of its own or is lost.
void tear(std::string& line, Random& random) {
  const std::size_t at = below(random, line.size());
  if (below(random, 2) == 0)
    line.insert(at, "\n");
  else
    line.erase(at, line.empty() || line.back() != '\n' ? std::string::npos : line.size() - 1 - at);
}

void wrap(std::string& line, Random& random) {
  constexpr std::array<std::size_t, 4> widths{40, 80, 100, 120};
  const std::size_t width = widths[below(random, widths.size())];
  for (std::size_t at = width; at < line.size(); at += width + 1) line.insert(at, "\n");
}

void change_lines(std::vector<std::string>& lines, Random& random) {
  std::string& line = lines[below(random, lines.size())];
  switch (below(random, 8)) {
    case 0:
      return swap_tokens(line, random);
    case 1:
      return change_number(line, random);
    case 2:
      return tear(line, random);
    case 3:
      return wrap(line, random);
    case 4:  // Joins the line with the next one.
      if (!line.empty() && line.back() == '\n') line.pop_back();
      return;
    case 5:  // Moves or interleaves lines.
      return std::swap(line, lines[below(random, lines.size())]);
    case 6:
      lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(below(random, lines.size())), std::string(line));
      return;
    default:
      lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(below(random, lines.size())));
  }
}

std::string mutated(std::string_view text, Random& random) {
  std::vector<std::string> lines = lines_of(text);
  for (std::size_t changes = 1 + below(random, 3); changes > 0 && !lines.empty(); --changes)
    change_lines(lines, random);
  std::string result;
  for (const std::string& line : lines) result += line;
  return result;
}

}  // namespace
}  // namespace nccl_analyze

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                               unsigned seed) {
  nccl_analyze::Random random(seed);
  if (size == 0 || random() % 2 == 0) return LLVMFuzzerMutate(data, size, max_size);
  const std::string result =
      nccl_analyze::mutated({reinterpret_cast<const char*>(data), size}, random).substr(0, max_size);
  std::memcpy(data, result.data(), result.size());
  return result.size();
}
