// Reads both runs, compares them in the library, and writes the difference.

#include "cli/diff.h"

#include "cli/output.h"
#include "cli/write_report.h"
#include "input/run.h"
#include "nccl_analyze/compare.h"

namespace nccl_analyze {
namespace {

void write_diff(const Options& options, const RunDiff& diff, Output& output) {
  if (options.format == Format::json) return write_diff_json(output.stream(), diff);
  if (options.format == Format::markdown) return write_diff_markdown(output.stream(), diff);
  if (options.format == Format::html) return write_diff_html(output.stream(), diff);
  write_diff_text(output.stream(), diff, text_options(options, output));
}

}  // namespace

int run_diff(const Options& options, Log& log) {
  ProtectedInputs read;
  const RunFacts before = read_run(options.old_run, log, read), after = read_run(options.new_run, log, read);
  const RunDiff diff = compare(before, after, options.ignored_topics);
  if (options.verbosity != Verbosity::quiet) {
    Output output(options.output, read);
    write_diff(options, diff, output);
    output.commit();
  }
  return diff.same() ? 0 : 1;
}

}  // namespace nccl_analyze
