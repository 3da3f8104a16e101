#pragma once
/// An open file for reading, closed when it goes.

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <string>

namespace nccl_analyze {

class Descriptor {
 public:
  /// Standard input when `path` is "-".
  explicit Descriptor(const std::string& path)
      : number_(path == "-" ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY)) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (number_ > STDIN_FILENO) ::close(number_);
  }

  bool open() const { return number_ >= 0; }

  /// Whether read_at() can read it; not what the system makes up as it is read, which has no size.
  bool has_places() const {
    struct stat status {};
    return ::fstat(number_, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0;
  }

  /// One read(2), retried when a signal interrupts it; 0 at the end, negative on an error.
  ssize_t read(char* buffer, std::size_t size) const {
    ssize_t count = 0;
    do {
      count = ::read(number_, buffer, size);
    } while (count < 0 && errno == EINTR);
    return count;
  }

  /// Reads from a place of the file until `buffer` is full or the file ends; any thread may, at any time. Returns how
  /// many bytes there were; they are good even if `error` is set then, to an errno.
  std::size_t read_at(std::uint64_t place, char* buffer, std::size_t size, int& error) const {
    std::size_t filled = 0;
    while (filled < size) {
      const ssize_t count = ::pread(number_, buffer + filled, size - filled, static_cast<off_t>(place + filled));
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) error = errno;
      if (count <= 0) break;
      filled += static_cast<std::size_t>(count);
    }
    return filled;
  }

 private:
  int number_;
};

}  // namespace nccl_analyze
