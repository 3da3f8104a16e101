#pragma once
// Deduplicates the texts that many processes print.

#include <array>
#include <string_view>

#include "model/flat_tables.h"
#include "nccl_analyze/containers.h"

namespace nccl_analyze::builder {

class SharedTexts {
 public:
  Text shared(std::string_view text);

 private:
  Table<Text> texts_;
  IndexTable index_;
  std::array<Text, 256> recent_;  ///< Cache indexed by the address of the text.
};

}  // namespace nccl_analyze::builder
