// `--unrecognized`: reads the inputs as an analysis does and lists only the messages that no row of the message table
// matches. Messages that differ only in numbers are one entry.

#include "cli/unrecognized.h"

#include <optional>

#include "cli/output.h"
#include "cli/wordings.h"
#include "input/protected_inputs.h"
#include "input/reading.h"
#include "input/save.h"

namespace nccl_analyze {

int run_unrecognized(const Options& options, Log& log) {
  const InputList inputs = list_inputs(options.paths);
  ProtectedInputs read;
  read.add(inputs, is_log);
  if (options.save) read.add(*options.save, "the file of --save");
  Output output(options.output, read);
  std::optional<StdinCopy> save;
  if (options.save) save.emplace(*options.save, log);
  Wordings wordings;
  const auto take = [&](const Record& record) { wordings.add(record); };
  const auto end_source = [&](SourceId source, std::string_view name, const ParseStats& stats) {
    wordings.end_source(source, name, stats.places);
  };
  const ReadCounts counts = read_inputs(
      inputs,
      {.record = take, .source_read = end_source, .wanted = [] { return true; }, .save = save ? &*save : nullptr},
      options.verbosity != Verbosity::quiet, log);
  if (!check_read(counts, false, log)) return 2;
  if (counts.nccl_lines != 0 && wordings.empty()) log.info("every NCCL line is recognised");
  wordings.write(output.stream());
  output.commit();
  return 0;
}

}  // namespace nccl_analyze
