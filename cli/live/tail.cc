// Follows a file like `tail -F`. Its length shows whether it was truncated; when it has grown, the first and last bytes
// of the part read so far show whether it was rewritten (copytruncate).

#include "cli/live/tail.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

#include "input/failure.h"

namespace nccl_analyze {
namespace {

/// Opens a file; for a named pipe, without waiting for a writer.
int open_now(const std::string& path) { return ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK); }

/// Number of bytes that are compared at the start of the file, and at the end of the part read so far. A difference
/// shows that the file was emptied and rewritten.
constexpr std::size_t fingerprint_size = 512;
constexpr std::size_t max_before = 16;

bool holds(int descriptor, off_t place, std::string_view bytes) {
  std::array<char, fingerprint_size> now{};
  const ssize_t count = ::pread(descriptor, now.data(), bytes.size(), place);
  return count >= 0 && std::string_view(now.data(), static_cast<std::size_t>(count)) == bytes;
}

FileId id_of(const struct stat& status) { return {status.st_dev, status.st_ino}; }

}  // namespace

void Tail::Part::add(std::string_view bytes) {
  size += static_cast<off_t>(bytes.size());
  head += bytes.substr(0, fingerprint_size - head.size());
  end += bytes.substr(bytes.size() - std::min(bytes.size(), fingerprint_size));
  end.erase(0, end.size() - std::min(end.size(), fingerprint_size));
}

Tail::Copy Tail::Part::is_copied_to(int descriptor) const {
  struct stat status {};
  if (size == 0 || ::fstat(descriptor, &status) != 0) return Copy::no;
  const auto visible = static_cast<std::size_t>(std::min<off_t>(status.st_size, static_cast<off_t>(head.size())));
  if (!holds(descriptor, 0, std::string_view(head).substr(0, visible))) return Copy::no;
  if (status.st_size < size) return Copy::undecided;
  return holds(descriptor, size - static_cast<off_t>(end.size()), end) ? Copy::yes : Copy::no;
}

Tail::Tail(const Input& input) : path_(input.path), found_(input.path) {
  file_ = path_ != "-" && input.file.has_value();  // A file given as standard input is read once to its end.
  if (file_) {
    content_ = *input.file;
    may_read_ = input.size > 0;
    return;
  }
  descriptor_ = path_ == "-" ? STDIN_FILENO : open_now(path_);
  if (descriptor_ < 0) throw Failure(describe("cannot open", path_));
}

Tail::~Tail() {
  if (descriptor_ > STDIN_FILENO) ::close(descriptor_);
}

void Tail::see(const Input& found) {
  if (found.file != content_) {
    replaced_ = may_read_ = true;
    return;
  }
  found_ = path_;
  replaced_ = false;
  if (static_cast<off_t>(found.size) != part_.size) may_read_ = true;
}

void Tail::see_elsewhere(const Input& found) {
  found_ = found.path;
  if (static_cast<off_t>(found.size) > part_.size) may_read_ = true;
}

void Tail::check_growth() {
  struct stat status {};
  if (descriptor_ >= 0 && ::fstat(descriptor_, &status) == 0 && status.st_size > part_.size) may_read_ = true;
}

void Tail::close() { ::close(std::exchange(descriptor_, -1)); }

Tail::Copy Tail::is_copied_to(const std::string& path) const {
  const int descriptor = open_now(path);
  if (descriptor < 0) return Copy::no;
  Copy copy = part_.is_copied_to(descriptor);
  for (const Part& part : before_) copy = std::max(copy, part.is_copied_to(descriptor));
  ::close(descriptor);
  return copy;
}

Tail::ReadResult Tail::read(char* buffer, std::size_t size) {
  if (descriptor_ < 0)
    if (const ReadResult got = open_content(); descriptor_ < 0 || got.what != ReadResult::What::nothing) return got;
  if (at_end_ && is_another_content()) return begin_anew();
  return read_open(buffer, size);
}

Tail::ReadResult Tail::read_open(char* buffer, std::size_t size) {
  const ssize_t count = ::read(descriptor_, buffer, size);
  at_end_ = count == 0;
  if (count > 0) {
    const std::string_view bytes(buffer, static_cast<std::size_t>(count));
    if (file_) part_.add(bytes);
    return {ReadResult::What::bytes, bytes};
  }
  if (count < 0) {
    if (errno == EAGAIN || errno == EINTR) return {};
    return {ReadResult::What::ended, {}, errno};
  }
  return file_ ? at_end() : ReadResult{ReadResult::What::ended};
}

/// Opens a closed file at the position that was reached. If the path leads to another file by now, the rest of the old
/// file is lost, and the other file is read from its start.
Tail::ReadResult Tail::open_content() {
  descriptor_ = open_now(found_);
  if (descriptor_ < 0 && found_ != path_) descriptor_ = open_now(std::exchange(found_, path_));
  struct stat status {};
  if (descriptor_ < 0 || ::fstat(descriptor_, &status) != 0) {
    const bool gone = errno == ENOENT || errno == ENOTDIR || errno == ESTALE;
    may_read_ = false;
    return {ReadResult::What::nothing, {}, gone ? 0 : errno};
  }
  if (id_of(status) == content_) {
    at_end_ = true;  // read() then checks whether the file was rewritten while it was closed.
    ::lseek(descriptor_, part_.size, SEEK_SET);
    return {};
  }
  content_ = id_of(status);
  replaced_ = false;
  return part_.size == 0 ? ReadResult{} : begin_anew();
}

/// Called at the end of a file. Begins again at the start if the file was emptied, or at the start of the new file if
/// the path now leads to another file.
Tail::ReadResult Tail::at_end() {
  struct stat status {};
  if (::fstat(descriptor_, &status) == 0 && status.st_size < part_.size) return begin_anew();
  may_read_ = false;
  if (!replaced_) return {};
  const int next = open_now(path_);
  if (next < 0 || ::fstat(next, &status) != 0 || !S_ISREG(status.st_mode)) {
    if (next >= 0) ::close(next);
    return {};
  }
  ::close(std::exchange(descriptor_, next));
  content_ = id_of(status);
  found_ = path_;
  replaced_ = false;
  return begin_anew();
}

bool Tail::is_another_content() const {
  struct stat status {};
  if (!file_ || ::fstat(descriptor_, &status) != 0 || status.st_size <= part_.size) return false;
  return !holds(descriptor_, 0, part_.head) ||
         !holds(descriptor_, part_.size - static_cast<off_t>(part_.end.size()), part_.end);
}

Tail::ReadResult Tail::begin_anew() {
  if (part_.size > 0) before_.push_back(std::exchange(part_, {}));
  if (before_.size() > max_before) before_.erase(before_.begin());
  at_end_ = false;
  may_read_ = true;
  return {::lseek(descriptor_, 0, SEEK_SET) == 0 ? ReadResult::What::restarted : ReadResult::What::nothing};
}

}  // namespace nccl_analyze
