#pragma once
/// An output file that appears complete or not at all: an unfinished file leaves nothing in its folder.

#include <string>
#include <string_view>

namespace nccl_analyze {

/// Prefix of the temporary names that files have while they are put in place. On file systems without O_TMPFILE (NFS),
/// kill -9 leaves such a file behind.
inline constexpr std::string_view unfinished_prefix = ".nccl-analyze-";

class NewFile {
 public:
  /// `path` is a regular file, which will be replaced, or does not exist yet; symbolic links are followed. Throws
  /// Failure when no file can be created there. `is_private`: nobody but its owner may read the file.
  explicit NewFile(const std::string& path, bool is_private = false);
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;
  /// Discards the file unless put_in_place() was called.
  ~NewFile();

  int descriptor() const { return descriptor_; }
  /// Gives the file its name. A file that replaces another takes its permissions (unless it is private) and, where
  /// allowed, its owner and group. Throws Failure.
  void put_in_place();

 private:
  void give_name(const std::string& name);

  std::string path_;
  std::string folder_;          ///< Ends with a slash.
  std::string temporary_name_;  ///< Empty while the file has no name (O_TMPFILE), and after put_in_place().
  int descriptor_ = -1;
  bool is_private_;
};

/// Resolves symbolic links; the file that the last link names need not exist. Throws Failure on a loop.
std::string follow_links(std::string path);

}  // namespace nccl_analyze
