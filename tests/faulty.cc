// A library for LD_PRELOAD that simulates faults. Reads of the bytes from FAULTY_FROM to FAULTY_TO fail in files whose
// path contains `faulty`. If FAULTY_TMPFILE is set, open() with O_TMPFILE fails.

#include <dlfcn.h>
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

bool is_faulty(int file) {
  char link[64], name[4096];
  std::snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  const ssize_t size = ::readlink(link, name, sizeof name - 1);
  if (size < 0) return false;
  name[size] = '\0';
  return std::strstr(name, "faulty") != nullptr;
}

/// Returns how many of the `size` bytes at offset `place` can be read before the faulty range; -1 if the first byte is
/// in this range.
ssize_t readable(int file, off_t place, std::size_t size) {
  const char* const from = std::getenv("FAULTY_FROM");
  const char* const to = std::getenv("FAULTY_TO");
  if (from == nullptr || to == nullptr || !is_faulty(file)) return static_cast<ssize_t>(size);
  const off_t first = std::atol(from), behind = std::atol(to);
  if (place >= behind || place + static_cast<off_t>(size) <= first) return static_cast<ssize_t>(size);
  return place < first ? first - place : -1;
}

template <class Function>
Function* next(const char* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

}  // namespace

extern "C" ssize_t read(int file, void* buffer, std::size_t size) {
  static const auto original = next<ssize_t(int, void*, std::size_t)>("read");
  const ssize_t most = readable(file, ::lseek(file, 0, SEEK_CUR), size);
  if (most >= 0) return original(file, buffer, static_cast<std::size_t>(most));
  errno = EIO;
  return -1;
}

extern "C" int open(const char* path, int flags, ...) {
  static const auto original = next<int(const char*, int, ...)>("open");
  if ((flags & O_TMPFILE) == O_TMPFILE && std::getenv("FAULTY_TMPFILE") != nullptr) {
    errno = EOPNOTSUPP;
    return -1;
  }
  std::va_list more;
  va_start(more, flags);
  const auto mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(more, mode_t) : 0;
  va_end(more);
  return original(path, flags, mode);
}
