// Fuzzes the drawing of graphs: Graphviz turns each graph into well-formed XML, which another library checks.

#include <expat.h>

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <sstream>
#include <string>

#include "cli/render.h"
#include "fuzz.h"
#include "input/failure.h"

namespace nccl_analyze {
namespace {

constexpr std::size_t most_drawn = 24;  // Number of processes; Graphviz takes seconds for large graphs.

void require_xml(const std::string& text) {
  const std::unique_ptr<XML_ParserStruct, decltype(&XML_ParserFree)> parser(XML_ParserCreate(nullptr), &XML_ParserFree);
  if (XML_Parse(parser.get(), text.data(), static_cast<int>(text.size()), XML_TRUE) != XML_STATUS_OK) std::abort();
}

}  // namespace
}  // namespace nccl_analyze

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace nccl_analyze;
  const Model model = fuzz::model_of(fuzz::view_of(data, size));
  if (model.processes.size() > most_drawn) return 0;
  for (const DotView view : {DotView::automatic, DotView::rings, DotView::trees, DotView::machine}) {
    std::ostringstream dot, svg;
    write_dot(dot, model, analyze(model), {.view = view, .inside = {}});
    try {
      render(svg, dot.str(), "svg");
    } catch (const Failure&) {
      continue;  // Graphviz failed, which the program reports.
    }
    require_xml(svg.str());
  }
  return 0;
}
