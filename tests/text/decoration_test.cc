// Tests the decorations that collectors and launchers print around a record.

#include "text/decoration.h"

#include <string>
#include <utility>

#include "catch.h"

namespace nccl_analyze::test {

TEST_CASE("text: wrappers of one shape") {
  CHECK(same_shape("[pod/a-1/pt] 2025-12-28T16:00:00.1Z ", "[pod/bc-22/x] 2024-1-2T3:4:5.678Z "));
  CHECK(same_shape("[1,3]<stdout>:", "[1,12]<stderr>:"));
  CHECK_FALSE(same_shape("[1,3]<stdout>:", "[1,3] <stdout>:"));
  CHECK_FALSE(same_shape("", "a"));
  CHECK(same_shape("", ""));
}

TEST_CASE("text: a line continues behind a decoration of the same shape") {
  CHECK(without_decoration_like("rest", "") == "rest");
  CHECK(without_decoration_like("2025-12-28T16:00:01.5Z rest", "2025-12-28T16:00:01.123456789Z ") == "rest");
  CHECK(without_decoration_like("[1,12]<stdout>:rest", "[1,3]<stdout>:") == "rest");
  CHECK(without_decoration_like("2025Z stdout F rest", "2024Z stdout P ") == "rest");
  CHECK(without_decoration_like("[pod/b/c] rest", "[pod/a/c] ") == "[pod/b/c] rest");
  CHECK(is_partial("2024Z stdout P "));
  CHECK_FALSE(is_partial("2024Z stdout F "));
}

TEST_CASE("text: the collector's time") {
  const auto time = [](std::string_view decoration) {
    Origin origin;
    origin.decoration = decoration;
    return collected_at(origin);
  };
  CHECK(time("[pod/a/b] 2025-12-28T16:04:25.123Z") == "2025-12-28T16:04:25.123Z");
  CHECK(time("2025-12-28 16:04:25,123 INFO") == "2025-12-28 16:04:25,123");
  CHECK(time("Dec 28 16:04:25 node17 train[4242]:") == "16:04:25");
  CHECK(time("[1,3]<stdout>:").empty());
  CHECK(time("12:34").empty());
}

TEST_CASE("text: kubectl names pod and container") {
  Origin origin;
  read_decoration("[pod/train-0-abc/pytorch] 2025-12-28T16:00:00Z ", origin);
  CHECK(origin.pod == "train-0-abc");
  CHECK(origin.container == "pytorch");
  CHECK(origin.decoration == "[pod/train-0-abc/pytorch] 2025-12-28T16:00:00Z");
}

TEST_CASE("text: stern and docker compose name pod and container in columns") {
  using Names = std::pair<std::string, std::string>;
  const auto names = [](std::string_view decoration) {
    Origin origin;
    read_decoration(decoration, origin);
    return Names{origin.pod, origin.container};
  };
  CHECK(names("train-worker-3 pytorch ") == Names{"train-worker-3", "pytorch"});
  CHECK(names("train-0-x7k2p pytorch 2025-12-28T16:04:25.123456789Z ") == Names{"train-0-x7k2p", "pytorch"});
  CHECK(names("train-0 pytorch 12-28 16:04:25 ") == Names{"train-0", "pytorch"});
  CHECK(names("train-0 pytorch [rank0]:") == Names{"train-0", "pytorch"});
  CHECK(names("ml-team train-0 pytorch ") == Names{"train-0", "pytorch"});
  CHECK(names("ns-1 train-0 pytorch-2 ") == Names{"train-0", "pytorch-2"});
  CHECK(names("train-0 \u203a pytorch ") == Names{"train-0", "pytorch"});
  CHECK(names("worker-1   | ") == Names{"worker-1", ""});
  CHECK(names("job_worker_12  | 2025-12-28T16:04:25Z ") == Names{"job_worker_12", ""});
}

TEST_CASE("text: other words before a record are no pod") {
  for (const std::string_view decoration : {"loading model ",
                                            "the pre-trained model ",
                                            "loading gpt-2 weights of layer ",
                                            "epoch 3 ",
                                            "node-17: ",
                                            "node-17: node-17: ",
                                            "Dec 28 16:04:25 node17 train[4242]: ",
                                            "2025-12-28T16:04:25+00:00 node-17 train[42]: ",
                                            "2025-12-28 16:04:25,123 INFO ",
                                            "2025-12-28 info ",
                                            "2025-12-28T16:04:25Z stdout F ",
                                            "node-1 stdout ",
                                            "rank-0 info ",
                                            "rank-0 | ",
                                            "| node-1 | ",
                                            "2025-12-28  | ",
                                            "web.1  | ",
                                            "worker-1  || ",
                                            "16:04:25 web-1  | ",
                                            "trainer/3 ",
                                            "[1,3]<stdout>:",
                                            "(RayWorkerWrapper pid=581, ip=10.225.128.18) ",
                                            "Train-0 pytorch ",
                                            "train-0 Pytorch ",
                                            "train-0 pytorch says ",
                                            "-0 pytorch ",
                                            "train-0 ",
                                            " ",
                                            "  |",
                                            "-1  |",
                                            "worker-1  |x"}) {
    Origin origin;
    read_decoration(decoration, origin);
    INFO(decoration);
    CHECK(origin.pod.empty());
    CHECK(origin.container.empty());
  }
}

}  // namespace nccl_analyze::test
