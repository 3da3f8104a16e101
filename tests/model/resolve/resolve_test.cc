#include "model/resolve/resolve.h"

#include <set>
#include <string_view>

#include "catch.h"

namespace nccl_analyze {

TEST_CASE("resolve: every pass stands in the table once", "[model]") {
  std::set<std::string_view> names;
  std::set<void (*)(builder::BuilderState&)> functions;
  for (const builder::Pass& pass : builder::passes()) {
    CHECK(names.insert(pass.name).second);
    CHECK(functions.insert(pass.run).second);
  }
}

}  // namespace nccl_analyze
