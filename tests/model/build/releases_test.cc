// Tests that the version that a process prints is among the releases that the wording of its messages allows.

#include <cstdio>
#include <string>
#include <utility>

#include "catch.h"
#include "nccl_analyze/analyzer.h"
#include "nccl_analyze/event.h"
#include "nccl_analyze/report.h"
#include "nccl_analyze/requirements.h"
#include "testdata.h"

namespace nccl_analyze {

TEST_CASE("releases: no process prints a wording that its version does not have") {
  std::size_t dated = 0;
  for (const std::string kind : {"jobs", "rules", "damaged"}) {
    for (const Case& test : cases(kind)) {
      ModelBuilder builder;
      std::uint32_t source = 0;
      for (const auto& log : test.logs) {
        Parser parser(SourceId{source++}, [&](const Record& record) { builder.add(record); });
        parser.feed(read_file(log));
        parser.finish();
      }
      const Model model = std::move(builder).build();
      for (const Process& process : model.processes) {
        int minor = 0;
        if (process.library != "NCCL" || std::sscanf(process.version.view().data(), "2.%d.", &minor) != 1) continue;
        INFO(test.name << " " << process.host.view() << ":" << process.pid << " " << process.version.view());
        CHECK(process.releases.since <= 200 + minor);
        CHECK((process.releases.until == 0 || process.releases.until >= 200 + minor));
        dated += process.releases.since != 0;
      }
    }
  }
  CHECK(dated > 100);
}

}  // namespace nccl_analyze
