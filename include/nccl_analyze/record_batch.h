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
/// cleared nor destroyed, and what it borrows lives; moving it moves no text.
class RecordBatch {
 public:
  void add(const Record& record);
  /// What is part of these bytes is not copied from now on: they must live as long as the records.
  void borrow(std::string_view bytes) { borrowed_ = bytes; }
  /// Empties it and borrows nothing; its memory is kept for what is added next.
  void clear();
  /// All records are of this source, so many lines further on.
  void move_to(SourceId source, std::uint64_t lines_before = 0);

  const std::vector<Record>& records() const { return records_; }

 private:
  std::string_view keep(std::string_view text);

  std::vector<Record> records_;
  std::string_view borrowed_;
  struct Block {
    std::unique_ptr<char[]> bytes;
    std::size_t size = 0, used = 0;
  };
  std::vector<Block> blocks_;
  std::size_t open_ = 0;  ///< The block that is filled.
};

}  // namespace nccl_analyze
