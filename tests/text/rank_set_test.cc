// Tests lists of ranks in short form, such as `0-3,7`.

#include "catch.h"
#include "nccl_analyze/rule.h"
#include "text/message_text.h"

namespace nccl_analyze {

TEST_CASE("rank set: sets of ranks are compact", "[rules]") {
  CHECK(rank_set({}).empty());
  CHECK(rank_set({5}) == "5");
  CHECK(rank_set({3, 1, 2, 0, 7, 7}) == "0-3,7");
  CHECK(rank_set({0, 2, 4}) == "0,2,4");
  CHECK(rank_set({8, 9}) == "8-9");
}

TEST_CASE("rank set: lists of ranks are cut behind a number") {
  CHECK(short_rank_set({0, 2, 4, 100, 102}, 40) == "0,2,4,100,102");
  CHECK(short_rank_set({0, 2, 4, 100, 102}, 9) == "0,2,4,100,...");
  CHECK(short_rank_set({0, 2, 4, 100, 102}, 8) == "0,2,4,...");
  CHECK(short_rank_set({1000, 1001, 1002}, 3) == "1000-1002");
  CHECK(short_rank_set({}, 3).empty());
}

}  // namespace nccl_analyze
