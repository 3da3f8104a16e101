#pragma once
/// Draws DOT text as a picture with Graphviz.

#include <ostream>
#include <string>
#include <string_view>

namespace nccl_analyze {

/// Draws `dot` and writes the picture to `out`. `format` is svg or png. Throws Failure when Graphviz cannot read or lay
/// out the graph, or has no plugin for the format.
void render(std::ostream& out, const std::string& dot, const char* format);

/// Returns a note for `--version` on the formats that this build cannot write; empty if it writes all.
std::string_view missing_from_build();

}  // namespace nccl_analyze
