// Writes each block before it is parsed, so that the file can be read while the program runs.

#include "input/save.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <utility>

#include "input/failure.h"

namespace nccl_analyze {

StdinCopy::StdinCopy(std::string path, Log& log)
    : path_(std::move(path)),
      log_(log),
      descriptor_(::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC | O_NOCTTY, 0666)) {
  if (descriptor_ >= 0) return;
  if (errno == EEXIST) throw Failure("--save does not overwrite " + path_ + ": name a new file, or remove it");
  throw Failure(describe("cannot create", path_) + "; --save needs a file in a folder that exists and is writable");
}

StdinCopy::~StdinCopy() { ::close(descriptor_); }

void StdinCopy::add(std::string_view bytes) {
  while (whole_ && !bytes.empty()) {
    const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
    if (written >= 0) {
      bytes.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno != EINTR) {
      whole_ = false;
      log_.warn(describe("cannot write", path_) + "; it ends here, and the report names lines of <stdin>");
    }
  }
}

std::string StdinCopy::name_of(std::string_view source) const {
  constexpr std::string_view standard_input = "<stdin>";
  if (!whole_ || !source.starts_with(standard_input)) return std::string(source);
  return path_ + std::string(source.substr(standard_input.size()));
}

bool StdinCopy::is(const std::string& path) const {
  struct stat own {};
  struct stat other {};
  return ::fstat(descriptor_, &own) == 0 && ::stat(path.c_str(), &other) == 0 && own.st_dev == other.st_dev &&
         own.st_ino == other.st_ino;
}

}  // namespace nccl_analyze
