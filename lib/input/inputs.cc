// Lists the input files before any of them is parsed: walks folders, expands wildcards, drops duplicates.

#include "input/inputs.h"

#include <glob.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <memory>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include "input/copies.h"
#include "input/descriptor.h"
#include "input/failure.h"
#include "input/machine_file.h"
#include "input/new_file.h"

namespace nccl_analyze {
namespace {

namespace fs = std::filesystem;

/// Returns the status of a file (`-`: standard input) after following links; nullopt with errno set on failure.
std::optional<struct stat> status_of(const std::string& path) {
  struct stat status {};
  const int result = path == "-" ? ::fstat(STDIN_FILENO, &status) : ::stat(path.c_str(), &status);
  return result == 0 ? std::optional(status) : std::nullopt;
}

bool is_device(const std::string& path, dev_t device) {
  const auto status = status_of(path);
  return status && S_ISCHR(status->st_mode) && status->st_rdev == device;
}

bool is_terminal(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
  if (descriptor < 0) return false;
  const bool terminal = ::isatty(descriptor) == 1;
  ::close(descriptor);
  return terminal;
}

/// Whether the file is a device that must not be read, because it has no end or because reading may have effects.
/// Standard input, /dev/null and terminals may be read.
bool is_refused(const std::string& path, const struct stat& status) {
  if (S_ISBLK(status.st_mode)) return true;
  if (!S_ISCHR(status.st_mode)) return false;
  return !is_device("-", status.st_rdev) && !is_device("/dev/null", status.st_rdev) && !is_terminal(path);
}

bool is_missing(int error) { return error == ENOENT || error == ENOTDIR; }

class Listing {
 public:
  Listing(InputList& list, bool growing) : list_(list), growing_(growing) {}

  void add(const std::string& path) {
    if (path == "-") return add_standard_input();
    const auto status = status_of(path);
    const int error = errno;
    if (!status && path.find_first_of("*?[") != std::string::npos)
      expand(path);
    else if (!status && growing_ && is_missing(error))
      list_.missing.push_back(path);
    else if (!status)
      list_.failures.push_back(read_failure("cannot read", path, error));
    else if (S_ISDIR(status->st_mode))
      add_folder(path);
    else if (is_refused(path, *status))
      list_.failures.push_back(
          {path, "it is a device, not a log", "cannot read " + path + ": it is a device, not a log"});
    else
      add_file(path, *status);
  }

 private:
  void add_standard_input() {
    const auto status = status_of("-");
    // If another program has read a part of the file, standard input is not the whole file.
    const bool whole = status && (!S_ISREG(status->st_mode) || ::lseek(STDIN_FILENO, 0, SEEK_CUR) == 0);
    if (whole) return add_file("-", *status);
    if (status) list_.files.try_emplace(FileId{status->st_dev, status->st_ino}, "-");
    list_.inputs.push_back({.path = "-"});
  }

  void add_folder(const fs::path& folder) {
    std::error_code error;
    // Names as texts, because a live merge lists ten thousand of them every second.
    std::vector<std::pair<std::string, bool>> entries;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
      std::error_code gone;
      entries.emplace_back(entry->path().native(), entry->is_symlink(gone));
    }
    if (error) cannot("cannot list", folder.string(), error.value());
    std::ranges::sort(entries);
    for (const auto& [path, link] : entries) add_entry(path, link);
  }

  void expand(const std::string& pattern) {
    glob_t found{};
    const std::unique_ptr<glob_t, decltype(&::globfree)> owner(&found, &::globfree);
    const int status = ::glob(pattern.c_str(), 0, nullptr, &found);
    if (status == GLOB_NOMATCH && growing_)
      list_.missing.push_back(pattern);
    else if (status != 0)
      list_.failures.push_back(status == GLOB_NOMATCH
                                   ? ReadFailure{pattern, "no file matches it", "no file matches " + pattern}
                                   : ReadFailure{pattern, "it cannot be expanded", "cannot expand " + pattern});
    for (std::size_t i = 0; status == 0 && i < found.gl_pathc; ++i) add_entry(found.gl_pathv[i], false);
  }

  /// Adds an entry of a folder or a match of a wildcard. The user did not name it, so anything but a regular file or a
  /// folder is left out instead of refused. `link`: a symbolic link, which is not followed if it leads to a folder.
  void add_entry(const std::string& path, bool link) {
    const auto status = status_of(path);
    if (!status)
      cannot("cannot read", path, errno);
    else if (S_ISDIR(status->st_mode) && !link)
      add_folder(path);
    else if (path.compare(path.rfind('/') + 1, unfinished_prefix.size(), unfinished_prefix) == 0)
      list_.left_out.push_back(path + " is left out: it is a report that was never finished");
    else if (S_ISREG(status->st_mode))
      add_file(path, *status);
    else
      list_.skipped.push_back(path + " is left out: it is no regular file");
  }

  void cannot(std::string_view what, const std::string& path, int error) {
    if (!growing_)
      list_.failures.push_back(read_failure(what, path, error));
    else if (!is_missing(error))  // a missing file was removed after its folder was listed
      list_.left_out.push_back(describe(what, path, error));
  }

  void add_file(const std::string& path, const struct stat& status) {
    const FileId id{status.st_dev, status.st_ino};
    const auto [known, is_new] = list_.files.try_emplace(id, path);
    if (is_new && S_ISREG(status.st_mode))
      list_.inputs.push_back({path, static_cast<std::uintmax_t>(status.st_size), id});
    else if (is_new)
      list_.inputs.push_back({.path = path});
    else
      list_.skipped.push_back(path + " is left out: it is " + known->second + " under another name");
  }

  InputList& list_;
  bool growing_;  ///< Whether inputs may still appear, as with --follow, so that a missing one is no failure.
};

InputList list_all(const std::vector<std::string>& paths, bool growing) {
  InputList list;
  Listing listing(list, growing);
  for (const std::string& path : paths) listing.add(path);
  if (paths.empty()) listing.add("-");
  // Sorting makes the report independent of the order of the arguments.
  std::ranges::stable_sort(list.inputs, {}, &Input::path);
  return list;
}

/// Whether `one` is the dump of a rank's flight recorder, which a file of another name with the same bytes does not
/// replace, because only the name says which rank it is: `nccl_trace_rank_0`, `nccl_trace_rank_1`, `backup`.
bool is_dump_of_other_rank(const fs::path& one, const fs::path& other) {
  return one.filename().string().find("trace_rank_") != std::string::npos && one.filename() != other.filename();
}

void drop_copies(InputList& list) {
  const std::vector<std::size_t> originals = find_copies(list.inputs);
  std::vector<Input> kept;
  for (std::size_t i = 0; i < list.inputs.size(); ++i) {
    const std::string &path = list.inputs[i].path, &original = list.inputs[originals[i]].path;
    if (originals[i] == i || is_dump_of_other_rank(path, original) || describes_machine_only(path))
      kept.push_back(list.inputs[i]);
    else
      list.left_out.emplace_back(path).append(" is left out: it holds the same bytes as ").append(original);
  }
  list.inputs = std::move(kept);
}

}  // namespace

ReadFailure read_failure(std::string_view what, const std::string& name, int error) {
  return {name, std::generic_category().message(error), describe(what, name, error)};
}

InputList list_inputs(const std::vector<std::string>& paths) {
  InputList list = list_all(paths, false);
  drop_copies(list);
  return list;
}

InputList list_inputs_and_copies(const std::vector<std::string>& paths) { return list_all(paths, false); }

InputList list_growing_inputs(const std::vector<std::string>& paths) { return list_all(paths, true); }

}  // namespace nccl_analyze
