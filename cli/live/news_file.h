#pragma once
/// `--news`: the file for news as JSON lines.

#include <string>
#include <string_view>

#include "input/logging.h"

namespace nccl_analyze {

class NewsFile {
 public:
  /// Opens the file to append to it; `-` is standard output. Throws Failure if it cannot be opened.
  NewsFile(std::string path, Log& log);
  NewsFile(const NewsFile&) = delete;
  NewsFile& operator=(const NewsFile&) = delete;
  ~NewsFile();

  /// Writes a line with one write(2) where the system allows it. After an error, warns once and ignores later lines.
  void add(std::string line);

 private:
  std::string path_;
  Log& log_;
  int descriptor_ = -1;
  bool failed_ = false;
};

}  // namespace nccl_analyze
