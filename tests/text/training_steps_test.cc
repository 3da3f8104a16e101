// Tests which lines report a step of training, and which logs end with such steps.

#include "text/training_steps.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "catch.h"

namespace nccl_analyze {
namespace {

using Kind = TrainingStep::Kind;

std::uint64_t trained_at(std::string_view text, std::uint64_t lines, std::size_t chunk = 1) {
  TrainingTail tail;
  for (; !text.empty(); text.remove_prefix(std::min(chunk, text.size()))) tail.take(text.substr(0, chunk));
  return tail.trained_at(lines);
}

}  // namespace

TEST_CASE("training steps: the lines of the usual trainers") {
  const auto reads = [](std::string_view line, Kind kind, double number) {
    INFO(line);
    const TrainingStep step = read_training_step(line);
    CHECK(step.kind == kind);
    if (kind != Kind::none) CHECK(step.number == Approx(number));
  };
  reads(" iteration      120/  500000 | consumed samples:  245760 | lm loss: 7.56E+00 |", Kind::counter, 120);
  reads("[2026-01-31 12:00:00,123] [INFO] [logging.py:96:log_dist] [Rank 0] step=40, skipped=0, lr=[1e-05], loss=2.1",
        Kind::counter, 40);
  reads("{'step': 12, 'loss': 2.3}", Kind::counter, 12);
  reads("global_step: 7 - train_loss: 0.3", Kind::counter, 7);
  reads("Epoch: [0][  10/1251]\tTime 0.4 (0.5)\tLoss 6.9 (7.0)", Kind::share, 10);
  reads("Epoch 2:  36%|####      | 3679/10000 [31:26,  4.42it/s, loss=1.414]", Kind::share, 3679);
  reads("{'loss': 2.31, 'grad_norm': 1.2, 'learning_rate': 9e-05, 'epoch': 0.25}", Kind::epoch, 0.25);
  reads("INFO:     127.0.0.1:41020 - \"POST /v1/chat/completions HTTP/1.1\" 200 OK", Kind::served, 0);
  reads("INFO 11-20 10:05:11 [loggers.py:118] Engine 000: Avg generation throughput: 88.2 tokens/s", Kind::served, 0);
  reads("INFO 11-20 10:05:21 [loggers.py:118] Engine 000: Avg generation throughput: 0.0 tokens/s", Kind::none, 0);
  reads("Decode batch. #running-req: 1, gen throughput (token/s): 88.20, #queue-req: 0", Kind::served, 0);
  reads("INFO:     127.0.0.1:41020 - \"GET /health HTTP/1.1\" 200 OK", Kind::none, 0);
  reads("INFO:     127.0.0.1:41020 - \"POST /v1/chat/completions HTTP/1.1\" 500 Internal Server Error", Kind::none, 0);
  reads("# redacted: served", Kind::served, 0);
  reads("worker-0:100:104 [0] NCCL INFO Channel 00/32 : 0 1 2 3", Kind::none, 0);
  reads("step 3 of the installation", Kind::none, 0);
  reads("loss of connection to 10.0.0.1/24", Kind::none, 0);
}

TEST_CASE("training steps: two further ones must stand behind a line") {
  const std::string log = "a warning\nstep 1 loss 3\nstep 2 loss 3\nstep 2 loss 3\nstep 3 loss 2\n";
  for (const std::size_t chunk : {1U, 7U, 1000U}) CHECK(trained_at(log, 5, chunk) == 2);
  CHECK(trained_at("step 1 loss 3\nstep 2 loss 3", 2) == 0);
  CHECK(trained_at("step 1 loss 3\nstep 2 loss 3\nstep 3 loss 2\nTraceback\n", 4) == 1);
  CHECK(trained_at("step 1 loss 3\nstep 1 loss 3\nstep 1 loss 3\n", 3) == 0);
  CHECK(trained_at("step 3 loss 3\nstep 2 loss 3\nstep 1 loss 3\n", 3) == 0);
  CHECK(trained_at("x\n1/9 [loss=3]\r 2/9 [loss=3]\r 3/9 [loss=3]", 2) == 2);
}

TEST_CASE("training steps: two further answers of a server, with or without steps of training between them") {
  CHECK(trained_at("x\n# redacted: served\n# redacted: served\n# redacted: served\n", 4) == 2);
  CHECK(trained_at("x\n# redacted: served\n# redacted: served\n", 3) == 0);
  CHECK(trained_at("step 1 loss 3\n# redacted: served\nstep 2 loss 3\nstep 3 loss 3\n# redacted: served\n", 5) == 1);
}

TEST_CASE("training steps: only the end of a source counts, however it is cut into chunks") {
  std::string log = "step 1 loss 3\nstep 2 loss 3\nstep 3 loss 2\n";
  log.append(TrainingTail::size, 'x').append("\n");
  CHECK(trained_at(log, 4, 5) == 0);
  CHECK(trained_at(log, 4, log.size()) == 0);
  const std::string late = std::string(TrainingTail::size, '\n') + "step 1 loss 3\nstep 2 loss 3\nstep 3 loss 2\n";
  const std::uint64_t lines = TrainingTail::size + 3;
  for (const std::size_t chunk : {std::size_t{3}, std::size_t{40000}})
    CHECK(trained_at(late, lines, chunk) == lines - 2);
}

}  // namespace nccl_analyze
