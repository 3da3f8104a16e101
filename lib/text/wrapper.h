#pragma once
// What launchers and collectors put around a line: escape sequences to strip, and what their prefix tells.

#include <span>
#include <string>
#include <string_view>

#include "nccl_analyze/model/line.h"

namespace nccl_analyze {

/// `line` without terminal escape sequences and NUL bytes; copied into `scratch` only when it has one.
std::string_view strip_escapes(std::string_view line, std::string& scratch);

/// `line` without colour codes that lost their escape character (`[0m`, `#033[0m`, `\x1b[0m` spelled out); copied into
/// `scratch` only when it ends in one.
std::string_view strip_bare_colours(std::string_view line, std::string& scratch);

/// The string that holds the record when `line` is JSON or quoted cells (docker, fluent-bit, exports of log stores),
/// unescaped into `scratch`; any other line as it is. May hold newlines: the collector took several lines for one.
std::string_view unwrap_json(std::string_view line, std::string& scratch);

/// The member of a JSON object that collectors put the line in, unescaped into `scratch`; any other line as it is.
std::string_view json_text(std::string_view line, std::string& scratch);

/// The value of the first of `keys` that `line`, a JSON object, has as a string; empty when there is none.
std::string_view json_member(std::string_view line, std::span<const std::string_view> keys);

/// Whether `before`, what stands before a record, says that the next line goes on with it (CRI: `stdout P `).
bool is_partial(std::string_view before);

/// Whether two wrappers have the same shape: the same signs between words and numbers.
bool is_alike(std::string_view a, std::string_view b);

/// What `line` adds to a record that `before` stood before: the line without a wrapper of the same shape, digits aside.
std::string_view continued(std::string_view line, std::string_view before);

/// Keeps `before`, the text that stood before a record, and reads pod and container from `[pod/NAME/CONTAINER]`.
void read_wrapper(std::string_view before, Origin& origin);

}  // namespace nccl_analyze
