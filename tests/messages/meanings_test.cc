// Tests of the meanings of warnings.

#include "messages/meanings.h"

#include <algorithm>
#include <set>
#include <string>

#include "catch.h"
#include "messages/matcher.h"

namespace nccl_analyze {
namespace {

TEST_CASE("meanings: rows are sorted, and each belongs to a row of the message table") {
  std::set<std::string_view> wordings;
  for (const Family& family : all_families())
    for (const Row& row : family.rows) wordings.insert(row.wording);
  CHECK(all_meanings().size() > 1300);
  CHECK(std::ranges::is_sorted(all_meanings(), {}, &Meaning::wording));
  for (const Meaning& meaning : all_meanings()) {
    INFO(meaning.wording);
    CHECK(wordings.contains(meaning.wording));
    CHECK(meaning.text.size() > 20);
    CHECK(meaning.text.size() <= 230);
    CHECK(meaning.text.ends_with('.'));
    CHECK(std::ranges::count(meaning.text, '`') % 2 == 0);
  }
}

TEST_CASE("meanings: a message has the meaning of its wording") {
  const Meaning* const closed = meaning_of("Net : Connection closed by remote peer node-1<40001>");
  REQUIRE(closed != nullptr);
  CHECK(closed->kind == MessageClass::echo);
  CHECK(meaning_of("Using network IB") == nullptr);
  CHECK(meaning_of("words of nobody") == nullptr);
  CHECK(meaning_of("") == nullptr);
}

TEST_CASE("meanings: the nearest wordings share the rarest words") {
  const auto near = nearest_meanings("ncclSymmetricTaskScheduler ran out of channel space, nMaxChannels", 3);
  REQUIRE(!near.empty());
  CHECK(near[0]->wording.starts_with("ncclSymmetricTaskScheduler"));
  CHECK(nearest_meanings("", 3).empty());
  CHECK(nearest_meanings("hello world", 3).empty());
  CHECK(nearest_meanings(std::string(100'000, 'x'), 3).empty());
}

}  // namespace
}  // namespace nccl_analyze
