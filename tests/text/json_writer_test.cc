// Tests the layout of JSON in blocks and lines.

#include "text/json_writer.h"

#include <sstream>

#include "catch.h"

namespace nccl_analyze::test {

TEST_CASE("JSON writer: the JSON writer lays out blocks and lines") {
  std::ostringstream out;
  JsonWriter json{out};
  json.begin_object();
  json.member("a", 0.1);
  json.begin_array("none");
  json.end();
  json.begin_object("row", Layout::line);
  json.member("b", true);
  json.begin_array("c");
  json.value(std::int16_t{1});
  json.value(known(-1));
  json.end();
  json.member("d", known(Hex{0}));
  json.member("e", Hex{27});
  json.end();
  json.end();
  json.finish();
  CHECK(out.str() ==
        "{\n  \"a\": 0.1,\n  \"none\": [],\n  \"row\": {\"b\": true, \"c\": [1, null], \"d\": null, \"e\": "
        "\"0x1b\"}\n}\n");
}

}  // namespace nccl_analyze::test
