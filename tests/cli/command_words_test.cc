// Tests how --on-finding splits a command.

#include "cli/command_words.h"

#include "catch.h"

namespace nccl_analyze::test {

TEST_CASE("command words: quotes and backslashes, and nothing else") {
  using Words = std::vector<std::string>;
  CHECK(split_command("notify --to ops").value() == Words{"notify", "--to", "ops"});
  CHECK(split_command("  a\t b \n").value() == Words{"a", "b"});
  CHECK(split_command("").value().empty());
  CHECK(split_command("'a b' \"c d\" e\\ f").value() == Words{"a b", "c d", "e f"});
  CHECK(split_command("x'a b'y\"c\"").value() == Words{"xa byc"});
  CHECK(split_command("'' \"\"").value() == Words{"", ""});
  CHECK(split_command(R"('a\b' "a\"b\\" \')").value() == Words{R"(a\b)", R"(a"b\)", "'"});
  CHECK(split_command("$HOME *; `a` | b > c").value() == Words{"$HOME", "*;", "`a`", "|", "b", ">", "c"});
  CHECK(!split_command("'a"));
  CHECK(!split_command("\"a'"));
  CHECK(!split_command("a\\"));
}

}  // namespace nccl_analyze::test
