#pragma once
/// An input that is still written.

#include <sys/types.h>

#include <cstddef>
#include <string>
#include <string_view>

namespace nccl_analyze {

class Tail {
 public:
  /// Standard input when `path` is "-". Throws Failure when it cannot be opened.
  explicit Tail(std::string path);
  Tail(const Tail&) = delete;
  Tail& operator=(const Tail&) = delete;
  ~Tail();

  /// A file has no end: more may be appended, and a rotated one goes on under its name. poll(2) cannot wait for that.
  bool is_file() const { return file_; }
  int descriptor() const { return descriptor_; }

  struct Got {
    enum class What { bytes, nothing, restarted, ended } what = What::nothing;
    std::string_view bytes = {};
    int error = 0;  ///< Why it ended, when it could not be read.
  };
  /// What is there now; never waits. `restarted`: the file is another one now, or was emptied, and is read from its
  /// start.
  Got read(char* buffer, std::size_t size);

 private:
  bool restart();
  bool begin_anew();
  bool is_another_content() const;
  void remember(std::string_view bytes);

  std::string path_;
  int descriptor_ = -1;
  bool file_ = false;
  bool at_end_ = false;        ///< The last read found nothing.
  off_t place_ = 0;            ///< Bytes read of the file as it is now.
  std::string head_, before_;  ///< The first of them, and the last.
};

}  // namespace nccl_analyze
