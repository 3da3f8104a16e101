#pragma once
/// The tools that the server offers. Each calls the functions of a command of the program.

#include <string>
#include <string_view>

#include "cli/mcp/folders.h"
#include "expect/located_json.h"
#include "text/json_writer.h"

namespace nccl_analyze {

/// Writes all tools with the JSON Schemas of their arguments: the value of `tools`.
void write_tools(JsonWriter& json);

/// The answer to a call of a tool.
struct ToolAnswer {
  std::string text;
  std::string notes = {};  ///< Lines about what the text leaves out; empty: nothing.
  bool failed = false;     ///< Whether `text` says why there is no answer.
};
bool is_tool(std::string_view name);
/// Calls the tool with this name, which must exist. `arguments` is not trusted; null: no arguments.
ToolAnswer call_tool(std::string_view name, const LocatedJson* arguments, const Folders& folders);

}  // namespace nccl_analyze
