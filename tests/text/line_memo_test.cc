// Tests what is remembered of lines, and for which lines.

#include "text/line_memo.h"

#include <string>
#include <string_view>

#include "catch.h"

namespace nccl_analyze::test {

TEST_CASE("text: what was computed for a line is computed again only for another line, or a long one") {
  for (const bool on : {true, false}) {
    LineMemo<std::string> memo(on);
    int made = 0;
    const auto look_up = [&](std::string_view text) {
      return memo(text, [&](std::string_view copy) {
        ++made;
        return std::string(copy);
      });
    };
    const auto count_of_three = [&](const std::string& text) {
      made = 0;
      for (int i = 0; i < 3; ++i) CHECK(look_up(text) == text);
      return made;
    };
    CHECK(count_of_three("RuntimeError: 1") == (on ? 1 : 3));
    CHECK(count_of_three("") == (on ? 1 : 3));
    CHECK(count_of_three(std::string(1024, 'x')) == (on ? 1 : 3));
    CHECK(count_of_three(std::string(1025, 'x')) == 3);
  }
}

}  // namespace nccl_analyze::test
