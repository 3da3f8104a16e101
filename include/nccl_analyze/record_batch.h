#pragma once
/// Records that outlive their lines: what one thread parsed, for another to use.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "nccl_analyze/parser.h"

namespace nccl_analyze {

/// Copies of records, in the order in which they were added. Every view in them lives as long as the batch is neither
/// cleared nor destroyed; moving it moves no text.
class RecordBatch {
 public:
  void add(const Record& record);
  /// Empties it; its memory is kept for what is added next.
  void clear();
  /// All records are of this source from now on.
  void move_to(SourceId source);

  const std::vector<Record>& records() const { return records_; }

 private:
  std::string_view keep(std::string_view text);

  std::vector<Record> records_;
  struct Block {
    std::unique_ptr<char[]> bytes;
    std::size_t size = 0, used = 0;
  };
  std::vector<Block> blocks_;
  std::size_t open_ = 0;  ///< The block that is filled.
};

}  // namespace nccl_analyze
