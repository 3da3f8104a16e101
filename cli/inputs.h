#pragma once
/// The bytes to read: standard input, files, folders, archives.

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace nccl_analyze {

/// A file, or standard input when `path` is "-".
struct Input {
  std::string path;
};

struct InputList {
  std::vector<Input> inputs;          ///< In the order given; those of a folder sorted by path.
  std::vector<std::string> failures;  ///< One sentence for each path that cannot be read.
};

/// Finds the files that the paths name. No path: standard input. Of a folder: every regular file at any depth;
/// symbolic links to folders are not followed, devices and pipes are left out.
InputList list_inputs(const std::vector<std::string>& paths);

/// Receives the bytes of an input. An archive holds several sources, everything else one.
struct SourceSink {
  std::function<void(std::string_view name)> begin;
  std::function<bool(std::string_view bytes)> bytes;  ///< False: read no further.
  std::function<void()> end;                          ///< Called for every `begin`, after an error too.
};

/// Reads one input block by block, compressed ones and archives through libarchive. Returns what went wrong as one
/// sentence, empty when nothing did; the bytes before that have been given.
std::string read_input(const Input& input, const SourceSink& sink);

}  // namespace nccl_analyze
