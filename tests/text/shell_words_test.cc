// Tests that a shell splits joined words again into the same words.

#include "text/shell_words.h"

#include <string>
#include <vector>

#include "catch.h"

namespace nccl_analyze::test {

TEST_CASE("shell words: what a shell would change is quoted") {
  const auto joined = [](std::vector<const char*> words) { return shell_words(words); };
  CHECK(joined({}).empty());
  CHECK(joined({"nccl-analyze", "-f", "html", "--expect=ranks=16,gdr", "/logs/a_b.log"}) ==
        "nccl-analyze -f html --expect=ranks=16,gdr /logs/a_b.log");
  CHECK(joined({"", "a b", "*.log", "~", "#1", "$HOME", "a\nb"}) == "'' 'a b' '*.log' '~' '#1' '$HOME' 'a\nb'");
  CHECK(joined({"it's"}) == R"('it'\''s')");
}

}  // namespace nccl_analyze::test
