#pragma once
/// The destination of the report: standard output, or a file that appears complete or not at all.

#include <cstddef>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>

#include "input/protected_inputs.h"

namespace nccl_analyze {

class Output {
 public:
  /// Opens standard output.
  Output();
  /// Opens `path`, or standard output if there is no path. Throws Failure if the file cannot be created, or is one of
  /// the files in `read`, which must outlive this object. `option`: the option that names the path. `is_private`:
  /// whether only the owner may read the file.
  Output(const std::optional<std::string>& path, const ProtectedInputs& read, std::string_view option = "-o",
         bool is_private = false);
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;
  ~Output();

  std::ostream& stream();
  bool terminal() const;
  /// The width of the terminal; empty if the output is no terminal or the width is unknown.
  std::optional<std::size_t> columns() const;
  /// Whether a write failed. All later output is discarded, and commit() throws the reason unless reader_gone() is
  /// true.
  bool failed() const;
  /// Whether the reader closed the pipe. This is not an error, but nothing more needs to be written.
  bool reader_gone() const;
  /// Writes the remaining output and puts a file in place. Throws Failure if a write failed, or if the path leads to a
  /// file in `read` by now. If reader_gone() is true, returns without an error.
  void commit();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace nccl_analyze
