// Opens the file of --news for appending, so that a restarted program continues it.

#include "cli/live/news_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <utility>

#include "input/failure.h"

namespace nccl_analyze {

NewsFile::NewsFile(std::string path, Log& log) : path_(std::move(path)), log_(log) {
  descriptor_ =
      path_ == "-" ? STDOUT_FILENO : ::open(path_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY, 0666);
  if (descriptor_ < 0) throw Failure(describe("cannot write", path_) + "; --news needs a file that is writable");
}

NewsFile::~NewsFile() {
  if (descriptor_ > STDERR_FILENO) ::close(descriptor_);
}

void NewsFile::add(std::string line) {
  line += '\n';
  std::string_view rest = line;
  while (!failed_ && !rest.empty()) {
    const ssize_t written = ::write(descriptor_, rest.data(), rest.size());
    if (written >= 0) {
      rest.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno != EINTR) {
      failed_ = true;
      log_.warn(describe("cannot write", path_) + "; no further news go there");
    }
  }
}

}  // namespace nccl_analyze
