#pragma once
// Logs for measurements and tests; equal arguments give equal bytes. The kinds are:
// init      lines of NCCL only: communicators are initialised one after another, the lines of their ranks interleaved
// coll      lines of NCCL_DEBUG_SUBSYS=COLL,TUNING: one or two for each collective
// training  one line of NCCL in a hundred; the others are loggers, progress bars, JSON, tracebacks and long lines
// kubectl   a mix of all, with the prefixes of `kubectl logs --prefix --timestamps`; four in five lines are NCCL's

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "random_text.h"
#include "rank_script.h"

namespace nccl_analyze::benchmark {

struct Arguments {
  std::string kind;
  std::uint64_t size = 0, seed = 0;  ///< Bytes; the log ends with the line that exceeds them.
  JobShape shape;
};

template <class Print>
class Generator {
 public:
  Generator(const Arguments& arguments, Print print)
      : arguments_(arguments),
        print_(std::move(print)),
        shape_(arguments.shape),
        random_(arguments.seed),
        kubectl_(arguments.kind == "kubectl") {
    for (int rank = 0; rank < shape_.ranks; ++rank) {
      const int node = rank / shape_.per_node, device = rank % shape_.per_node;
      speakers_.push_back({rank, node, device, 100 + device * 3 + node % 50, 1000 + device * 61 + node % 97,
                           0x55d000000000ULL + random_.below(std::uint64_t{1} << 28U) * 16});
    }
  }

  /// Prints the log; returns false if its kind is unknown.
  bool run() {
    using Step = void (Generator::*)();
    constexpr std::pair<std::string_view, Step> kinds[] = {{"init", &Generator::print_init},
                                                           {"coll", &Generator::print_collective},
                                                           {"training", &Generator::print_training},
                                                           {"kubectl", &Generator::print_mix}};
    for (const auto& [name, step] : kinds) {
      if (name != arguments_.kind) continue;
      while (written_ + out_.size() < arguments_.size) (this->*step)();
      flush();
      return true;
    }
    return false;
  }

 private:
  struct Script {
    const Speaker* speaker;
    std::vector<ScriptLine> lines;
    std::size_t at = 0;
  };

  void flush() {
    print_(std::string_view{out_});
    written_ += out_.size();
    out_.clear();
  }
  void end_line() {
    out_ += '\n';
    if (out_.size() > std::size_t{1} << 20U) flush();
  }
  int any_node() { return static_cast<int>(random_.below(speakers_.size())) / shape_.per_node; }
  const Speaker& any_speaker() { return speakers_[random_.below(speakers_.size())]; }

  /// Prints the prefix of the collector, if any.
  void decorate(int node) {
    clock_ += random_.below(40'000);
    if (!kubectl_) return;
    const std::uint64_t seconds = clock_ / 1'000'000'000 % 86'400;
    append(out_, "[pod/llama-3-8b-node-0-", node, "/trainer] 2025-12-28T", Padded{seconds / 3600, 2}, ":",
           Padded{seconds / 60 % 60, 2}, ":", Padded{seconds % 60, 2}, ".", Padded{clock_ % 1'000'000'000, 9}, "Z ");
  }
  void print_prefix(const Speaker& speaker, bool proxy = false) {
    decorate(speaker.node);
    append(out_, "llama-3-8b-node-0-", speaker.node, ":", speaker.pid, ":", speaker.tid + (proxy ? 40 : 0), " [",
           speaker.device, "] NCCL INFO ");
  }

  /// Starts the next communicator, in a cycle of eight: the world communicator, three of all ranks of a random host,
  /// and four of all ranks with a random local rank.
  void begin_communicator() {
    const std::uint64_t id = ++communicators_;
    const auto kind = (id - 1) % 8;
    group_ = {.id = id, .split = kind != 0, .members = {}};
    const int nodes = shape_.ranks / shape_.per_node;
    const auto node = static_cast<int>(random_.below(static_cast<std::uint64_t>(std::max(1, nodes))));
    const auto device = static_cast<int>(random_.below(static_cast<std::uint64_t>(shape_.per_node)));
    for (int rank = 0; rank < shape_.ranks; ++rank)
      if (kind == 0 || (kind < 4 ? rank / shape_.per_node == node : rank % shape_.per_node == device))
        group_.members.push_back(rank);
    scripts_.clear();
    for (std::size_t i = 0; i < group_.members.size(); ++i) {
      const Speaker& speaker = speakers_[static_cast<std::size_t>(group_.members[i])];
      scripts_.push_back({&speaker, RankScript(shape_, group_, static_cast<int>(i), speaker, random_).lines()});
    }
  }

  /// Prints a few lines of a random rank.
  void print_init() {
    if (scripts_.empty()) begin_communicator();
    Script& script = scripts_[random_.below(scripts_.size())];
    for (auto burst = 1 + random_.below(8); burst > 0 && script.at < script.lines.size(); --burst) {
      const ScriptLine& line = script.lines[script.at++];
      print_prefix(*script.speaker, line.proxy);
      out_ += line.text;
      end_line();
    }
    if (script.at < script.lines.size()) return;
    std::swap(script, scripts_.back());
    scripts_.pop_back();
  }

  void print_collective() {
    constexpr std::string_view functions[] = {"AllReduce", "AllReduce", "AllReduce",     "AllReduce",
                                              "AllGather", "AllGather", "ReduceScatter", "ReduceScatter",
                                              "Broadcast", "Send",      "Recv",          "Reduce"};
    const Speaker& speaker = any_speaker();
    operations_ += random_.below(3);
    for (auto burst = 1 + random_.below(4); burst > 0; --burst) {
      print_prefix(speaker);
      const std::uint64_t function = random_.below(std::size(functions));
      const std::uint64_t count = std::uint64_t{1} << random_.below(28);
      if (random_.below(8) != 0) {
        const std::uint64_t from = random_.below(std::uint64_t{1} << 36U), to = random_.below(std::uint64_t{1} << 36U);
        append(out_, functions[function], ": opCount ", Hex{operations_, ""}, " sendbuff ", Hex{0x7f0000000000 + from},
               " recvbuff ", Hex{0x7f0000000000 + to}, " count ", count, " datatype ", 7, " op 0 root ",
               function >= 9 ? random_.below(speakers_.size()) : 0, " comm ", Hex{speaker.comm},
               " [nranks=", shape_.ranks, "] stream ",
               Hex{0x55d000000000ULL + static_cast<std::uint64_t>(speaker.rank) * 4096});
      } else {
        append(out_, functions[function], ": ", count * 2, " Bytes -> Algo ", random_.below(3) != 0 ? "RING" : "TREE");
        append(out_, " proto ", random_.below(3) != 0 ? "SIMPLE" : "LL128", " channel{Lo..Hi}={0..",
               shape_.channels - 1, "}");
      }
      end_line();
    }
  }

  void print_mix() {
    const std::uint64_t share = random_.below(100);
    if (share < 25)
      print_init();
    else if (share < 60)
      print_collective();
    else
      print_other();
  }

  void print_training() {
    if (random_.below(200) != 0) return print_other();
    if (random_.below(2) != 0)
      print_collective();
    else
      print_init();
    if (random_.below(40) == 0) {  // A progress bar and a record in one line.
      out_ += "Epoch 0:  12%|#2        | 1234/10000 [02:03<15:32, 9.41it/s]\r";
      print_prefix(any_speaker());
      out_ += "Connected all rings, use ring PXN 0 GDR 1";
      end_line();
    }
    if (random_.below(400) != 0) return;
    const Speaker& speaker = any_speaker();
    decorate(speaker.node);
    append(out_, "[2025-12-28 16:04:25] llama-3-8b-node-0-", speaker.node, ":", speaker.pid, ":", speaker.tid, " [",
           speaker.device, "] transport/net_ib.cc:2112 NCCL WARN NET/IB: Got completion from peer 10.0.4.",
           random_.below(250),
           "<41234> with status=12 opcode=0 len=0 vendor err 129 (Recv) localGid ::ffff:10.0.4.1 remoteGids "
           "::ffff:10.0.4.2 hca mlx5_3");
    end_line();
  }

  /// Prints one or more lines of another program.
  void print_other() {
    struct Kind {
      std::uint64_t until;  ///< Upper end of the kind's share of 1000.
      std::string_view text;
    };
    constexpr Kind kinds[] = {
        {330,
         "2025-12-28 16:<02:60>:<02:60>,<03:1000> - INFO - megatron.training.<word> - rank <640>: <word> <word> "
         "<word>=<10>.<04:10000>"},
        {520,
         " iteration < 8:500000>/  500000 | consumed samples: < 12:2000000000> | elapsed time per iteration (ms): "
         "<20000>.<10> | throughput per GPU (TFLOP/s/GPU): <600>.<10> | learning rate: 1.500000E-04 | global batch "
         "size:  2048 | lm loss: <9>.<06:1000000>E+00 | loss scale: 1.0 | grad norm: 0.<03:1000> | number of skipped "
         "iterations:   0 | number of nan iterations:   0 |"},
        {700,
         "{\"ts\":\"2025-12-28T16:<02:60>:<02:60>.<06:1000000>Z\",\"level\":\"info\",\"logger\":\"<word>\",\"rank\":"
         "<640>,\"msg\":\"<word> <word> <word>\",\"metrics\":{\"<word>\":<100>.<03:1000>,\"<word>\":<100000>}}"},
        {800, {}},
        {880,
         "\x1b[32m[<02:24>:<02:60>:<02:60>]\x1b[0m \x1b[1;34mINFO\x1b[0m     <word> <word> \x1b[36m<100000>\x1b[0m "
         "<word>                    trainer.py:<2000>"},
        {960, "[rank<640>]: <word> <word> <word>"},
        {985, {}},
        {997, ""},
        {1000, {}},
    };
    const int node = any_node();
    const std::uint64_t share = random_.below(1000);
    std::size_t kind = 0;
    while (share >= kinds[kind].until) ++kind;
    decorate(node);
    if (kind == 3)
      print_bar();
    else if (kind == 6)
      print_traceback(node);
    else if (kind == 8)
      for (auto settings = 100 + random_.below(2500); settings > 0; --settings)
        fill(out_, random_, "<word>=<1000>.<1000>, ");
    else
      fill(out_, random_, kinds[kind].text);
    end_line();
  }

  void print_bar() {
    const std::uint64_t from = random_.below(9000), states = 4 + random_.below(40);
    for (std::uint64_t at = from; at < from + states; ++at) {
      fill(out_, random_, "\rEpoch <3>:  ");
      append(out_, at / 100, "%|\u2588\u2588\u2588\u2588\u258e     | ", at, "/10000 [");
      fill(out_, random_, "<02:60>:<02:60>,  <20>.<02:100>it/s, loss=<4>.<03:1000>]");
    }
  }

  void print_traceback(int node) {
    constexpr std::string_view lines[] = {
        "Traceback (most recent call last):",
        "  File \"/workspace/megatron/training/training.py\", line 1234, in train_step",
        "    losses_reduced = forward_backward_func(forward_step_func=forward_step_func, data_iterator=data_iterator)",
        "                     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^",
        "  File \"/usr/local/lib/python3.12/dist-packages/torch/distributed/c10d_logger.py\", line 81, in wrapper",
        "    return func(*args, **kwargs)",
        "torch.distributed.DistBackendError: NCCL error in: ../torch/csrc/distributed/c10d/ProcessGroupNCCL.cpp:2006, "
        "unhandled system error (run with NCCL_DEBUG=INFO for details), NCCL version 2.27.3",
        "ncclSystemError: System call (e.g. socket, malloc) or external library call failed or device error. "};
    for (std::size_t i = 0; i < std::size(lines); ++i) {
      if (i > 0) {
        end_line();
        decorate(node);
      }
      out_ += lines[i];
    }
  }

  const Arguments& arguments_;
  Print print_;
  JobShape shape_;
  Random random_;
  bool kubectl_;
  std::vector<Speaker> speakers_;
  Group group_;
  std::vector<Script> scripts_;
  std::uint64_t communicators_ = 0, operations_ = 0, clock_ = 57'865'000'000'000, written_ = 0;
  std::string out_;
};

/// Passes the log to `print` in pieces; returns false if its kind is unknown.
template <class Print>
bool generate(const Arguments& arguments, Print print) {
  return Generator<Print>(arguments, std::move(print)).run();
}

}  // namespace nccl_analyze::benchmark
