// Tests that splits in the wording of NCCL 2.31, whose lines have the communicator's id, give the model that the
// wording before gives: each log of the test data with a split is rewritten.

#include <re2/re2.h>

#include <filesystem>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "catch.h"
#include "model_of.h"
#include "nccl_analyze/rule.h"
#include "testdata.h"

namespace nccl_analyze {
namespace {

/// The log as NCCL 2.31 prints it (src/init.cc).
std::string as_2_31(std::string log) {
  RE2::GlobalReplace(
      &log,
      R"((busId [0-9a-f]+) parent (0x[0-9a-f]+) (?:splitCount|childCount) ([0-9]+) color ([0-9]*?([0-9]{1,6})) key (-?[0-9]+) ?- Init)",
      R"(\1 commId 0xabcdef0\3\5 parent \2 childCount \3 color \4 key \6 - Init)");
  RE2::GlobalReplace(&log, R"((busId [0-9a-f]+) - (Abort|Destroy) )", R"(\1 commId 0x1 - \2 )");
  RE2::GlobalReplace(&log, R"(NCCL version 2\.[0-9]+\.[0-9]+)", "NCCL version 2.31.2");
  return log;
}

using Shape = std::tuple<int, Index, int, std::int64_t, std::string, int, std::vector<std::string>, std::vector<int>>;

std::vector<Shape> shape_of(const Model& model) {
  std::vector<Shape> shape;
  for (const Communicator& comm : model.communicators) {
    std::vector<int> ranks;
    for (const Rank& rank : comm.ranks) {
      ranks.push_back(rank.rank);
      ranks.push_back(static_cast<int>(rank.process));
      ranks.push_back(static_cast<int>(rank.state));
    }
    shape.emplace_back(comm.nranks, comm.parent, comm.split_count, comm.color, comm.created_by, comm.channels,
                       comm.transports, ranks);
  }
  return shape;
}

std::vector<std::pair<std::string_view, Severity>> findings_of(const Model& model) {
  std::vector<std::pair<std::string_view, Severity>> found;
  for (const Finding& finding : analyze(model, all_rules()).findings)
    found.emplace_back(finding.rule->name, finding.severity());
  return found;
}

}  // namespace

TEST_CASE("model: splits in the wording of NCCL 2.31 give the same communicators and findings") {
  int rewritten = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(source_folder() / "testdata")) {
    if (entry.path().extension() != ".log") continue;
    const std::string log = read_file(entry.path());
    const std::string newer = as_2_31(log);
    if (newer.find(" commId 0xabcdef0") == std::string::npos) continue;
    ++rewritten;
    INFO(entry.path().string());
    const Model before = model_of(log), after = model_of(newer);
    CHECK(shape_of(after) == shape_of(before));
    CHECK(findings_of(after) == findings_of(before));
    CHECK(after.unrecognized.size() == before.unrecognized.size());
  }
  CHECK(rewritten >= 4);
}

}  // namespace nccl_analyze
