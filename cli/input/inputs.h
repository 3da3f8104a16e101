#pragma once
/// Which files to read: what the paths of the command line name, each once.

#include <cstdint>
#include <string>
#include <vector>

namespace nccl_analyze {

/// A file, or standard input when `path` is "-".
struct Input {
  std::string path;
  std::uintmax_t size = 0;  ///< Of a regular file; 0: not known before it is read.
};

struct InputList {
  std::vector<Input> inputs;          ///< In the order given; those of a folder sorted by path.
  std::vector<std::string> failures;  ///< One sentence for each path that cannot be read.
  std::vector<std::string>
      left_out;  ///< A sentence, told to the user, for each file that is not read: a copy, an unfinished report.
  std::vector<std::string>
      skipped;  ///< A sentence, told with --verbose, for what is no regular file or has another name.
};

/// Finds the files that the paths name. No path: standard input. Of a folder: every regular file at any depth;
/// symbolic links to folders are not followed, devices and pipes are left out. A path that does not exist and holds a
/// wildcard is expanded as a shell does it. A file counts once, whatever its names; so do two files of equal bytes.
InputList list_inputs(const std::vector<std::string>& paths);

/// The same for inputs that are still written: no folders, and files that are equal now may differ later.
InputList list_growing_inputs(const std::vector<std::string>& paths);

}  // namespace nccl_analyze
