#pragma once
/// Recognises output of this program, which must not be read as a log.

#include <string_view>

namespace nccl_analyze {

/// What wrote an output, as far as a reader of runs needs to know; `report` is a report as JSON.
enum class OwnOutput { none, summary, report, other };

/// The kind of an output, and in words that complete the sentence `it is …`. `none` and empty for what may be a log.
struct OwnBeginning {
  OwnOutput kind = OwnOutput::none;
  std::string_view words;
};

/// Describes the output that starts with `head`.
OwnBeginning own_output(std::string_view head);

}  // namespace nccl_analyze
