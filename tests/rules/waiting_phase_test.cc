// Tests what progress bars tell about the work that ranks wait for.

#include "rules/failures/waiting_phase.h"

#include "catch.h"

namespace nccl_analyze {
namespace {

TEST_CASE("rules: a progress bar tells its work and how long it takes") {
  const auto bar =
      read_progress_bar("[rank0]: Map (num_proc=8):  58%|####  | 580/1000 [02:00<1:30:00, 4.8 examples/s]");
  REQUIRE(bar);
  CHECK(bar->work == "Map (num_proc=8)");
  CHECK(bar->percent == "58");
  CHECK(bar->left == "1:30:00");
  CHECK(bar->seconds == 120 + 5400);
  CHECK(bar->of_data);
  CHECK(!read_progress_bar(" 12%|#  | 12/100 [01:00<07:20, 5.00s/it]")->of_data);
}

TEST_CASE("rules: a bar that has ended or does not know its end tells nothing") {
  CHECK(!read_progress_bar("Map: 100%|####| 10/10 [00:01<00:00, 9.1 examples/s]"));
  CHECK(!read_progress_bar("Map:   0%|    | 0/10 [00:00<?, ? examples/s]"));
  CHECK(!read_progress_bar("GPU 0 at 50%|"));
  CHECK(!read_progress_bar("no bar"));
}

}  // namespace
}  // namespace nccl_analyze
