#pragma once
/// An open file for reading, closed by the destructor.

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <string>

namespace nccl_analyze {

/// Owns a file descriptor. Standard input is never closed.
class Descriptor {
 public:
  /// Opens `path`, or standard input for "-". Opening a named pipe does not wait for a writer; callers must wait with
  /// poll(2) before they read.
  explicit Descriptor(const std::string& path)
      : number_(path == "-" ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (number_ > STDIN_FILENO) ::close(number_);
  }

  bool open() const { return number_ >= 0; }
  int number() const { return number_; }

  /// Calls read(2), again if a signal interrupts it. Returns 0 at the end, a negative number on an error.
  ssize_t read(char* buffer, std::size_t size) const {
    ssize_t count = 0;
    do {
      count = ::read(number_, buffer, size);
    } while (count < 0 && errno == EINTR);
    return count;
  }

 private:
  int number_;
};

}  // namespace nccl_analyze
