// Fuzzes the message cache and the compiled rows, whose results must equal those of the tree of all rows. The first two
// bytes select a row, and the other bytes change its example, because random bytes alone are hardly ever a message.

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "messages/message_cache.h"
#include "nccl_analyze/parser.h"
#include "nccl_analyze/report.h"
#include "row_example.h"

namespace nccl_analyze {
namespace {

std::vector<std::string> examples() {
  std::vector<std::string> all;
  for (const Family& family : all_families())
    for (const Row& row : family.rows)
      if (row.hot != nullptr || all.size() % 8 == 0) all.push_back(examples_of(row).front());
  return all;
}

std::string message_of(std::string_view bytes) {
  static const std::vector<std::string> all = examples();
  if (bytes.size() < 4) return std::string(bytes);
  const auto byte = [&](std::size_t at) { return static_cast<std::size_t>(static_cast<unsigned char>(bytes[at])); };
  std::string message(all[(byte(0) * 256 + byte(1)) % all.size()]);
  const std::size_t at = byte(2) % (message.size() + 1);
  message.replace(at, std::min(byte(3) % 8, message.size() - at), bytes.substr(4));
  return message;
}

std::string told(const Row* row, const Event& event) {
  std::ostringstream out;
  Record record;
  record.event = event;
  write_event(out, record);
  return out.str() + (row == nullptr ? std::string() : std::string(row->wording));
}

}  // namespace
}  // namespace nccl_analyze

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace nccl_analyze;
  static MessageCache cache(standard_matcher());
  const std::string message = message_of({reinterpret_cast<const char*>(data), size});
  Event event;
  const Row* const row = standard_matcher().match(message, event);
  const std::string expected = told(row, event);
  for (int round = 0; round < 2; ++round) {  // The second match may come from the cache.
    const std::vector<char> exact(message.begin(), message.end());
    Event quick;
    const Row* const found = cache.match({exact.data(), exact.size()}, quick).row;
    if (told(found, quick) != expected) std::abort();
  }
  return 0;
}
