#pragma once
// Detects that a log ends with steps of training or with answers of a server, which proves that the lines before them
// did not stop the job.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace nccl_analyze {

/// A number that a training loop prints with its losses or its speed, and that grows while the training works; or a
/// line by which a server of a model reports that it answered.
struct TrainingStep {
  enum class Kind { none, counter, share, epoch, served };
  Kind kind =
      /// `counter`: the number after a word (`iteration 7`). `share`: the part of a total (`7/100`). `epoch`:
      /// `epoch 0.7`. `served`: a request that was answered, or a speed of generation above 0; `number` is 0.
      Kind::none;
  double number = 0;
};

/// `redact` writes this in place of a line of another program, or only its first byte, `#`, for a shorter line.
/// `: step 7`, `: epoch 0.7`, `: part 7` and `: served` may follow, for a counter, an epoch, a share and an answer. It
/// is neither blank nor a line of a program, so that it does not change how the parser reads the lines around it.
inline constexpr std::string_view dropped_line = "# redacted";

/// Reads a line of Megatron, DeepSpeed, the Transformers' trainer, tqdm and similar programs, of uvicorn, vLLM and
/// SGLang, and a redacted line. The kind is `none` if the line reports no step.
TrainingStep read_training_step(std::string_view line);

/// Keeps the end of a source and searches it for steps.
class TrainingTail {
 public:
  /// Size of the end of a source that is searched.
  static constexpr std::size_t size = std::size_t{1} << 14;
  void take(std::string_view bytes);
  /// Returns the number of the last line with a step that at least two greater steps follow. 0 if there is none, or if
  /// the steps after it fall or change their kind. One greater step is not enough, because a rank that prints for the
  /// others may be one step late. Answers of a server have no numbers: two must follow. `last`: the number of the
  /// source's last line.
  std::uint64_t trained_at(std::uint64_t last) const;

 private:
  std::string tail_;
  bool is_cut_ = false;  ///< Whether bytes before `tail_` were dropped, so that `tail_` begins within a line.
};

}  // namespace nccl_analyze
