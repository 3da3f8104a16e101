// Fuzzes the analysis of a growing log: the model can be built and judged after every piece, and the last report equals
// the report of the whole log.

#include <cstdint>
#include <cstdlib>
#include <utility>

#include "cli/live/job_state.h"
#include "cli/live/news.h"
#include "fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace nccl_analyze;
  constexpr std::size_t looks = 4;
  const std::string_view bytes = fuzz::view_of(data, size);
  ModelBuilder builder;
  NewFindings news;
  Parser parser(SourceId{0}, [&](const Record& record) { builder.add(record); });
  const std::size_t piece = size / looks + 1;
  for (std::size_t at = 0; at < size; at += piece) {
    fuzz::feed_copy(parser, bytes.substr(at, piece));
    ModelBuilder so_far = builder;
    so_far.add_source(SourceId{0}, "fuzz.log", parser.stats());
    const Model model = std::move(so_far).build();
    const Report report = analyze(model);
    describe_state(model);
    describe_calls(model);
    describe_wait(model);
    news.take(model, report, at + piece >= size);
  }
  parser.finish();
  builder.add_source(SourceId{0}, "fuzz.log", parser.stats());

  ModelBuilder direct;
  Parser whole(SourceId{0}, [&](const Record& record) { direct.add(record); });
  whole.feed(bytes);
  whole.finish();
  direct.add_source(SourceId{0}, "fuzz.log", whole.stats());
  if (fuzz::report_of(std::move(builder)) != fuzz::report_of(std::move(direct))) std::abort();
  return 0;
}
