// Lists twice: first by status only, to find the files that links lead to, then those within the folders by their
// contents. So nothing outside is opened to find copies.

#include "cli/mcp/folders.h"

#include <algorithm>
#include <iterator>
#include <system_error>

#include "input/failure.h"
#include "input/logging.h"
#include "text/phrases.h"

namespace nccl_analyze {

namespace fs = std::filesystem;

Folders::Folders(const std::vector<std::string>& paths) {
  for (const std::string& path : paths) {
    std::error_code error;
    folders_.push_back(fs::canonical(path, error));
    if (error) throw Failure(describe("cannot read", path, error.value()) + "; name a folder with logs");
    if (!fs::is_directory(folders_.back(), error)) throw Failure(path + " is no folder; name the folder of the file");
  }
}

InputList Folders::list(const std::vector<std::string>& paths) const {
  std::vector<std::string> named, files;
  for (const std::string& path : paths) named.push_back(resolve(path));
  InputList found = list_inputs_and_copies(named);
  for (const Input& input : found.inputs) {
    std::error_code error;
    fs::path file = fs::canonical(input.path, error);
    if (!error && input.file && contain(file))
      files.push_back(std::move(file));
    else
      found.left_out.push_back(input.path + " is left out: it is no file within the folders of this server");
  }
  InputList list;
  if (!files.empty()) list = list_inputs(files);  // Without a path, standard input would be listed.
  std::ranges::move(found.failures, std::back_inserter(list.failures));
  std::ranges::move(found.left_out, std::back_inserter(list.left_out));
  return list;
}

FolderList Folders::look_into(const std::string* path) const {
  FolderList list;
  if (path == nullptr && folders_.size() > 1) {
    for (const fs::path& folder : folders_) list.entries.push_back({folder.string()});
  } else {
    const fs::path folder = path == nullptr ? folders_.front() : fs::path(resolve(*path));
    std::error_code error;
    for (fs::directory_iterator at(folder, error); !error && at != fs::directory_iterator(); at.increment(error)) {
      std::error_code lost;
      const bool is_link = fs::is_symlink(at->symlink_status(lost));
      const fs::path target = is_link ? fs::canonical(at->path(), lost) : at->path();
      const fs::file_status status = lost || !contain(target) ? fs::file_status() : fs::status(target, lost);
      const std::uintmax_t size = fs::is_regular_file(status) ? fs::file_size(target, lost) : 0;
      if (lost || (!fs::is_regular_file(status) && !fs::is_directory(status)))
        ++list.left_out;
      else if (fs::is_directory(status))
        list.entries.push_back({shown(at->path())});
      else
        list.entries.push_back({shown(at->path()), size});
    }
    if (error) throw Failure(describe("cannot list", shown(folder), error.value()));
  }
  std::ranges::sort(list.entries, {}, &FolderEntry::name);
  return list;
}

std::string Folders::names() const {
  return joined_by(folders_, [](const fs::path& folder) { return folder.string(); });
}

std::string Folders::shown(const std::string& file) const {
  const std::string prefix = folders_.front().string() + "/";
  return folders_.size() == 1 && file.starts_with(prefix) ? file.substr(prefix.size()) : file;
}

bool Folders::contain(const fs::path& resolved) const {
  return std::ranges::any_of(folders_, [&](const fs::path& folder) {
    return std::mismatch(folder.begin(), folder.end(), resolved.begin(), resolved.end()).first == folder.end();
  });
}

std::string Folders::resolve(const std::string& path) const {
  if (path.empty()) throw Failure("a path is empty; \".\" is the folder");
  for (const fs::path& folder : folders_) {
    if (path.find('\0') != std::string::npos) break;  // The system would see only what stands before it.
    std::error_code error;
    const fs::path resolved = fs::canonical(folder / path, error);  // An absolute path replaces the folder.
    if (!error && contain(resolved)) return resolved;
  }
  throw Failure("there is no " + printable(path).substr(0, 200) + " within the folders of this server: " + names() +
                "; the tool files lists them");
}

}  // namespace nccl_analyze
