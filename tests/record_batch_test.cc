// A batch keeps what its records say when the lines are gone.

#include "nccl_analyze/record_batch.h"

#include <filesystem>
#include <memory>
#include <sstream>
#include <string>

#include "catch.h"
#include "nccl_analyze/export.h"
#include "testdata.h"

namespace nccl_analyze {
namespace {

/// Feeds the log from memory that is gone afterwards.
void parse(const std::string& log, const Parser::Sink& sink) {
  Parser parser{SourceId{3}, sink};
  for (std::size_t at = 0; at < log.size(); at += 1000) {
    const auto piece = std::make_unique<std::string>(log.substr(at, 1000));
    parser.feed(*piece);
  }
  parser.finish();
}

}  // namespace

TEST_CASE("a batch holds the records of every log as they were") {
  std::size_t logs = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(NCCL_ANALYZE_TESTDATA)) {
    if (entry.path().extension() != ".log") continue;
    INFO(entry.path());
    ++logs;
    const std::string log = read_file(entry.path());
    std::ostringstream direct, kept;
    RecordBatch batch;
    parse(log, [&](const Record& record) {
      write_event(direct, record);
      direct << record.text << record.message.size() << record.times << static_cast<int>(record.damage) << '\n';
      batch.add(record);
    });
    const RecordBatch moved = std::move(batch);
    for (const Record& record : moved.records()) {
      write_event(kept, record);
      kept << record.text << record.message.size() << record.times << static_cast<int>(record.damage) << '\n';
    }
    CHECK(kept.str() == direct.str());
  }
  CHECK(logs > 100);
}

TEST_CASE("a batch can be given to another source, and used again") {
  RecordBatch batch;
  const auto fill = [&] {
    parse("n:1:2 [0] NCCL INFO Using network IB\n", [&](const Record& record) { batch.add(record); });
  };
  fill();
  batch.move_to(SourceId{7});
  REQUIRE(batch.records().size() == 1);
  CHECK(batch.records()[0].at == LineRef{SourceId{7}, 1});
  batch.clear();
  CHECK(batch.records().empty());
  fill();
  CHECK(batch.records()[0].message == "Using network IB");
}

}  // namespace nccl_analyze
