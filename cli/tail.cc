// Like `tail -F`: a file is asked for its name and length whenever its end is reached.

#include "tail.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "failure.h"

namespace nccl_analyze {
namespace {

/// Without waiting for the writer of a named pipe.
int open_now(const std::string& path) { return ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK); }

}  // namespace

Tail::Tail(std::string path) : path_(std::move(path)), descriptor_(path_ == "-" ? STDIN_FILENO : open_now(path_)) {
  if (descriptor_ < 0) throw Failure(describe("cannot open", path_));
  struct stat status {};
  // Whoever gives a file as standard input means what is in it.
  file_ = path_ != "-" && ::fstat(descriptor_, &status) == 0 && S_ISREG(status.st_mode);
}

Tail::~Tail() {
  if (descriptor_ > STDIN_FILENO) ::close(descriptor_);
}

Tail::Got Tail::read(char* buffer, std::size_t size) {
  const ssize_t count = ::read(descriptor_, buffer, size);
  if (count > 0) return {Got::What::bytes, {buffer, static_cast<std::size_t>(count)}};
  if (count < 0) {
    if (errno == EAGAIN || errno == EINTR) return {};
    return {Got::What::ended, {}, errno};
  }
  if (!file_) return {Got::What::ended};
  return {restart() ? Got::What::restarted : Got::What::nothing};
}

bool Tail::restart() {
  struct stat named {
  }, open{};
  if (::stat(path_.c_str(), &named) != 0 || ::fstat(descriptor_, &open) != 0) return false;
  if (named.st_dev == open.st_dev && named.st_ino == open.st_ino)
    return named.st_size < ::lseek(descriptor_, 0, SEEK_CUR) && ::lseek(descriptor_, 0, SEEK_SET) == 0;
  const int next = S_ISREG(named.st_mode) ? open_now(path_) : -1;
  if (next < 0) return false;
  ::close(descriptor_);
  descriptor_ = next;
  return true;
}

}  // namespace nccl_analyze
