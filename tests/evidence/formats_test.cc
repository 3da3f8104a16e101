// Tests that the parser passes the first line of every format on to its reader.

#include "evidence/formats.h"

#include "catch.h"
#include "text/line_scan.h"

namespace nccl_analyze::evidence {

TEST_CASE("evidence: every sign holds a keyword, so that the parser reads the line") {
  for (const Format& format : line_formats()) {
    INFO(format.sign);
    CHECK(line_scans().front()->find(keywords, format.sign, 0));
  }
}

}  // namespace nccl_analyze::evidence
