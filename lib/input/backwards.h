#pragma once
/// Reads a log that is newest first from its last line to its first.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "nccl_analyze/model/line.h"

namespace nccl_analyze {

/// Passes on the entries of a log from the last to the first. An entry of a log store may have several lines, but only
/// its first line has a time, so the lines of an entry keep their order. An entry of more than 1 MiB is split at line
/// ends into parts of about 1 MiB, which count as entries. Memory: a few blocks.
class ReverseReader {
 public:
  /// Reads up to `size` bytes at an offset. Returns how many it read; 0 at the end and on an error.
  using ReadAt = std::function<std::size_t(char* to, std::size_t size, std::uint64_t offset)>;

  /// `read` must outlive this object; `size` is the size of the log.
  ReverseReader(const ReadAt& read, std::uint64_t size) : read_(read), size_(size) {}

  /// Passes on all lines, each with a newline, until `bytes` returns false.
  void pass(const std::function<bool(std::string_view)>& bytes);
  /// Returns the place in the log of each line that was passed on.
  const LinePlaces& places() const { return places_; }

 private:
  std::uint64_t count_lines();
  bool load(std::uint64_t end);
  std::uint64_t start_of_line(std::uint64_t end);
  bool is_first_of_entry(std::uint64_t start, std::uint64_t end);
  bool append(std::uint64_t start, std::uint64_t end, const std::function<bool(std::string_view)>& bytes);

  const ReadAt& read_;
  std::uint64_t size_;
  std::string block_;  ///< Bytes of the log from `block_at_` on.
  std::uint64_t block_at_ = 0;
  std::string out_;  ///< Lines that have not been passed on yet.
  LinePlaces places_;
};

}  // namespace nccl_analyze
