// Writes logs. A file is open only while lines are appended, because a job may have more containers than a process may
// have open files.

#include "cli/kubectl/folder.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "input/failure.h"

namespace nccl_analyze::kubectl {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_pending = std::size_t{4} << 20;  // in bytes

std::string temporary_folder() {
  std::error_code error;
  const fs::path parent = fs::temp_directory_path(error);
  std::string path = (error ? fs::path("/tmp") : parent) / "kubectl-nccl-analyze-XXXXXX";
  if (::mkdtemp(path.data()) == nullptr) throw Failure(describe("cannot create the folder", path));
  return path;
}

std::string new_folder(std::string path) {
  while (path.size() > 1 && path.ends_with('/')) path.pop_back();
  if (path.starts_with('-')) path.insert(0, "./");
  std::error_code error;
  fs::create_directories(path, error);
  if (error) throw Failure(describe("cannot create the folder", path, error.value()));
  if (!fs::is_empty(path, error) || error)
    throw Failure("--save " + path + ": the folder is not empty; name a new one, so that logs of two runs do not mix");
  return path;
}

void append_to(const std::string& file, std::string_view text) {
  const int descriptor = ::open(file.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0666);
  if (descriptor < 0) throw Failure(describe("cannot create", file));
  while (!text.empty()) {
    const ssize_t count = ::write(descriptor, text.data(), text.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) {
      const int error = errno;
      ::close(descriptor);
      throw Failure(describe("cannot write", file, error));
    }
    text.remove_prefix(static_cast<std::size_t>(count));
  }
  ::close(descriptor);
}

}  // namespace

Folder::Folder(const std::optional<std::string>& keep, bool namespaces)
    : path_(keep ? new_folder(*keep) : temporary_folder()), temporary_(!keep), namespaces_(namespaces) {}

Folder::~Folder() {
  std::error_code error;
  if (temporary_) fs::remove_all(path_, error);
}

std::string Folder::folder_of(const std::string& name_space, const std::string& pod) const {
  std::string folder = path_ + "/" + (namespaces_ ? name_space + "/" : "") + pod;
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw Failure(describe("cannot create the folder", folder, error.value()));
  return folder;
}

void Folder::append(const StreamName& stream, std::string_view line) {
  pending_[stream] += line;
  pending_bytes_ += line.size();
  if (pending_bytes_ >= most_pending) flush();
}

void Folder::flush() {
  for (const auto& [stream, text] : pending_)
    append_to(folder_of(stream.name_space, stream.pod) + "/" + stream.container +
                  (stream.previous ? ".previous.log" : ".log"),
              text);
  pending_.clear();
  pending_bytes_ = 0;
}

void Folder::write(const std::string& name_space, const std::string& pod, const char* name, std::string_view text) {
  if (!text.empty()) append_to(folder_of(name_space, pod) + "/" + name, text);
}

}  // namespace nccl_analyze::kubectl
