#include "input/temporary_file.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>

namespace nccl_analyze {

TemporaryFile::TemporaryFile(TemporaryFile&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}

TemporaryFile::~TemporaryFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

bool TemporaryFile::create() {
  const std::string in = folder();
  descriptor_ = ::open(in.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (descriptor_ >= 0) return true;
  std::string name = in + "/nccl-analyze-XXXXXX";
  descriptor_ = ::mkostemp(name.data(), O_CLOEXEC);
  if (descriptor_ >= 0) ::unlink(name.c_str());
  return descriptor_ >= 0;
}

bool TemporaryFile::append(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
    if (written < 0 && errno != EINTR) return false;
    if (written > 0) bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

std::string TemporaryFile::folder() {
  std::error_code missing;
  const std::filesystem::path found = std::filesystem::temp_directory_path(missing);
  if (!missing) return found.string();
  const char* const named = ::getenv("TMPDIR");
  return named == nullptr ? "/tmp" : named;
}

}  // namespace nccl_analyze
