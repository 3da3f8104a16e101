// Follows a file like `tail -F`. At the end of the file its name and length show whether it was rotated or truncated;
// when it has grown, its first and last bytes show whether it was rewritten (copytruncate).

#include "cli/live/tail.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

#include "cli/failure.h"

namespace nccl_analyze {
namespace {

/// Opens a file; for a named pipe, without waiting for a writer.
int open_now(const std::string& path) { return ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK); }

/// Number of bytes that are compared at the start of the file, and at the end of the part read so far. A difference
/// shows that the file was emptied and rewritten.
constexpr std::size_t fingerprint_size = 512;

bool holds(int descriptor, off_t place, std::string_view bytes) {
  std::array<char, fingerprint_size> now{};
  const ssize_t count = ::pread(descriptor, now.data(), bytes.size(), place);
  return count >= 0 && std::string_view(now.data(), static_cast<std::size_t>(count)) == bytes;
}

}  // namespace

Tail::Tail(std::string path) : path_(std::move(path)), descriptor_(path_ == "-" ? STDIN_FILENO : open_now(path_)) {
  if (descriptor_ < 0) throw Failure(describe("cannot open", path_));
  struct stat status {};
  // A file given as standard input is read once to its end.
  file_ = path_ != "-" && ::fstat(descriptor_, &status) == 0 && S_ISREG(status.st_mode);
}

Tail::~Tail() {
  if (descriptor_ > STDIN_FILENO) ::close(descriptor_);
}

Tail::Got Tail::read(char* buffer, std::size_t size) {
  if (at_end_ && is_another_content()) {
    at_end_ = false;
    return {begin_anew() ? Got::What::restarted : Got::What::nothing};
  }
  const ssize_t count = ::read(descriptor_, buffer, size);
  at_end_ = count == 0;
  if (count > 0) {
    const std::string_view bytes(buffer, static_cast<std::size_t>(count));
    remember(bytes);
    return {Got::What::bytes, bytes};
  }
  if (count < 0) {
    if (errno == EAGAIN || errno == EINTR) return {};
    return {Got::What::ended, {}, errno};
  }
  if (!file_) return {Got::What::ended};
  return {restart() ? Got::What::restarted : Got::What::nothing};
}

/// Starts again if the file was emptied, or if another file has its name after a rename. Returns whether it did.
bool Tail::restart() {
  struct stat named {};
  struct stat open {};
  if (::stat(path_.c_str(), &named) != 0 || ::fstat(descriptor_, &open) != 0) return false;
  if (named.st_dev == open.st_dev && named.st_ino == open.st_ino) {
    if (named.st_size >= place_) return false;
    return begin_anew();
  }
  const int next = S_ISREG(named.st_mode) ? open_now(path_) : -1;
  if (next < 0) return false;
  ::close(descriptor_);
  descriptor_ = next;
  return begin_anew();
}

bool Tail::is_another_content() const {
  struct stat open {};
  if (!file_ || ::fstat(descriptor_, &open) != 0 || open.st_size <= place_) return false;
  return !holds(descriptor_, 0, head_) || !holds(descriptor_, place_ - static_cast<off_t>(before_.size()), before_);
}

bool Tail::begin_anew() {
  place_ = 0;
  head_.clear();
  before_.clear();
  return ::lseek(descriptor_, 0, SEEK_SET) == 0;
}

void Tail::remember(std::string_view bytes) {
  if (!file_) return;
  place_ += static_cast<off_t>(bytes.size());
  head_ += bytes.substr(0, fingerprint_size - head_.size());
  before_ += bytes.substr(bytes.size() - std::min(bytes.size(), fingerprint_size));
  before_.erase(0, before_.size() - std::min(before_.size(), fingerprint_size));
}

}  // namespace nccl_analyze
