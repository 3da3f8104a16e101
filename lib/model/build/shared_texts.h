#pragma once
// One copy of each text that many processes print alike.

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
  std::array<Text, 256> recent_;  ///< A cache of some texts by the address of the record's letters.
};

}  // namespace nccl_analyze::builder
