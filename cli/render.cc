// Draws DOT text with libgvc, which no other file uses. Two things that Graphviz cannot express are added to its SVG:
// titles for tooltips and screen readers, and colours for dark mode.

#include "cli/render.h"

#include <graphviz/gvc.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/cgraph_ids.h"
#include "cli/texts.h"
#include "input/failure.h"

namespace nccl_analyze {
namespace {

/// The only context of the program: Graphviz 2.43 reads freed memory when a second context is created.
GVC_t* context() {
  static const std::unique_ptr<GVC_t, decltype(&gvFreeContext)> only(gvContext(), &gvFreeContext);
  return only.get();
}

/// Converts the value of a DOT attribute to XML text. DOT's line break, `\n`, becomes `, `, and `\\` becomes a
/// backslash.
std::string xml_text(std::string_view value) {
  std::string text;
  for (std::size_t i = 0; i < value.size(); ++i) {
    const bool escapes = value[i] == '\\' && i + 1 < value.size();
    if (escapes && value[++i] == 'n')
      text += ", ";
    else if (value[i] == '<')
      text += "&lt;";
    else if (value[i] == '&')
      text += "&amp;";
    else
      text += value[i];
  }
  return text;
}

/// Removes the tooltips from the graph, since Graphviz would turn them into links without a target. Returns them, keyed
/// by the <title> that Graphviz will write for the element; the empty key is that of the whole picture.
std::map<std::string, std::string, std::less<>> take_tooltips(Agraph_t* graph) {
  std::map<std::string, std::string, std::less<>> titles;
  static std::string name = "tooltip";
  const auto take = [&titles](void* object, const std::string& title) {
    const char* const text = agget(object, name.data());
    if (text == nullptr || *text == '\0') return;
    titles.emplace(title, text);
    static std::string nothing;
    agset(object, name.data(), nothing.data());
  };
  take(graph, {});
  std::vector<Agraph_t*> clusters{graph};
  while (!clusters.empty()) {
    Agraph_t* const parent = clusters.back();
    clusters.pop_back();
    for (Agraph_t* cluster = agfstsubg(parent); cluster != nullptr; cluster = agnxtsubg(cluster)) {
      take(cluster, agnameof(cluster));
      clusters.push_back(cluster);
    }
  }
  for (Agnode_t* node = agfstnode(graph); node != nullptr; node = agnxtnode(graph, node)) {
    take(node, agnameof(node));
    for (Agedge_t* edge = agfstout(graph, node); edge != nullptr; edge = agnxtout(graph, edge))
      take(edge, std::string{agnameof(agtail(edge))} + "&#45;&gt;" + agnameof(aghead(edge)));
  }
  return titles;
}

/// Adds a style sheet to the SVG and replaces titles. Graphviz writes the name of each node as its <title>;
/// titles[name] replaces it, or the <title> is removed if there is no such entry. titles[""] is the title of the whole
/// SVG.
std::string with_style_and_titles(std::string_view svg, const std::map<std::string, std::string, std::less<>>& titles) {
  constexpr std::string_view open = "<title>", close = "</title>\n";
  std::string out;
  std::size_t at = 0;
  if (const std::size_t root = svg.find("<svg "); root != std::string_view::npos) {
    const std::size_t end = svg.find('>', root);
    out.append(svg.substr(0, root))
        .append("<svg role=\"img\" class=\"drawing\" ")
        .append(svg.substr(root + 5, end - root - 4));
    if (const auto title = titles.find(""); title != titles.end())
      out.append("\n").append(open).append(xml_text(title->second)).append("</title>");
    out.append("\n<style>").append(picture_style).append("</style>\n");
    at = end + 1;
  }
  while (at < svg.size()) {
    const std::size_t found = svg.find(open, at);
    const std::size_t end = found == std::string_view::npos ? found : svg.find(close, found);
    if (end == std::string_view::npos) break;
    const auto title = titles.find(svg.substr(found + open.size(), end - found - open.size()));
    out.append(svg.substr(at, found - at));
    if (title != titles.end()) out.append(open).append(xml_text(title->second)).append(close);
    at = end + close.size();
  }
  return out.append(svg.substr(at));
}

/// An input channel from which cgraph reads a text.
struct TextChannel {
  std::string_view rest;
  static int read(void* channel, char* into, int size) {
    std::string_view& rest = static_cast<TextChannel*>(channel)->rest;
    const std::size_t count = std::min(rest.size(), static_cast<std::size_t>(std::max(size, 0)));
    rest.copy(into, count);
    rest.remove_prefix(count);
    return static_cast<int>(count);
  }
};

}  // namespace

std::string_view missing_from_build() { return {}; }

void render(std::ostream& out, const std::string& dot, const char* format) {
  agseterr(AGMAX);  // silences Graphviz, whose messages bypass Log
  graphviz::Discipline discipline({.afread = TextChannel::read, .putstr = nullptr, .flush = nullptr});
  TextChannel channel{dot};
  const std::unique_ptr<Agraph_t, decltype(&agclose)> graph(agread(&channel, &discipline), &agclose);
  if (context() == nullptr || !graph) throw Failure("cannot read the graph; --format dot writes it");
  const auto titles = take_tooltips(graph.get());
  if (gvLayout(context(), graph.get(), "nop2") != 0)
    throw Failure("cannot lay out the graph; write it with --format dot and draw a part of it");

  char* picture = nullptr;
  unsigned int size = 0;
  const bool drawn = gvRenderData(context(), graph.get(), format, &picture, &size) == 0 && picture != nullptr;
  const std::string_view whole = drawn ? std::string_view{picture, size} : std::string_view{};
  if (std::string_view{format} == "svg")
    out << with_style_and_titles(whole, titles);
  else
    out << whole;
  gvFreeRenderData(picture);
  gvFreeLayout(context(), graph.get());
  if (!drawn)
    throw Failure(std::string("Graphviz cannot draw ") + format + "; install its plugins or use --format dot");
}

}  // namespace nccl_analyze
