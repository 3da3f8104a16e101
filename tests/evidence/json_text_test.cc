// Tests that members of objects are quoted from the lines that hold them, in linear time.

#include "evidence/json_text.h"

#include <string>

#include "catch.h"
#include "evidence/json_parse.h"

namespace nccl_analyze::evidence {
namespace {

SourceQuote shown_in(const std::string& text, std::initializer_list<std::string_view> keys,
                     const char* inside = nullptr, std::uint64_t lines_before = 0) {
  const auto document = parse_json(text);
  REQUIRE(document);
  JsonText source(text, lines_before);
  return source.shown(inside == nullptr ? *document : object(*document, inside), keys);
}

}  // namespace

TEST_CASE("json text: the line of a member, and those of others behind it") {
  const std::string text = "{\n  \"a\": {\"b\": 0},\n  \"b\": \"x\\\"\",\n  \"c\": [\n    1\n  ]\n}\n";
  CHECK(shown_in(text, {"b"}).line == 3);
  CHECK(shown_in(text, {"b"}).text == "\"b\": \"x\\\"\",");
  CHECK(shown_in(text, {"c", "b"}, nullptr, 10).line == 13);
  CHECK(shown_in(text, {"c", "b"}).text == "\"b\": \"x\\\"\", ... \"c\": [");
  CHECK(shown_in(text, {"b"}, "a").line == 2);
  CHECK(shown_in(text, {"missing"}).line == 1);
  CHECK(shown_in(text, {"missing"}).text.empty());
}

TEST_CASE("json text: of a long line the members themselves") {
  const std::string text =
      "{\"first\":\"" + std::string(400, '.') + "\",\"x\":17,\"y\":[1],\"z\":\"" + std::string(400, '.') + "\"}";
  CHECK(shown_in(text, {"x"}).text == "…\"x\":17…");
  CHECK(shown_in(text, {"y", "x"}).text == "…\"x\":17 ... \"y\":[…");
  CHECK(shown_in(text, {"z"}).text.size() <= max_shown + 2 * std::string("…").size());
}

TEST_CASE("json text: searches of one document together are limited") {
  std::string text = "{";
  for (int i = 0; i < 2000; ++i) text += "\"key" + std::to_string(i) + "\":0,";
  text += "\"last\":1}";
  const auto document = parse_json(text);
  REQUIRE(document);
  JsonText source(text);
  std::size_t found = 0;
  for (int i = 0; i < 1000; ++i)
    if (!source.shown(*document, {"last"}).text.empty()) ++found;
  CHECK(found > 10);
  CHECK(found < 20);
}

}  // namespace nccl_analyze::evidence
