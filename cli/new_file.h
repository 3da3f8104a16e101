#pragma once
/// A file that appears whole or not at all: an unfinished one leaves nothing in its folder.

#include <string>
#include <string_view>

namespace nccl_analyze {

/// What the names of files begin with that stand in a folder while they are put in place. On file systems without
/// O_TMPFILE (NFS) kill -9 leaves one.
inline constexpr std::string_view unfinished_prefix = ".nccl-analyze-";

class NewFile {
 public:
  /// `path` is a regular file, which is replaced, or does not exist; links are followed. Throws Failure when no file
  /// can be made there.
  explicit NewFile(const std::string& path);
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;
  /// Without put_in_place() the file is gone.
  ~NewFile();

  int descriptor() const { return descriptor_; }
  /// Gives the file its name, the owner of what it replaces where that is allowed, and its permissions. Throws Failure.
  void put_in_place();

 private:
  void give_name(const std::string& name);

  std::string path_;
  std::string folder_;          ///< With a slash at its end.
  std::string temporary_name_;  ///< Empty while the file has no name at all (O_TMPFILE), and in the end.
  int descriptor_ = -1;
};

/// Where a path leads through symbolic links, the last of which may lead to a file that is still to be made. Throws
/// Failure on a loop.
std::string follow_links(std::string path);

}  // namespace nccl_analyze
