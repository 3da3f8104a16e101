// Tests the wrapping of text and Markdown at the width of a page.

#include "text/wrap.h"

#include <algorithm>
#include <sstream>
#include <string>

#include "catch.h"
#include "text/escape.h"

namespace nccl_analyze::test {
namespace {

std::size_t widest_line(const std::string& written) {
  std::istringstream lines{written};
  std::size_t widest = 0;
  for (std::string each; std::getline(lines, each);) widest = std::max(widest, columns(each));
  return widest;
}

}  // namespace

TEST_CASE("wrap: words wrap at the page's width") {
  std::string words;
  for (int i = 0; i < 60; ++i) words += "wörter ";
  CHECK(widest_line(wrap(words, 10, 4)) <= page_columns);
  CHECK(wrap("a  b", 0, 0) == "a  b");
  CHECK(wrap(" \n", 0, 0).empty());
  CHECK(wrap_markdown("one\ntwo\n\n- a\n  b\n- c\n```\ncode  here\n```\nend", 2, "\n\n") ==
        "  one two\n\n  - a b\n  - c\n\n      code  here\n\n  end");
  CHECK(wrap_markdown("", 2, "\n").empty());
}

TEST_CASE("wrap: code between backticks stays in one piece") {
  CHECK(wrap_markdown("see `a b c d` now", 0, "\n", 12) == "see\n`a b c d`\nnow");
  CHECK(wrap_markdown("see `a b c d e f g` now", 0, "\n", 12) == "see\n`a b c d e f g`\nnow");
  CHECK(wrap_markdown("an odd ` mark is a word", 0, "\n", 12) == "an odd `\nmark is a\nword");
  CHECK(wrap("plain `a b c d` text", 0, 0, 12) == "plain `a b c\nd` text");
}

TEST_CASE("wrap: a number within a sentence is no list item") {
  CHECK(wrap_markdown("1. No firewall on UDP\n   4791. InfiniBand: a subnet manager\n2. next", 0, "\n") ==
        "1. No firewall on UDP 4791. InfiniBand: a subnet manager\n2. next");
  CHECK(wrap_markdown("Two steps:\n1. one\n2. two", 0, "\n") == "Two steps:\n1. one\n2. two");
  CHECK(wrap_markdown("1. a\n   1. b\n   2. c\n2. d", 0, "\n") == "1. a\n   1. b\n   2. c\n2. d");
  CHECK(wrap_markdown("1. a:\n   1. b\n   2. c\n2. d", 0, "\n") == "1. a:\n   1. b\n   2. c\n2. d");
}

TEST_CASE("wrap: code blocks keep their lines") {
  CHECK(wrap_markdown("Set:\n\n    A=1\n    B=2\n\nThen\ngo.", 0, "\n") == "Set:\n    A=1\n    B=2\nThen go.");
  CHECK(wrap_markdown("1. Mount:\n\n       volumes:\n         - name: shm\n\n2. next\n   line", 2, "\n") ==
        "  1. Mount:\n         volumes:\n           - name: shm\n  2. next line");
  CHECK(wrap_markdown("1. Mount:\n   ```yaml\n   volumes:\n     - name: shm\n\n   x: 1\n   ```\n   It counts.\n2. next",
                      0, "\n\n") ==
        "1. Mount:\n\n       volumes:\n         - name: shm\n\n       x: 1\n\n   It counts.\n2. next");
  CHECK(wrap_markdown("a\n\n  b c", 0, "\n") == "a\nb c");
  CHECK(wrap_markdown("```\nnever closed", 0, "\n") == "    never closed");
  CHECK(wrap_markdown("1. **Pod.** Set `a**b` and **c\n\n       keep `this`", 0, "\n", 100, true) ==
        "1. \x1b[1mPod.\x1b[22m Set \x1b[36ma**b\x1b[39m and **c\n       keep `this`");
}

TEST_CASE("wrap: Markdown reads as on the page") {
  CHECK(wrap_markdown("a \\* b *c* `` d`e `` **f**\\\ng", 0, "\n") == "a * b *c* `d`e` **f** g");
  CHECK(wrap_markdown("see [the page](https://a.b/c) and <https://a.b>", 0, "\n") ==
        "see the page (https://a.b/c) and https://a.b");
  CHECK(wrap_markdown("rank <rank> of\n\n<comm>\n", 0, "\n") == "rank <rank> of\n<comm>");
  CHECK(wrap_markdown("- a\n\n  b\n\n- c\n-\n1. d", 2, "\n\n") == "  - a\n\n    b\n\n  - c\n  - \n  1. d");
  CHECK(wrap_markdown("- - a\n  - b\n\n      code", 0, "\n") == "- - a\n  - b\n    code");
}

TEST_CASE("wrap: markup of any depth, and bytes that are no text") {
  std::string deep;
  for (int i = 0; i < 20000; ++i) deep += "> - ";
  CHECK_FALSE(wrap_markdown(deep + "a", 0, "\n").empty());
  CHECK(wrap_markdown(std::string(20000, '['), 0, "\n") == std::string(20000, '['));
  CHECK(wrap_markdown("a\x1b[31m\xff`\x07`", 0, "\n").find_first_of("\x1b\x07\xff") == std::string::npos);
}

}  // namespace nccl_analyze::test
