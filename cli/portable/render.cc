// Stands for cli/render.cc in the portable program: Graphviz, which draws SVG and PNG, has no static libraries.

#include "cli/render.h"

#include "input/failure.h"

namespace nccl_analyze {

void render(std::ostream&, const std::string&, const char* format) {
  throw Failure(std::string("the portable program has no Graphviz to draw ") + format +
                "; write --format dot and draw it where Graphviz is: dot -T" + format);
}

std::string_view missing_from_build() { return " (portable: without --format svg and png)"; }

}  // namespace nccl_analyze
