#pragma once
// Removes and reads the decoration that launchers, terminals and log collectors add to a line: escape sequences, JSON,
// tags such as `[pod/NAME/CONTAINER] ` and timestamps.

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
/// unescaped into `scratch`; any other line unchanged. The result may hold newlines: some collectors merge lines.
std::string_view unwrap_json(std::string_view line, std::string& scratch);

/// The member of a JSON object that collectors store the line in (`log`, `message`, …), unescaped into `scratch`; any
/// other line unchanged.
std::string_view json_text(std::string_view line, std::string& scratch);

/// The value of the first of `keys` that `line`, a JSON object, has as a string; empty when it has none.
std::string_view json_member(std::string_view line, std::span<const std::string_view> keys);

/// Whether `decoration` is that of a line which the container runtime split, so that the next line continues it (CRI
/// logs: `stdout P `).
bool is_partial(std::string_view decoration);

/// Whether two decorations have the same punctuation, whatever the words and numbers between it.
bool same_shape(std::string_view a, std::string_view b);

/// The text with which `line` continues a record that stood behind `decoration`: `line` without a decoration that
/// differs from `decoration` in digits only, or all of `line` when it has none.
std::string_view without_decoration_like(std::string_view line, std::string_view decoration);

/// Stores `decoration`, the text before a record, in `origin`, and the pod and container that it names as
/// `[pod/NAME/CONTAINER]`.
void read_decoration(std::string_view decoration, Origin& origin);

}  // namespace nccl_analyze
