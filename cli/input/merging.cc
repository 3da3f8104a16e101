// Reads each summary with a reader of its own, so that a damaged summary does not affect the others.

#include "cli/input/merging.h"

#include <optional>
#include <string>
#include <utility>

#include "cli/input/patience.h"
#include "cli/input/source.h"
#include "cli/logging.h"
#include "nccl_analyze/report.h"

namespace nccl_analyze {

ReadCounts read_summaries(const InputList& list, Summary& into, Log& log) {
  ReadCounts counts;
  const auto fail = [&](const std::string& sentence) {
    ++counts.failures;
    log.error(sentence);
  };
  for (const std::string& sentence : list.left_out) log.warn(sentence);
  for (const std::string& sentence : list.failures) fail(sentence);

  Patience patience(true, log);
  std::string name;
  Summary read;
  std::optional<SummaryReader> reader;
  const SourceSink sink{.begin =
                            [&](std::string_view begun) {
                              name = begun;
                              read = Summary();
                              reader.emplace(read);
                            },
                        .bytes = [&](std::string_view bytes) { return reader->feed(bytes); },
                        .end =
                            [&] {
                              const std::string wrong = reader->finish();
                              if (!wrong.empty()) return fail("cannot merge " + name + ": " + wrong);
                              into.merge(std::move(read));
                              ++counts.sources;
                            },
                        .failed = fail,
                        .wait = [&](int descriptor) { return patience.wait(descriptor); }};
  for (const Input& input : list.inputs)
    if (!patience.interrupted()) read_input(input, sink);
  counts.nccl_lines = into.stats().nccl_lines;
  return counts;
}

}  // namespace nccl_analyze
