#pragma once
/// The folders that the server may read. Nothing outside is opened: paths are compared after all links are resolved.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "input/inputs.h"

namespace nccl_analyze {

/// What lies in a folder.
struct FolderEntry {
  std::string name;                      ///< As paths of the server name it; may hold any byte but 0.
  std::optional<std::uintmax_t> size{};  ///< Of a file, in bytes; not set: a folder.
};
struct FolderList {
  std::vector<FolderEntry> entries;  ///< Sorted by name.
  std::size_t left_out = 0;          ///< Links that lead out of the folders or nowhere, devices and pipes.
};

class Folders {
 public:
  /// Throws Failure if one of the paths is no folder.
  explicit Folders(const std::vector<std::string>& paths);

  /// Lists the files that the paths name, as list_inputs() does, by their names without links. A relative path is one
  /// in the first folder that has it. Throws Failure if a path is not within the folders; the message does not tell
  /// whether it exists. Links that lead out of the folders, devices and pipes are left out.
  InputList list(const std::vector<std::string>& paths) const;

  /// Lists a folder as list() finds it; null: the folder of the server, or if there are several, these. Throws Failure
  /// if it cannot be listed.
  FolderList look_into(const std::string* path) const;

  /// The folders with all links resolved, separated by commas.
  std::string names() const;
  /// Returns how reports name a file: by its path in the folder if there is only one folder.
  std::string shown(const std::string& file) const;

 private:
  bool contain(const std::filesystem::path& resolved) const;
  std::string resolve(const std::string& path) const;

  std::vector<std::filesystem::path> folders_;  ///< Without links.
};

}  // namespace nccl_analyze
