// Tests that JSON of any origin is parsed in linear time, with limits, and with the place of each object.

#include "evidence/json_parse.h"

#include <string>

#include "catch.h"
#include "evidence/json_values.h"

namespace nccl_analyze::evidence {

TEST_CASE("evidence: objects have the place behind their brace") {
  const auto document = parse_json("{\"a\":\n[{\"b\":1},\n\n{\"b\":2}],\"c\":{}}");
  REQUIRE(document);
  CHECK(place_of(*document) == 1);
  CHECK(place_of(list(*document, "a")[0]) == 8);
  CHECK(place_of(list(*document, "a")[1]) == 18);
  CHECK(place_of(object(*document, "c")) == 0);
  CHECK(object(*document, "c").empty());
}

TEST_CASE("evidence: unread members and deep values are left out") {
  const auto document = parse_json(R"({"env":{"a":[1,{"b":2}]},"x":1,"args":["s"],"y":[2],"env":7})");
  REQUIRE(document);
  CHECK_FALSE(document->contains("env"));
  CHECK_FALSE(document->contains("args"));
  CHECK(integer(*document, "x") == 1);
  CHECK(list(*document, "y").size() == 1);
  const auto deep = parse_json(R"({"d":)" + std::string(5000, '[') + "1" + std::string(5000, ']') + R"(,"x":1})");
  REQUIRE(deep);
  CHECK(integer(*deep, "x") == 1);
}

TEST_CASE("evidence: no JSON, and more values than the limit") {
  for (const char* text : {"", "{", "{\"a\":}", "[1,", "nul", "{\"a\":1}x", "{\"a\":\"\xff\"}", "[1e999]"}) {
    INFO(text);
    CHECK_FALSE(parse_json(text));
  }
  std::string many = "[";
  for (int i = 0; i < 300'000; ++i) many += "{\"a\":1},";
  CHECK(parse_json(many + "0]"));  // in linear time
  std::string ones = "[";
  for (int i = 0; i < (1 << 22); ++i) ones += "1,";
  CHECK_FALSE(parse_json(ones + "1]"));
  CHECK(parse_json("{\"frames\":" + ones + "1]}"));
}

}  // namespace nccl_analyze::evidence
