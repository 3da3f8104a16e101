// Tests coverage by version: every record counts for the version that its process printed, and versions sort as
// numbers.

#include "model/versions.h"

#include <string>
#include <utility>

#include "catch.h"
#include "nccl_analyze/analyzer.h"
#include "nccl_analyze/event.h"
#include "nccl_analyze/report.h"
#include "nccl_analyze/requirements.h"

namespace nccl_analyze {
namespace {

Model model_of(std::initializer_list<std::string> logs, ModelLimits limits = {}) {
  ModelBuilder builder(limits);
  std::uint32_t number = 0;
  for (const std::string& log : logs) {
    const SourceId source{number++};
    Parser parser(source, [&](const Record& record) { builder.add(record); });
    parser.feed(log);
    parser.finish();
    builder.add_source(source, "log", parser.stats());
  }
  return std::move(builder).build();
}

std::string shown(const Model& model) {
  std::string text;
  for (const VersionLines& lines : model.versions)
    text += lines.library + ' ' + lines.version + ": " + std::to_string(lines.unrecognized) + " of " +
            std::to_string(lines.nccl_lines) + "\n";
  return text;
}

}  // namespace

TEST_CASE("versions: runs of digits compare as numbers") {
  CHECK(lower_version("2.4.8", "2.18.3"));
  CHECK_FALSE(lower_version("2.18.3", "2.4.8"));
  CHECK(lower_version("2.18", "2.18.1"));
  CHECK(lower_version("2.18.3", "2.18.3a"));
  CHECK(lower_version("2.99999999999999999999.1", "2.100000000000000000000"));
  CHECK_FALSE(lower_version("2.4", "2.4"));
  CHECK(lower_version("2.04", "2.4") != lower_version("2.4", "2.04"));
}

TEST_CASE("versions: a code that PyTorch misread means the release") {
  CHECK(meant_version("21.1.4") == "2.11.4");
  CHECK(meant_version("21.0.3") == "2.10.3");
  CHECK(meant_version("20.9.6") == "2.9.6");
  CHECK(meant_version("22.0.12") == "2.20.12");
  for (const char* const printed : {"2.11.4", "20.8.3", "2.7.8", "21.10.3", "21.1", "22.04", "30.1.4", "21.1.", "2"})
    CHECK(meant_version(printed) == printed);
  const Model model =
      model_of({"RuntimeError: NCCL error in: ProcessGroupNCCL.cpp:957, unhandled system error, NCCL "
                "version 21.0.3\nNCCL version 2.10.3+cuda11.3\nh:1:1 [0] NCCL INFO what is this\n"});
  CHECK(shown(model) == "NCCL 2.10.3: 1 of 3\n");
  REQUIRE(model.processes.size() == 1);
  CHECK(model.processes.front().version == "2.10.3");
}

TEST_CASE("versions: a release is a number") {
  CHECK(release_of("2.19.3") == 219);
  CHECK(release_of("2.4.8+cuda10") == 204);
  CHECK(release_of("1.14.0") == 0);
  CHECK(release_of("2.") == 0);
  CHECK(release_of("2.x") == 0);
  CHECK(release_of("") == 0);
}

TEST_CASE("versions: lines count for the version that their process reports, before it or after") {
  const Model model =
      model_of({"h:1:1 [0] NCCL INFO what is this\n"
                "h:1:1 [0] NCCL INFO NCCL version 2.27.3+cuda12.4\n"
                "h:2:2 [1] NCCL INFO NCCL version 2.4.8+cuda10.0\n"
                "h:2:2 [1] NCCL INFO cudaDriverVersion 12040\n",
                "h:1:1 [0] NCCL INFO what is this\n"
                "x:1:1 [0] NCCL INFO RCCL version 2.20.5+hip6.2\n"});
  CHECK(shown(model) ==
        "NCCL 2.4.8: 0 of 2\n"
        "RCCL 2.20.5: 0 of 1\n"
        "NCCL 2.27.3: 1 of 2\n"
        " : 1 of 1\n");
}

TEST_CASE("versions: a version line without prefix speaks for its source and counts itself") {
  const Model model = model_of(
      {"NCCL version 2.27.3+cuda12.4\nh:1:1 [0] NCCL INFO what is this\n", "h:1:1 [0] NCCL INFO what is this\n"});
  CHECK(shown(model) == "NCCL 2.27.3: 1 of 2\n : 1 of 1\n");
}

TEST_CASE("versions: lines of processes beyond the limit are not lost") {
  ModelLimits limits;
  limits.max_processes = 1;
  const Model model = model_of({"h:1:1 [0] NCCL INFO NCCL version 2.27.3+cuda12.4\n"
                                "h:2:2 [0] NCCL INFO NCCL version 2.27.3+cuda12.4\n"
                                "h:2:2 [0] NCCL INFO what is this\n"},
                               limits);
  CHECK(shown(model) == "NCCL 2.27.3: 0 of 1\n : 1 of 2\n");
}

}  // namespace nccl_analyze
