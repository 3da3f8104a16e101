#include "cli/spool.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <filesystem>
#include <utility>

#include "cli/failure.h"
#include "cli/input/descriptor.h"
#include "cli/input/patience.h"

namespace nccl_analyze {
namespace {

bool is_regular(const std::string& path) {
  struct stat status {};
  return path != "-" && ::stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode);
}

/// A temporary file that only this process can reach.
int make_temporary(const std::string& folder) {
  const int descriptor = ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (descriptor >= 0) return descriptor;
  std::string name = folder + "/nccl-analyze-XXXXXX";
  const int named = ::mkostemp(name.data(), O_CLOEXEC);
  if (named >= 0) ::unlink(name.c_str());
  return named;
}

bool write_all(int descriptor, const char* bytes, std::size_t size) {
  while (size > 0) {
    const ssize_t written = ::write(descriptor, bytes, size);
    if (written < 0 && errno != EINTR) return false;
    if (written < 0) continue;
    bytes += written;
    size -= static_cast<std::size_t>(written);
  }
  return true;
}

}  // namespace

Spool::Spool(const Input& input, Log& log) : input_(input), name_(input.path == "-" ? "<stdin>" : input.path) {
  if (!is_regular(input.path)) copy(log);
}

Spool::Spool(Spool&& other) noexcept
    : input_(std::move(other.input_)),
      name_(std::move(other.name_)),
      descriptor_(std::exchange(other.descriptor_, -1)) {}

Spool::~Spool() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void Spool::copy(Log& log) {
  const Descriptor from(input_.path);
  if (!from.open()) throw Failure(describe("cannot open", name_));
  const std::string folder = std::filesystem::temp_directory_path().string();
  descriptor_ = make_temporary(folder);
  const std::string remedy = "; set TMPDIR to a folder with room for the log, or name the log as a file";
  if (descriptor_ < 0) throw Failure(describe("cannot write to", folder) + remedy);
  std::array<char, std::size_t{64} << 10U> block;
  Patience patience(true, log);
  while (patience.wait(from.number())) {
    const ssize_t count = from.read(block.data(), block.size());
    if (count == 0) break;
    if (count < 0 && errno == EAGAIN) continue;
    if (count < 0) throw Failure(describe("cannot read", name_));
    if (!write_all(descriptor_, block.data(), static_cast<std::size_t>(count)))
      throw Failure(describe("cannot write to", folder) + remedy);
  }
  input_.path = "/proc/self/fd/" + std::to_string(descriptor_);
}

}  // namespace nccl_analyze
