#pragma once
/// Returns the records of one line, for tests.

#include <vector>

#include "catch.h"
#include "text/prefix.h"

namespace nccl_analyze::test {

inline std::vector<RecordView> records(std::string_view line) {
  std::vector<RecordView> found;
  find_records(line, found);
  return found;
}

inline RecordView one(std::string_view line) {
  const auto found = records(line);
  REQUIRE(found.size() == 1);
  return found.front();
}

}  // namespace nccl_analyze::test
