// Tests what launchers print before the lines of a process, and what only looks like it.

#include "text/launcher_tag.h"

#include <string_view>

#include "catch.h"

namespace nccl_analyze {

TEST_CASE("launcher tags: the part that tells processes apart, and nothing else") {
  struct Row {
    std::string_view decoration, tag;
  };
  constexpr Row rows[] = {
      {"0: ", "0:"},
      {" 12: ", "12:"},
      {"0:", "0:"},
      {"[trainer0|0]:", "[trainer0|0"},
      {"[trainer0|12]:", "[trainer0|12"},
      {"[trainer0|info]:", "[trainer0"},
      {"[trainer3]:", "[trainer3"},
      {"[default7]:[rank7]: ", "[default7"},
      {"[rank0]: ", "[rank0"},
      {"[1,3]<stdout>: ", "[1,3"},
      {"(RayTrainWorker pid=4711, ip=10.0.0.7) ", "pid=4711, ip=10.0.0.7"},
      {"(pid=4711) ", "pid=4711"},
      {"[2026-01-31 10:00:00,123] [worker2] ", "[worker2"},
      {"[pod/train-0/trainer] 2026-01-31T10:00:00Z [rank1]:", "[rank1"},
      {"", ""},
      {"[pod/train-0/trainer] ", ""},
      {"[2026-01-31 10:00:00] ", ""},
      {"[E1103 07:12:41.101 ProcessGroupNCCL.cpp:683] ", ""},
      {"[INFO] ", ""},
      {"[12.5] node1 kernel: ", ""},
      {"10:00:00 ", ""},
      {"11:node-0", ""},
      {"spid=12 ", ""},
  };
  for (const Row& row : rows) {
    INFO(row.decoration);
    CHECK(launcher_tag(row.decoration) == row.tag);
    CHECK(launcher_tag(row.tag) == row.tag);
  }
  CHECK(is_rank_tag("[rank0"));
  CHECK_FALSE(is_rank_tag("[ranker0"));
  CHECK(rank_of_tag("[rank12") == 12);
  CHECK(rank_of_tag("[trainer0|2") == -1);
}

}  // namespace nccl_analyze
