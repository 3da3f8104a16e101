// The only file that knows libgvc; write_dot() makes the text.

#include "render.h"

#include <graphviz/gvc.h>

#include <memory>

#include "failure.h"

namespace nccl_analyze {
namespace {

/// One for the whole program: Graphviz 2.43 reads freed memory when a second one is made.
GVC_t* context() {
  static const std::unique_ptr<GVC_t, decltype(&gvFreeContext)> only(gvContext(), &gvFreeContext);
  return only.get();
}

}  // namespace

void render(std::ostream& out, const std::string& dot, const char* format) {
  const std::unique_ptr<Agraph_t, decltype(&agclose)> graph(agmemread(dot.c_str()), &agclose);
  if (context() == nullptr || !graph || gvLayout(context(), graph.get(), "dot") != 0)
    throw Failure("cannot lay out the graph; write it with --format dot and draw a part of it");

  char* picture = nullptr;
  unsigned int size = 0;
  const bool drawn = gvRenderData(context(), graph.get(), format, &picture, &size) == 0 && picture != nullptr;
  if (drawn) out.write(picture, size);
  gvFreeRenderData(picture);
  gvFreeLayout(context(), graph.get());
  if (!drawn)
    throw Failure(std::string("Graphviz cannot draw ") + format + "; install its plugins or use --format dot");
}

}  // namespace nccl_analyze
