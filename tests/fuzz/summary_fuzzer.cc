// Fuzzes summaries: the report of a summary that was written and read back equals the report of the log, and so does
// that of summaries of parts of two logs, merged as a tree.

#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fuzz.h"
#include "summarised.h"

namespace {

void compare(const std::string& whole, const std::string& again) {
  if (whole == again) return;
  std::cerr << whole << "\n--- of the summary:\n" << again;
  std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace nccl_analyze;
  const std::string_view bytes = fuzz::view_of(data, size);
  const auto [whole, again] = fuzz::reports_of(bytes);
  compare(whole, again);

  test::Random random(static_cast<unsigned>(size));
  const std::size_t middle = size == 0 ? 0 : random() % size;
  const std::vector<test::NamedLog> logs{{"a.log", std::string(bytes.substr(0, middle))},
                                         {"b.log", std::string(bytes.substr(middle))}};
  std::vector<std::string> summaries;
  for (const test::NamedLog& log : logs)
    for (std::string& part : test::summaries_of_parts(log, 1 + random() % 4, random))
      summaries.push_back(std::move(part));
  compare(test::report_of(logs), test::report_of(test::merged_as_tree(summaries, random)));
  return 0;
}
