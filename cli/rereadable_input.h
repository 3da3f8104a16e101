#pragma once
/// Copies what can be read only once (standard input, a pipe) to a temporary file without a name.

#include <string>

#include "input/inputs.h"
#include "input/logging.h"
#include "input/temporary_file.h"

namespace nccl_analyze {

/// An input that can be read several times. The temporary file is deleted with this object, even if the program
/// is killed.
class RereadableInput {
 public:
  /// Copies the input if it is no regular file. Throws Failure if the input cannot be read or the copy cannot be
  /// written.
  RereadableInput(const Input& input, Log& log);
  RereadableInput(RereadableInput&& other) noexcept;
  RereadableInput& operator=(RereadableInput&&) = delete;
  ~RereadableInput() = default;

  /// The input, or the copy in its place.
  const Input& input() const { return input_; }
  /// The name of the original input.
  const std::string& name() const { return name_; }
  bool is_copy() const { return file_.descriptor() >= 0; }

 private:
  void copy(Log& log);

  Input input_;
  std::string name_;
  TemporaryFile file_;
};

}  // namespace nccl_analyze
