// Fuzzes the reader of pickles: what it accepts is JSON, ends where it says, and is refused if its last byte is
// missing; why it refuses is text for one line.

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>

#include "evidence/pickle.h"
#include "fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace nccl_analyze;
  const auto require = [](bool holds) {
    if (!holds) std::abort();
  };
  std::string bytes = "\x80\x02";
  bytes += fuzz::view_of(data, size);
  const evidence::PickledJson read = evidence::json_of_pickle(bytes);
  require(read.json.empty() == !read.wrong.empty() && read.size <= bytes.size());
  require(std::ranges::all_of(read.wrong, [](char c) { return c >= 0x20 && c < 0x7f; }));
  constexpr std::size_t largest_compared = std::size_t{1} << 20;
  if (read.json.empty() || read.json.size() > largest_compared) return 0;
  require(nlohmann::json::accept(read.json));
  bytes.resize(read.size);
  require(evidence::json_of_pickle(bytes).json == read.json);
  bytes.pop_back();
  require(evidence::json_of_pickle(bytes).json.empty());
  const auto [direct, replayed] = fuzz::reports_of(read.json);
  require(direct == replayed);
  return 0;
}
