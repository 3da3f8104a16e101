#pragma once
// What launchers and collectors put around a line: escape sequences to strip, and what their prefix tells.

#include <string>
#include <string_view>

#include "nccl_analyze/parser.h"

namespace nccl_analyze {

/// `line` without terminal escape sequences; copied into `scratch` only when it has one.
std::string_view strip_escapes(std::string_view line, std::string& scratch);

/// The value that holds the record when `line` is a JSON object (docker, fluent-bit and their kin), unescaped into
/// `scratch`; any other line as it is. May hold newlines: the collector took several lines for one.
std::string_view unwrap_json(std::string_view line, std::string& scratch);

/// Keeps `before`, the text that stood before a record, and reads pod and container from `[pod/NAME/CONTAINER]`.
void read_wrapper(std::string_view before, Origin& origin);

}  // namespace nccl_analyze
