#pragma once
/// Recognises output of this program, which must not be read as a log.

#include <string_view>

namespace nccl_analyze {

/// Which output of this program an input is. `none`: this program did not write it; `summary`: written by `--format
/// summary`; `report`: a report as JSON; `other`: an output that this program cannot read, such as an HTML page.
enum class OwnOutput { none, summary, report, other };

/// The kind of an output, and a description that completes the sentence `it is …`. For input that may be a log, the
/// kind is `none` and the description is empty.
struct OwnOutputMatch {
  OwnOutput kind = OwnOutput::none;
  std::string_view words;
};

/// Describes the output that starts with `head`.
OwnOutputMatch own_output(std::string_view head);

}  // namespace nccl_analyze
