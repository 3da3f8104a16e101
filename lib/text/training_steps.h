#pragma once
// Detects that a log ends with steps of training, which proves that the lines before them did not stop the job.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace nccl_analyze {

/// A number that a training loop prints with its losses or its speed, and that grows while the training works.
struct TrainingStep {
  enum class Kind { none, counter, share, epoch };
  Kind kind =
      /// `counter`: the number after a word (`iteration 7`). `share`: the part of a total (`7/100`). `epoch`:
      /// `epoch 0.7`.
      Kind::none;
  double number = 0;
};

/// `redact` writes this in place of a line of another program, or only its first byte, `#`, for a shorter line.
/// `: step 7`, `: epoch 0.7` and `: part 7` may follow, for a counter, an epoch and a share. It is neither blank nor a
/// line of a program, so that it does not change how the parser reads the lines around it.
inline constexpr std::string_view dropped_line = "# redacted";

/// Reads a line of Megatron, DeepSpeed, the Transformers' trainer, tqdm and similar programs, and a redacted line. The
/// kind is `none` if the line reports no step.
TrainingStep read_training_step(std::string_view line);

/// Keeps the end of a source and searches it for steps.
class TrainingTail {
 public:
  /// Size of the end of a source that is searched.
  static constexpr std::size_t size = std::size_t{1} << 14;
  void take(std::string_view bytes);
  /// Returns the number of the last line with a step that at least two greater steps follow. 0 if there is none, or if
  /// the steps after it fall or change their kind. One greater step is not enough, because a rank that prints for the
  /// others may be one step late. `last`: the number of the source's last line.
  std::uint64_t trained_at(std::uint64_t last) const;

 private:
  std::string tail_;
  bool is_cut_ = false;  ///< Whether bytes before `tail_` were dropped, so that `tail_` begins within a line.
};

}  // namespace nccl_analyze
