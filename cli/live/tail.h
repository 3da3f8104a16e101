#pragma once
/// An input that is still being written.

#include <sys/types.h>

#include <cstddef>
#include <string>
#include <string_view>

namespace nccl_analyze {

class Tail {
 public:
  /// Opens `path`, or standard input for "-". Throws Failure when it cannot be opened.
  explicit Tail(std::string path);
  Tail(const Tail&) = delete;
  Tail& operator=(const Tail&) = delete;
  ~Tail();

  /// Whether the input is a regular file, which has no end: bytes may be appended, and after a rotation another file
  /// has its name. poll(2) cannot wait for either.
  bool is_file() const { return file_; }
  int descriptor() const { return descriptor_; }

  struct Got {
    enum class What { bytes, nothing, restarted, ended } what = What::nothing;
    std::string_view bytes = {};
    int error = 0;  ///< errno if the input ended because of an error, else 0.
  };
  /// Reads into `buffer` what is available, without waiting. `restarted`: the file was replaced or emptied, and the
  /// next read begins at its start.
  Got read(char* buffer, std::size_t size);

 private:
  bool restart();
  bool begin_anew();
  bool is_another_content() const;
  void remember(std::string_view bytes);

  std::string path_;
  int descriptor_ = -1;
  bool file_ = false;
  bool at_end_ = false;        ///< The last read returned no bytes.
  off_t place_ = 0;            ///< Number of bytes read of the current file.
  std::string head_, before_;  ///< The first and the last bytes read of the current file.
};

}  // namespace nccl_analyze
