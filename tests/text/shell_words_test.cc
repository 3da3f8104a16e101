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

TEST_CASE("shell words: a command that pages name has an end, and no hook") {
  const auto shown = [](std::vector<const char*> words) { return shown_command("nccl-analyze", words); };
  CHECK(shown({"-f", "html", "--on-finding", "curl -H 'token'", "a b"}) ==
        "nccl-analyze -f html --on-finding ... 'a b'");
  CHECK(shown({"--on-finding=curl token", "-"}) == "nccl-analyze --on-finding=... -");
  const std::string many = shown(std::vector<const char*>(5000, "worker.log"));
  CHECK(many.size() < 2100);
  CHECK(many.ends_with(" more words"));
}

}  // namespace nccl_analyze::test
