// Creates a file without a name (O_TMPFILE) and links it when it is complete. On file systems without O_TMPFILE the
// unfinished file has a temporary name in the same folder; signal handlers remove that file.

#include "input/new_file.h"

#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <filesystem>

#include "input/failure.h"

namespace nccl_analyze {
namespace {

constexpr std::array ending_signals = {SIGINT, SIGTERM, SIGHUP};
constexpr int max_links = 40;

/// Returns the name of the file that signal handlers remove, empty if there is none. It is static because signal
/// handlers have no context argument.
char* name_to_remove() {
  static std::array<char, PATH_MAX> name;
  return name.data();
}

void remove_and_end(int signal) {
  ::unlink(name_to_remove());
  ::signal(signal, SIG_DFL);
  ::raise(signal);
}

/// Makes signals that end the program remove the file `name` first; if `name` is empty, they only end the program. A
/// signal that the program was started to ignore, as under nohup, stays ignored.
void remove_on_signals(const std::string& name) {
  if (name.size() >= PATH_MAX) return;
  name.copy(name_to_remove(), name.size());
  name_to_remove()[name.size()] = '\0';
  for (const int signal : ending_signals)
    if (::signal(signal, name.empty() ? SIG_DFL : remove_and_end) == SIG_IGN) ::signal(signal, SIG_IGN);
}

/// Blocks all signals while it exists, so that no signal interrupts a rename.
class SignalsWait {
 public:
  SignalsWait() {
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, &before_);
  }
  SignalsWait(const SignalsWait&) = delete;
  SignalsWait& operator=(const SignalsWait&) = delete;
  ~SignalsWait() { sigprocmask(SIG_SETMASK, &before_, nullptr); }

 private:
  sigset_t before_{};
};

/// Returns the folder of a path, with a slash: `logs/` for `logs/report.json`, `./` for `report.json`.
std::string folder_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? "./" : path.substr(0, slash + 1);
}

std::string descriptor_path(int descriptor) { return "/proc/self/fd/" + std::to_string(descriptor); }

/// Returns the permissions that open(2) gives a new file.
mode_t usual_permissions() {
  const mode_t mask = ::umask(0);
  ::umask(mask);
  return 0666U & ~mask;
}

Failure cannot_write(const std::string& path, int error) {
  return Failure(describe("cannot write", path, error) + "; name a file in a folder that exists and is writable");
}

}  // namespace

std::string follow_links(std::string path) {
  const std::string named = path;
  for (int links = 0;; ++links) {
    std::error_code error;
    if (!std::filesystem::is_symlink(std::filesystem::symlink_status(path, error))) return path;
    const std::filesystem::path target = std::filesystem::read_symlink(path, error);
    if (error || links == max_links) throw cannot_write(named, error ? error.value() : ELOOP);
    path = target.is_absolute() ? target.string() : folder_of(path) + target.string();
  }
}

NewFile::NewFile(const std::string& path, bool is_private)
    : path_(follow_links(path)), folder_(folder_of(path_)), is_private_(is_private) {
  descriptor_ = ::open(folder_.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
  // give_name() later links the file by its path under /proc, therefore /proc must be mounted.
  if (descriptor_ >= 0 && ::access(descriptor_path(descriptor_).c_str(), F_OK) == 0) return;
  if (descriptor_ >= 0) ::close(descriptor_);
  std::string name = folder_ + std::string(unfinished_prefix) + "XXXXXX";
  descriptor_ = ::mkostemp(name.data(), O_CLOEXEC);
  if (descriptor_ < 0) throw cannot_write(path, errno);
  temporary_name_ = name;
  remove_on_signals(temporary_name_);
}

NewFile::~NewFile() {
  ::close(descriptor_);
  if (temporary_name_.empty()) return;
  ::unlink(temporary_name_.c_str());
  remove_on_signals({});
}

void NewFile::give_name(const std::string& name) {
  if (::linkat(AT_FDCWD, descriptor_path(descriptor_).c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0)
    temporary_name_ = name;
}

void NewFile::put_in_place() {
  struct stat replaced {};
  const bool replaces = ::stat(path_.c_str(), &replaced) == 0;
  // Changing the owner needs privileges, but changing only the group is often allowed.
  if (replaces && ::fchown(descriptor_, replaced.st_uid, replaced.st_gid) != 0)
    (void)!::fchown(descriptor_, static_cast<uid_t>(-1), replaced.st_gid);
  const mode_t permissions = replaces ? replaced.st_mode & 07777U : usual_permissions();
  if (::fchmod(descriptor_, is_private_ ? 0600U : permissions) != 0) throw cannot_write(path_, errno);

  const SignalsWait wait;
  // linkat(2) cannot replace a file, so the file gets a temporary name first, and rename(2) replaces the old file.
  const std::string prefix = folder_ + std::string(unfinished_prefix) + std::to_string(::getpid()) + '-';
  for (int number = 0; temporary_name_.empty(); ++number) {
    give_name(prefix + std::to_string(number));
    if (temporary_name_.empty() && errno != EEXIST) throw cannot_write(path_, errno);
  }
  if (::rename(temporary_name_.c_str(), path_.c_str()) != 0) throw cannot_write(path_, errno);
  temporary_name_.clear();
}

}  // namespace nccl_analyze
