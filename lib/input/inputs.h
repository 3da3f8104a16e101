#pragma once
/// Expands the paths that a user names to a list of distinct files.

#include <sys/types.h>

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace nccl_analyze {

/// Identifies a file under all its names.
struct FileId {
  dev_t device = 0;
  ino_t inode = 0;
  friend auto operator<=>(const FileId&, const FileId&) = default;
};

/// A file, or standard input when `path` is "-".
struct Input {
  std::string path;
  std::uintmax_t size = 0;  ///< Size of a regular file in bytes; 0 if it is unknown until the input is read.
  std::optional<FileId> file = std::nullopt;  ///< The identity of a regular file.
};

/// An input that could not be read, or only in part. Converts to the message for the user.
struct ReadFailure {
  std::string name;                                         ///< The path as it was named or found, or `ARCHIVE:MEMBER`.
  std::string reason;                                       ///< `No such file or directory`, `it is cut off`
  std::string sentence;                                     ///< The message for the user.
  operator const std::string&() const { return sentence; }  // NOLINT(google-explicit-constructor)
};
/// Returns a failure with the text of an errno: `cannot open logs/a.log: Permission denied`.
ReadFailure read_failure(std::string_view what, const std::string& name, int error);

/// The inputs, and messages about all paths that are not read.
struct InputList {
  std::vector<Input> inputs;            ///< Sorted by path.
  std::vector<ReadFailure> failures;    ///< One for each path that cannot be read.
  std::vector<std::string> left_out;    ///< One warning for each copy, each unfinished report and each growing input
                                        ///< that cannot be read.
  std::vector<std::string> skipped;     ///< One message for each other path that is not read, for --verbose.
  std::vector<std::string> missing;     ///< For growing inputs: paths that do not exist, and patterns without a match.
  std::map<FileId, std::string> files;  ///< All files under the paths, including copies, each with its first path.
};

/// Lists the files that the paths name, or standard input if there are no paths. A folder means all regular files below
/// it, but no devices and pipes; symbolic links to folders are not followed. A path that does not exist and contains a
/// wildcard is expanded as by a shell. A file with several names is listed once. Of files with equal bytes only the
/// first is listed, unless they only describe a machine.
InputList list_inputs(const std::vector<std::string>& paths);

/// As list_inputs(), but files with equal bytes are all listed: a merge counts equal summaries once.
InputList list_inputs_and_copies(const std::vector<std::string>& paths);

/// Lists files that are still being written, as list_inputs() does, for a caller that lists them again and again. A
/// missing file is no failure, because it may appear later; a file that cannot be opened is left out. Files with equal
/// bytes are all listed, because they may differ later.
InputList list_growing_inputs(const std::vector<std::string>& paths);

}  // namespace nccl_analyze
