#pragma once
/// `--save`: a copy of standard input, so that the lines that a report names can be looked up.

#include <string>
#include <string_view>

#include "input/logging.h"

namespace nccl_analyze {

class StdinCopy {
 public:
  /// Creates the file. Throws Failure if it exists or cannot be created.
  StdinCopy(std::string path, Log& log);
  StdinCopy(const StdinCopy&) = delete;
  StdinCopy& operator=(const StdinCopy&) = delete;
  ~StdinCopy();

  /// Appends bytes of standard input. After an error, for example on a full disk, warns once and ignores all later
  /// bytes.
  void add(std::string_view bytes);
  /// Returns the name of a source in the report. If the file contains everything that was read, the path of the file
  /// replaces `<stdin>` at the beginning of the name.
  std::string name_of(std::string_view source) const;
  /// Whether the path leads to the file, under this or another name.
  bool is(const std::string& path) const;

 private:
  std::string path_;
  Log& log_;
  int descriptor_ = -1;
  bool whole_ = true;
};

}  // namespace nccl_analyze
