#pragma once
/// Writes a report in the format of the command line.

#include <string>

#include "cli/options.h"
#include "cli/output.h"
#include "nccl_analyze/model.h"
#include "nccl_analyze/report.h"
#include "nccl_analyze/rule.h"

namespace nccl_analyze {

/// Returns how text is laid out for `output`: its width, colours and links.
TextOptions text_options(const Options& options, const Output& output);

/// Writes the report to `output`. `dot` is the graph for the formats that are pictures. Events and summaries are not
/// written here but while the input is read. `github` also appends the report to the file that $GITHUB_STEP_SUMMARY
/// names; throws Failure if that file cannot be written.
void write_report(const Options& options, const Model& model, const Report& report, const std::string& dot,
                  Output& output);

}  // namespace nccl_analyze
