// Tests that the keys in few words are in the order of the members.

#include "model/sort_key.h"

#include <random>

#include "catch.h"

namespace nccl_analyze {
namespace {

TEST_CASE("sort keys: connections are in the order of their members") {
  std::mt19937 random(7);
  const auto one_of = [&](std::initializer_list<int> numbers) { return numbers.begin()[random() % numbers.size()]; };
  const auto any_group = [&] {
    ConnectionGroup group;
    group.connection = static_cast<std::uint8_t>(one_of({0, 1}));
    group.from = one_of({-1, 0, 1, 2147483647});
    group.to = one_of({-1, 0, 1, 2147483647});
    group.transport = static_cast<std::uint16_t>(one_of({0, 1, 256, 65535}));
    group.block = static_cast<std::uint8_t>(one_of({0, 1, 255}));
    group.device = static_cast<std::int16_t>(one_of({-32768, -1, 0, 1, 32767}));
    group.proxy_rank = one_of({-1, 0, 1, 2147483647});
    for (bool ConnectionGroup::*flag :
         {&ConnectionGroup::receive, &ConnectionGroup::gdrdma, &ConnectionGroup::shared, &ConnectionGroup::read})
      group.*flag = one_of({0, 1}) == 1;
    return group;
  };
  ConnectionGroup before;
  int differing = 0;
  for (int i = 0; i < 100'000; ++i) {
    ConnectionGroup group = any_group();
    // Every member also decides alone: the members before it are mostly those of the last group.
    if (one_of({0, 1, 2}) != 0) group = before;
    if (one_of({0, 1}) == 0) group.device = any_group().device;
    if (one_of({0, 1}) == 0) group.proxy_rank = any_group().proxy_rank;
    if (one_of({0, 1}) == 0) group.read = any_group().read;
    if (one_of({0, 1, 2, 3}) == 0) group.gdrdma = any_group().gdrdma;
    if (one_of({0, 1, 2, 3}) == 0) group.receive = any_group().receive;
    const bool less = before.key() < group.key();
    if ((sort_key(before) < sort_key(group)) != less ||
        (sort_key(before) == sort_key(group)) != (before.key() == group.key()))
      ++differing;
    before = group;
  }
  CHECK(differing == 0);
}

}  // namespace
}  // namespace nccl_analyze
