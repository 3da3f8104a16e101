// Tests the conversion of UTF-16 to UTF-8.

#include "text/encoding.h"

#include <string>

#include "catch.h"

namespace nccl_analyze::test {

TEST_CASE("text: UTF-16 becomes UTF-8, everything else stays") {
  const auto decode = [](std::string_view bytes, std::size_t chunk) {
    Decoder decoder;
    std::string out;
    const auto take = [&out](std::string_view text) { out += text; };
    for (std::size_t at = 0; at < bytes.size(); at += chunk) decoder.feed(bytes.substr(at, chunk), take);
    decoder.finish(take);
    return out;
  };
  const std::string little{"\xff\xfew\0:\0\xe9\0\x3d\xd8\x00\xde\n\0", 14};
  const std::string big{"\0w\0:\0\xe9\xd8\x3d\xde\x00\0\n", 12};
  for (const std::size_t chunk : {std::size_t{1}, std::size_t{2}, std::size_t{3}, std::size_t{100}}) {
    CHECK(decode(little, chunk) == "w:\xc3\xa9\xf0\x9f\x98\x80\n");
    CHECK(decode(big, chunk) == "w:\xc3\xa9\xf0\x9f\x98\x80\n");
    CHECK(decode("\xef\xbb\xbfw:1", chunk) == "w:1");
    CHECK(decode("plain \xff bytes", chunk) == "plain \xff bytes");
    CHECK(decode("w", chunk) == "w");
    CHECK(decode("", chunk).empty());
  }
  CHECK(decode({"\xff\xfe\x3d\xd8w\0", 6}, 6) == "w");  // Half of a surrogate pair is dropped.
}

}  // namespace nccl_analyze::test
