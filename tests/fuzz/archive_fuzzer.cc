// Fuzzes the unpacking of logs and archives: each source ends before the next one begins, and unpacking stops at the
// limits.

#include <cstdint>
#include <cstdlib>
#include <optional>

#include "fuzz.h"
#include "input/unpack.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace nccl_analyze;
  std::string_view bytes = fuzz::view_of(data, size);
  const std::string_view head = bytes.substr(0, packed_magic_size);
  if (!looks_packed(head)) return 0;
  bytes.remove_prefix(head.size());
  bool open = false;
  std::uint64_t unpacked = 0;
  const auto require = [](bool holds) {
    if (!holds) std::abort();
  };
  const SourceSink sink{.begin =
                            [&](std::string_view) {
                              require(!open);
                              open = true;
                            },
                        .bytes =
                            [&](std::string_view more) {
                              require(open);
                              unpacked += more.size();
                              return true;
                            },
                        .end =
                            [&] {
                              require(open);
                              open = false;
                            },
                        .failed = [&](const std::string& sentence) { require(!sentence.empty()); },
                        .wait = nullptr};
  const NextBlock more = [&]() -> std::optional<std::string_view> {
    const std::string_view block = bytes.substr(0, 100);
    bytes.remove_prefix(block.size());
    return block;
  };
  constexpr std::uint64_t most = std::uint64_t{1} << 22U;
  unpack("a", head, more, sink, {.bytes = most, .ratio = 1, .members = 1000});
  // The block that exceeds the limit is not delivered.
  require(!open && unpacked <= most + size);
  return 0;
}
