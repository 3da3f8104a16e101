// Tests expectations of the whole job: ranks, nodes, GPUs.

#include "catch.h"
#include "expect/judged_job.h"

namespace nccl_analyze::test {

TEST_CASE("expectations: ranks, nodes and GPUs are those of the job, and unknown without one") {
  CHECK(status_of(job(2, 8), "ranks=16") == pass);
  CHECK(status_of(job(2, 8), "ranks=32") == fail);
  CHECK(status_of(job(2, 8), "nodes=2") == pass);
  CHECK(status_of(job(2, 8), "nodes>=3") == fail);
  CHECK(status_of(job(2, 8), "gpus=8") == pass);
  CHECK(status_of(job(2, 4), "gpus=8") == fail);
  CHECK(status_of(Model{}, "ranks=16") == unknown);
  CHECK(status_of(Model{}, "gpus=8") == unknown);
}

TEST_CASE("expectations: one pod of many shows the size of the job, not that all of it ran") {
  Model model = job(4, 1);
  model.communicators[0].ranks.resize(1);
  CHECK(status_of(model, "ranks=4") == pass);
  CHECK(status_of(model, "ranks=8") == fail);
  const Check logs = check_of(model, "logs");
  CHECK(logs.status == unknown);
  CHECK(logs.detail == "1 of 4 ranks in this input; nothing is known of ranks 1-3");
  CHECK(status_of(job(4, 1), "logs") == pass);
}

TEST_CASE("expectations: groups of ranks that share processes are one job") {
  // No communicator has all four ranks: two are tensor-parallel groups, two are data-parallel groups.
  Model model = job(2, 2);
  const Communicator world = model.communicators[0];
  const auto group = [&](int a, int b) {
    Communicator comm = world;
    comm.comm_id = static_cast<std::uint64_t>(10 * a + b);
    comm.nranks = 2;
    comm.ranks = {world.ranks[static_cast<std::size_t>(a)], world.ranks[static_cast<std::size_t>(b)]};
    return comm;
  };
  model.communicators = {group(0, 1), group(2, 3), group(0, 2), group(1, 3)};
  CHECK(status_of(model, "ranks=4") == pass);
  CHECK(status_of(model, "ranks=8") == fail);
  CHECK(status_of(model, "logs") == pass);

  // The logs of the other host are missing, so its ranks may belong to further communicators.
  model.communicators = {group(0, 1), group(0, 2), group(1, 3)};
  model.communicators[1].ranks.pop_back();
  model.communicators[2].ranks.pop_back();
  CHECK(status_of(model, "ranks=8") == unknown);
  CHECK(status_of(model, "logs") == unknown);

  // Two communicators without a common process are two jobs of two ranks, not one job of four.
  model.communicators = {group(0, 1), group(2, 3)};
  CHECK(status_of(model, "ranks=4") == fail);
  CHECK(status_of(model, "ranks=2") == pass);
}

}  // namespace nccl_analyze::test
