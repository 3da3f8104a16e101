#pragma once
/// Draws DOT text as a picture with Graphviz.

#include <ostream>
#include <string>

namespace nccl_analyze {

/// `format` is svg or png. Throws Failure when Graphviz cannot lay out the graph or has no plugin for the format.
void render(std::ostream& out, const std::string& dot, const char* format);

}  // namespace nccl_analyze
