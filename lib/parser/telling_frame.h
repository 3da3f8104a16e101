#pragma once
// Keeps the frame of a traceback that names a library by which a program reaches other GPUs: the same words of CUDA
// mean another thing there, and the exception is quoted with it.

#include <cstdint>
#include <string>
#include <string_view>

namespace nccl_analyze {

/// The last such frame of one source.
class TellingFrame {
 public:
  /// Looks at the next line of the source.
  void look(std::string_view line, std::uint64_t number);
  /// Returns the frame if it stands closely above an exception in this line and no other process printed it; else
  /// empty.
  std::string_view above(std::string_view line, std::uint64_t number) const;
  std::uint64_t line() const { return line_; }

 private:
  std::string text_, speaker_;
  std::uint64_t line_ = 0;  ///< Number of the frame's line.
};

}  // namespace nccl_analyze
