#pragma once
/// An input that is still being written.

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "input/inputs.h"

namespace nccl_analyze {

/// A file is followed by its name, as by `tail -F`, and is open only while it is read; see() and see_elsewhere() decide
/// whether there is something to read. Any other input is opened at once and stays open.
class Tail {
 public:
  /// Throws Failure when an input that is no regular file cannot be opened.
  explicit Tail(const Input& input);
  Tail(const Tail&) = delete;
  Tail& operator=(const Tail&) = delete;
  ~Tail();

  /// Whether the input is a regular file, which has no end: bytes may be appended, and after a rotation another file
  /// has its name. poll(2) cannot wait for either.
  bool is_file() const { return file_; }
  /// The descriptor; -1 while a file is closed.
  int descriptor() const { return descriptor_; }
  /// The file whose bytes are being read.
  FileId content() const { return content_; }

  /// Records what was found under the path of this input. This function and those up to read() are for files only.
  void see(const Input& found);
  /// Records that content() was found under another path, to which it was renamed.
  void see_elsewhere(const Input& found);
  /// Checks whether the open file has grown. For a file that has no path any more, so that neither see() nor
  /// see_elsewhere() is called.
  void check_growth();
  /// Whether read() may find something.
  bool may_read() const { return may_read_; }
  /// Closes the file until it is read again.
  void close();
  /// Whether another file is a copy that a rotation made: it begins with bytes that this file has or had before a
  /// rotation. `undecided`: the other file may still become such a copy.
  enum class Copy { no, undecided, yes };
  Copy is_copied_to(const std::string& path) const;

  struct ReadResult {
    enum class What { bytes, nothing, restarted, ended } what = What::nothing;
    std::string_view bytes = {};
    int error = 0;  ///< errno if the input ended or a file could not be opened, else 0.
  };
  /// Reads available bytes into `buffer`, without waiting. `restarted`: the file was replaced or emptied, and the next
  /// read begins at its start.
  ReadResult read(char* buffer, std::size_t size);

 private:
  /// The part of a file that has been read: its number of bytes, and its first and last bytes.
  struct Part {
    off_t size = 0;
    std::string head, end;
    void add(std::string_view bytes);
    Copy is_copied_to(int descriptor) const;
  };

  ReadResult read_open(char* buffer, std::size_t size);
  ReadResult open_content();
  ReadResult at_end();
  ReadResult begin_anew();
  bool is_another_content() const;

  std::string path_;   ///< `-`: standard input.
  std::string found_;  ///< The path under which content_ was found last.
  FileId content_;
  int descriptor_ = -1;
  bool file_ = false;
  bool may_read_ = true;
  bool replaced_ = false;     ///< Whether the path leads to another file.
  bool at_end_ = false;       ///< Whether the last read returned no bytes.
  Part part_;                 ///< The part of the current content that was read.
  std::vector<Part> before_;  ///< The parts of earlier contents, at most sixteen.
};

}  // namespace nccl_analyze
