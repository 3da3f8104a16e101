// Tests lines that web pages, editors, terminals or JSON have changed.

#include "text/markup.h"

#include <string>

#include "catch.h"
#include "text/decoration.h"
#include "text/lines.h"

namespace nccl_analyze::test {

TEST_CASE("text: what people write behind a line") {
  CHECK(without_notes("x 0[0] via NET/IB/0   \xe2\x94\x82") == "x 0[0] via NET/IB/0");
  CHECK(without_notes("Using network Socket  # \xe2\x86\x90 here") == "Using network Socket");
  CHECK(without_notes("plain # words") == "plain # words");
  CHECK(without_notes("Using network Socket<br />") == "Using network Socket");
  CHECK(without_notes("Using network Socket </code></p>") == "Using network Socket");
  CHECK(without_notes("Bootstrap : Using eth0:10.0.0.11<0>") == "Bootstrap : Using eth0:10.0.0.11<0>");
  CHECK(without_notes("wait for <rank>") == "wait for <rank>");
  CHECK(without_cut_mark("24 coll chan$") == "24 coll chan");
  CHECK(without_cut_mark("24 coll chan\xe2\x80\xa6") == "24 coll chan");
  CHECK(without_tag("init.cc:15 -> 5   [1,1]<stdout>:") == "init.cc:15 -> 5");
  CHECK(without_tag("w-0<stdout>:") == "w-0<stdout>:");
  CHECK(without_markup("[net.cc:11](http://net.cc:11) -> 6") == "net.cc:11 -> 6");
  CHECK(without_markup("a **bold** word, start(plugin_t**):12 and ***:***") ==
        "a bold word, start(plugin_t**):12 and ***:***");
}

TEST_CASE("text: what pages and editors make of a line") {
  CHECK(has_markup("0[0] -&gt; 1[0]"));
  CHECK_FALSE(has_markup("w:1:2 [0] NCCL INFO Channel 00/0 : 0[0] -> 1[0] via P2P/CUMEM"));
  CHECK(without_markup("w:1:2 \\[0\\] NCCL INFO a -&gt; b &lt;0&gt;<br>") == "w:1:2 [0] NCCL INFO a -> b <0>");
  CHECK(without_markup("Cuda failure &#x27;out of memory&apos; (2) &#60;0&#62;") ==
        "Cuda failure 'out of memory' (2) <0>");
  CHECK(without_notes("a -> 3&nbsp;</p>") == "a -> 3");
  CHECK(without_markup("[0]\xc2\xa0NCCL INFO a \xe2\x86\x92 b") == "[0] NCCL INFO a -> b");
  std::string scratch;
  for (const std::string_view escape : {"", "#033", "^[", "\\x1b", "\\u001b", "\xef\xbf\xbd"})
    CHECK(strip_bare_colours(std::string(escape) + "[32mw-0 [0] x" + std::string(escape) + "[0m", scratch) ==
          "w-0 [0] x");
  CHECK(strip_bare_colours("w-0 [0m] x", scratch) == "w-0 [0m] x");
}

TEST_CASE("text: escape sequences go, text stays") {
  std::string scratch;
  CHECK(strip_escapes("plain", scratch) == "plain");
  CHECK(strip_escapes("\x1b[36m(w)\x1b[0m a\x1b]0;title\x07"
                      "b\x1b",
                      scratch) == "(w) ab");
  CHECK(strip_escapes("a\x1b[", scratch) == "a");
}

TEST_CASE("text: a record inside a JSON object") {
  std::string scratch;
  CHECK(unwrap_json(R"({"log":"w:1:2 [0] NCCL INFO a \"b\" \\ \u00e9\ud83d\ude00\n","stream":"stdout"})", scratch) ==
        "w:1:2 [0] NCCL INFO a \"b\" \\ \xc3\xa9\xf0\x9f\x98\x80\n");
  CHECK(unwrap_json(R"({"time":"x","msg":"NCCL INFO x"})", scratch) == "NCCL INFO x");
  const std::string_view untouched[] = {"{}", "{\"", R"({"log":"NCCL INFO x)", R"({"a":"\)", "NCCL INFO {\"a\":1}"};
  for (const std::string_view line : untouched) CHECK(unwrap_json(line, scratch) == line);
  CHECK(unwrap_json(R"({"log":"NCCL INFO \ud800\u00 \udc00x"})", scratch) == "NCCL INFO u00 x");
}

TEST_CASE("text: JSON of any shape") {
  std::string scratch;
  CHECK(unwrap_json(R"(    "message": "w:1:2 [0] NCCL INFO x",)", scratch) == "w:1:2 [0] NCCL INFO x");
  CHECK(unwrap_json(R"(2025-12-28T16:00:00Z {"log": "w:1:2 [0] NCCL INFO x"})", scratch) == "w:1:2 [0] NCCL INFO x");
  CHECK(unwrap_json(R"("2025-12-28","w:1:2 [0] NCCL INFO x")", scratch) == "w:1:2 [0] NCCL INFO x");
  CHECK(json_text(R"({"stream":"stdout","log":"rest\n"})", scratch) == "rest\n");
  constexpr std::string_view keys[] = {"pod_name", "pod"};
  CHECK(json_member(R"({"kubernetes":{"pod_name":"train-0"},"pod":"other"})", keys) == "train-0");
  CHECK(json_member(R"({"log":"pod_name"})", keys).empty());
}

}  // namespace nccl_analyze::test
