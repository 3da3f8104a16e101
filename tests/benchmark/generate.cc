// Prints logs for measurements; equal arguments give equal bytes:
//   generate_log init|coll|training|kubectl SIZE[K|M|G] [--seed N] [--ranks N] [--channels N]
// generator.h describes the kinds.

#include <charconv>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include "generator.h"

namespace nccl_analyze::benchmark {
namespace {

std::optional<std::uint64_t> parse_size(std::string_view text) {
  std::uint64_t size = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), size);
  constexpr std::pair<std::string_view, unsigned> units[] = {{"", 0}, {"K", 10}, {"M", 20}, {"G", 30}};
  for (const auto& [unit, shift] : units)
    if (error == std::errc() && std::string_view(end, text.data() + text.size()) == unit) return size << shift;
  return std::nullopt;
}

std::optional<Arguments> parse(int argc, char** argv) {
  if (argc < 3 || argc % 2 == 0) return std::nullopt;
  const auto size = parse_size(argv[2]);
  if (!size) return std::nullopt;
  Arguments arguments{.kind = argv[1], .size = *size, .seed = 0, .shape = {}};
  for (int i = 3; i < argc; i += 2) {
    const std::string_view option = argv[i];
    const int value = std::atoi(argv[i + 1]);
    if (option == "--seed")
      arguments.seed = static_cast<std::uint64_t>(value);
    else if (option == "--ranks" && value >= 8)
      arguments.shape.ranks = value / 8 * 8;
    else if (option == "--channels" && value > 0)
      arguments.shape.channels = value;
    else
      return std::nullopt;
  }
  return arguments;
}

}  // namespace
}  // namespace nccl_analyze::benchmark

int main(int argc, char** argv) {
  const auto arguments = nccl_analyze::benchmark::parse(argc, argv);
  const auto print = [](std::string_view text) { std::fwrite(text.data(), 1, text.size(), stdout); };
  if (arguments && nccl_analyze::benchmark::generate(*arguments, print)) return 0;
  std::fputs("usage: generate_log init|coll|training|kubectl SIZE[K|M|G] [--seed N] [--ranks N] [--channels N]\n",
             stderr);
  return 2;
}
