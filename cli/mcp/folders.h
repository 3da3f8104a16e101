#pragma once
/// The folders that the server may read. Nothing outside is opened: paths are compared after all links are resolved.

#include <filesystem>
#include <string>
#include <vector>

#include "input/inputs.h"

namespace nccl_analyze {

class Folders {
 public:
  /// Throws Failure if one of the paths is no folder.
  explicit Folders(const std::vector<std::string>& paths);

  /// Lists the files that the paths name, as list_inputs() does, by their names without links. A relative path is one
  /// in the first folder that has it. Throws Failure if a path is not within the folders; the message does not tell
  /// whether it exists. Links that lead out of the folders, devices and pipes are left out.
  InputList list(const std::vector<std::string>& paths) const;

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
