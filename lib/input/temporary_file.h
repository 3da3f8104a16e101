#pragma once
/// A file without a name. The system deletes it when it is closed, even if the program is killed.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace nccl_analyze {

class TemporaryFile {
 public:
  TemporaryFile() = default;
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile(TemporaryFile&& other) noexcept;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile();

  /// Creates the file in the folder for temporary files. False, with errno set, if that fails.
  bool create();
  /// Appends bytes. False, with errno set, if not all can be written.
  bool append(std::string_view bytes);
  int descriptor() const { return descriptor_; }
  /// Returns the folder for temporary files, TMPDIR or /tmp.
  static std::string folder();

 private:
  int descriptor_ = -1;
};

}  // namespace nccl_analyze
