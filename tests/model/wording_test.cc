// Tests that wordings that differ only in numbers are equal.

#include "model/wording.h"

#include "catch.h"

namespace nccl_analyze {

TEST_CASE("wording: numbers fold, words stay") {
  CHECK(fold_numbers("Channel 00/0 : 3[0] -> 0[0] via mlx5_10") == "Channel #/# : #[#] -> #[#] via mlx#_#");
  CHECK(fold_numbers("at 0x7fAB, bus 1b:00.0, add a face") == "at #, bus #:#.#, add a face");
  CHECK(fold_numbers("0x (nil) v2.27.3 x86") == "#x (nil) v#.#.# x#");
  CHECK(fold_numbers("").empty());
}

}  // namespace nccl_analyze
