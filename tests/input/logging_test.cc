// Tests that control characters in file names never reach the terminal.

#include "input/logging.h"

#include "catch.h"

namespace nccl_analyze {

TEST_CASE("printable: control characters become visible, the rest stays") {
  CHECK(printable("a\x1b[31m\nb\x7f") == "a\\x1b[31m\\x0ab\\x7f");
  CHECK(printable("wörker.log") == "wörker.log");
}

}  // namespace nccl_analyze
