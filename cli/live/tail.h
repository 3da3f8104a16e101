#pragma once
/// An input that is still being written.

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cli/input/inputs.h"

namespace nccl_analyze {

/// A file is followed by its name, as by `tail -F`, and open only while it is read: see() and see_elsewhere() tell
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

  /// Notes what was found under the path of this input. Only for files, as are all functions up to read().
  void see(const Input& found);
  /// Notes that content() was found under another path, to which it was renamed.
  void see_elsewhere(const Input& found);
  /// Looks whether the open file has grown, if neither of the above was called because content() has no path.
  void check_growth();
  /// Whether read() may find something.
  bool may_read() const { return may_read_; }
  /// Closes the file until it is read again.
  void close();
  /// Whether bytes of this file, before or after a rotation, are those with which another file begins, which is then a
  /// copy that the rotation made. `undecided`: the other file may still become such a copy.
  enum class Copy { no, undecided, yes };
  Copy is_copied_to(const std::string& path) const;

  struct Got {
    enum class What { bytes, nothing, restarted, ended } what = What::nothing;
    std::string_view bytes = {};
    int error = 0;  ///< errno if the input ended or a file could not be opened, else 0.
  };
  /// Reads into `buffer` what is available, without waiting. `restarted`: the file was replaced or emptied, and the
  /// next read begins at its start.
  Got read(char* buffer, std::size_t size);

 private:
  /// What was read of a file: the number of bytes, the first and the last of them.
  struct Part {
    off_t size = 0;
    std::string head, end;
    void add(std::string_view bytes);
    Copy is_copied_to(int descriptor) const;
  };

  Got read_open(char* buffer, std::size_t size);
  Got open_content();
  Got at_end();
  Got begin_anew();
  bool is_another_content() const;

  std::string path_;   ///< `-`: standard input.
  std::string found_;  ///< The path under which content_ was found last.
  FileId content_;
  int descriptor_ = -1;
  bool file_ = false;
  bool may_read_ = true;
  bool replaced_ = false;     ///< Another file has the path.
  bool at_end_ = false;       ///< The last read returned no bytes.
  Part part_;                 ///< Of the current content.
  std::vector<Part> before_;  ///< Of earlier contents; the last sixteen.
};

}  // namespace nccl_analyze
