// Writes to a descriptor with write(2), so that errors keep their errno, and renames a temporary file into place.

#include "output.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <streambuf>

#include "failure.h"

namespace nccl_analyze {
namespace {

class DescriptorBuffer : public std::streambuf {
 public:
  explicit DescriptorBuffer(int descriptor) : descriptor_(descriptor) { reset(); }
  int error() const { return error_; }

 protected:
  int_type overflow(int_type c) override {
    if (!drain()) return traits_type::eof();
    if (!traits_type::eq_int_type(c, traits_type::eof())) {
      *pptr() = traits_type::to_char_type(c);
      pbump(1);
    }
    return traits_type::not_eof(c);
  }
  int sync() override { return drain() ? 0 : -1; }

 private:
  void reset() { setp(block_.data(), block_.data() + block_.size()); }

  bool drain() {
    const char* from = pbase();
    while (error_ == 0 && from < pptr()) {
      const ssize_t written = ::write(descriptor_, from, static_cast<std::size_t>(pptr() - from));
      if (written >= 0)
        from += written;
      else if (errno != EINTR)
        error_ = errno;
    }
    reset();
    return error_ == 0;
  }

  int descriptor_;
  int error_ = 0;
  std::array<char, std::size_t{64} << 10U> block_;
};

/// The permissions a new file gets: what a plain open(2) would give, or those of the file that is replaced.
mode_t permissions(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) == 0) return status.st_mode & 07777U;
  const mode_t mask = ::umask(0);
  ::umask(mask);
  return 0666U & ~mask;
}

bool replaceable(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) != 0 || S_ISREG(status.st_mode);
}

/// Where a symbolic link leads, so that the link itself survives the rename.
std::string resolve(const std::string& path) {
  std::error_code error;
  const std::filesystem::path target = std::filesystem::canonical(path, error);
  return error ? path : target.string();
}

}  // namespace

struct Output::Impl {
  std::string path;       ///< Empty: standard output.
  std::string temporary;  ///< Renamed to `path` by commit(); empty when written in place.
  int descriptor = STDOUT_FILENO;
  std::optional<DescriptorBuffer> buffer;
  std::ostream stream{nullptr};
};

Output::Output(const std::optional<std::string>& path) : impl_(std::make_unique<Impl>()) {
  if (path) {
    impl_->path = resolve(*path);
    if (replaceable(impl_->path)) {
      std::string temporary = impl_->path + ".XXXXXX";
      impl_->descriptor = ::mkostemp(temporary.data(), O_CLOEXEC);
      if (impl_->descriptor >= 0) impl_->temporary = temporary;
    } else {
      impl_->descriptor = ::open(impl_->path.c_str(), O_WRONLY | O_CLOEXEC);
    }
    if (impl_->descriptor < 0)
      throw Failure(describe("cannot write", *path) + "; name a file in a folder that exists and is writable");
  }
  impl_->buffer.emplace(impl_->descriptor);
  impl_->stream.rdbuf(&*impl_->buffer);
}

Output::~Output() {
  if (impl_->path.empty()) return;
  ::close(impl_->descriptor);
  if (!impl_->temporary.empty()) ::unlink(impl_->temporary.c_str());
}

std::ostream& Output::stream() { return impl_->stream; }

bool Output::terminal() const { return ::isatty(impl_->descriptor) == 1; }

bool Output::reader_gone() const { return impl_->buffer->error() == EPIPE; }

void Output::commit() {
  impl_->stream.flush();
  if (reader_gone()) return;
  const std::string name = impl_->path.empty() ? "standard output" : impl_->path;
  if (impl_->buffer->error() != 0) throw Failure(describe("cannot write", name, impl_->buffer->error()));
  if (impl_->temporary.empty()) return;
  if (::fchmod(impl_->descriptor, permissions(impl_->path)) != 0 ||
      ::rename(impl_->temporary.c_str(), impl_->path.c_str()) != 0)
    throw Failure(describe("cannot write", name));
  impl_->temporary.clear();
}

}  // namespace nccl_analyze
