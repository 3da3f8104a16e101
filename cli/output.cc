// Writes with write(2) instead of a file stream, so that errors keep their errno.

#include "cli/output.h"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <streambuf>

#include "input/failure.h"
#include "input/new_file.h"

namespace nccl_analyze {

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
  /// Large texts are not copied into the block.
  std::streamsize xsputn(const char* text, std::streamsize size) override {
    if (size < epptr() - pbase()) return std::streambuf::xsputn(text, size);
    return drain() && write_all(text, text + size) ? size : 0;
  }

 private:
  void reset() { setp(block_.data(), block_.data() + block_.size()); }

  bool drain() {
    write_all(pbase(), pptr());
    reset();
    return error_ == 0;
  }

  bool write_all(const char* from, const char* end) {
    while (error_ == 0 && from < end) {
      const ssize_t written = ::write(descriptor_, from, static_cast<std::size_t>(end - from));
      if (written >= 0)
        from += written;
      else if (errno != EINTR)
        error_ = errno;
    }
    return error_ == 0;
  }

  int descriptor_;
  int error_ = 0;
  std::array<char, std::size_t{64} << 10U> block_;
};

namespace {

/// Whether the output becomes a new file at this path. An existing device or named pipe is opened and written to
/// instead.
bool is_replaced(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) != 0 || S_ISREG(status.st_mode);
}

}  // namespace

struct Output::Impl {
  std::string name = "standard output";
  std::optional<NewFile> file;
  std::string option;
  const ProtectedInputs* read = nullptr;  ///< For a file: the files that it must not replace.
  int descriptor = STDOUT_FILENO;
  std::optional<DescriptorBuffer> buffer;
  std::ostream stream{nullptr};
};

Output::Output() : Output(std::nullopt, {}) {}

Output::Output(const std::optional<std::string>& path, const ProtectedInputs& read, std::string_view option,
               bool is_private)
    : impl_(std::make_unique<Impl>()) {
  if (path) {
    read.protect_from(option, *path);
    impl_->name = *path;
    impl_->option = option;
    impl_->read = &read;
    if (is_replaced(*path))
      impl_->descriptor = impl_->file.emplace(*path, is_private).descriptor();
    else
      impl_->descriptor = ::open(path->c_str(), O_WRONLY | O_CLOEXEC);
    if (impl_->descriptor < 0) throw Failure(describe("cannot write", *path) + "; name a file");
  }
  impl_->buffer.emplace(impl_->descriptor);
  impl_->stream.rdbuf(&*impl_->buffer);
}

Output::~Output() {
  if (!impl_->file && impl_->descriptor > STDERR_FILENO) ::close(impl_->descriptor);
}

std::ostream& Output::stream() { return impl_->stream; }

std::optional<std::size_t> Output::columns() const {
  winsize size{};
  if (::ioctl(impl_->descriptor, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return std::nullopt;
  return size.ws_col;
}

bool Output::terminal() const { return ::isatty(impl_->descriptor) == 1; }

bool Output::failed() const { return impl_->buffer->error() != 0; }

bool Output::reader_gone() const { return impl_->buffer->error() == EPIPE; }

void Output::commit() {
  impl_->stream.flush();
  if (reader_gone()) return;
  if (failed()) throw Failure(describe("cannot write", impl_->name, impl_->buffer->error()));
  if (!impl_->file) return;
  impl_->read->protect_from(impl_->option, impl_->name);
  impl_->file->put_in_place();
}

}  // namespace nccl_analyze
