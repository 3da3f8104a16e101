#pragma once
// Parses and removes the decoration that launchers, terminals and log collectors add to a line: escape sequences, JSON,
// timestamps, and tags such as `[pod/NAME/CONTAINER] `.

#include <span>
#include <string>
#include <string_view>

#include "nccl_analyze/model/line.h"

namespace nccl_analyze {

/// Removes terminal escape sequences and NUL bytes. The result is in `scratch` if there are any, else it is `line`.
std::string_view strip_escapes(std::string_view line, std::string& scratch);

/// If `line` ends with a colour code whose escape character was lost (`[0m`) or spelled out (`#033[0m`, `\x1b[0m`),
/// removes all such codes and returns the result in `scratch`; else returns `line`.
std::string_view strip_bare_colours(std::string_view line, std::string& scratch);

/// If `line` is JSON or a row of quoted cells (docker, fluent-bit, exports of log stores), unescapes the string that
/// contains a record into `scratch` and returns it; else returns `line`. The result may contain newlines, because some
/// collectors merge lines.
std::string_view unwrap_json(std::string_view line, std::string& scratch);

/// Decodes the escapes of `text`, a JSON string without its quotes, and stores the result in `out`.
void unescape_json(std::string_view text, std::string& out);

/// If `line` has a JSON member in which collectors store the log line (`log`, `message`, …), unescapes its value into
/// `scratch` and returns it; else returns `line`.
std::string_view json_text(std::string_view line, std::string& scratch);

/// Looks up `keys` one after the other in `line`, a JSON object, and returns the first value that is a string, without
/// decoding its escapes. The value ends at its first quote, even an escaped one. Empty if there is none.
std::string_view json_member(std::string_view line, std::span<const std::string_view> keys);

/// Whether `decoration` marks a line that the container runtime split and that the next line continues (`stdout P ` in
/// CRI logs).
bool is_partial(std::string_view decoration);

/// Whether two decorations are equal when each run of letters and digits is replaced by a placeholder.
bool same_shape(std::string_view a, std::string_view b);

/// Removes the decoration at the start of `line` if it equals `decoration`, the decoration of an earlier line; else
/// returns `line` unchanged. Numbers may differ, and so may the CRI mark, which is `F` for the last part of a line and
/// `P` for the others.
std::string_view without_decoration_like(std::string_view line, std::string_view decoration);

/// Stores `decoration`, the text before a record, in `origin`, together with the pod and container that kubectl, stern,
/// docker compose or logcli names in it.
void read_decoration(std::string_view decoration, Origin& origin);

}  // namespace nccl_analyze
