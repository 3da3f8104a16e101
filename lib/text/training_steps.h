#pragma once
// Notices that a log ends with steps of training, so that what stands before them did not stop the job.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace nccl_analyze {

/// A number that a training loop prints with its losses or its speed, and that grows while it works.
struct TrainingStep {
  enum class Kind { none, counter, share, epoch };
  Kind kind =
      Kind::none;  ///< `counter`: behind a word (`iteration 7`); `share`: of a total (`7/100`); else `epoch 0.7`.
  double number = 0;
};

/// Reads a line of Megatron, DeepSpeed, the Transformers' trainer, tqdm and the like. `none` if it reports no step.
TrainingStep read_training_step(std::string_view line);

/// Keeps the end of a source and looks for steps in it.
class TrainingTail {
 public:
  /// Bytes at the end of a source that are looked at.
  static constexpr std::size_t size = std::size_t{1} << 14;
  void take(std::string_view bytes);
  /// The last line behind which at least two steps with greater numbers stand; 0: the source ends otherwise. Two,
  /// because a rank that prints for the others is a step late. `last`: number of the source's last line.
  std::uint64_t trained_at(std::uint64_t last) const;

 private:
  std::string tail_;
  bool is_cut_ = false;  ///< Whether bytes before `tail_` were dropped, so that it begins within a line.
};

}  // namespace nccl_analyze
