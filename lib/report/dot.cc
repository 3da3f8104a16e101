// The `dot` format: writes a picture as a Graphviz graph through cgraph.

#include <graphviz/cgraph.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <map>
#include <memory>
#include <ostream>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "nccl_analyze/report.h"
#include "report/cgraph_ids.h"
#include "report/phrases.h"
#include "report/picture.h"
#include "report/wrap.h"
#include "text/escape.h"

namespace nccl_analyze {
namespace {

/// Removes `const`: cgraph declares parameters as `char*` even for text that it does not change.
char* mutable_text(const char* text) { return const_cast<char*>(text); }

void set(void* object, const char* attribute, const std::string& value) {
  agsafeset(object, mutable_text(attribute), mutable_text(value.c_str()), mutable_text(""));
}

void set_html(Agraph_t* graph, const char* attribute, const std::string& html) {
  char* const text = agstrdup_html(graph, mutable_text(html.c_str()));
  agsafeset(graph, mutable_text(attribute), text, mutable_text(""));
  agstrfree(graph, text);
}

constexpr const char* fonts = "Helvetica,Arial,sans-serif";
constexpr double inch = 72;  ///< Points per inch.

/// Returns characters that look like a line of this style, for the legend.
std::string sample(const LinkStyle& style) {
  const std::string_view look = style.style;
  if (look == "dashed") return "\u2013 \u2013 \u2013";
  return look == "dotted" ? "\u00b7 \u00b7 \u00b7 \u00b7" : "\u2014\u2014\u2014";
}

/// Escapes `text` for an HTML label. Ampersands become `\x26`, because Graphviz decodes entities and may copy the
/// result into SVG without escaping it.
std::string label_text(std::string text) {
  for (std::size_t at = text.find('&'); at != std::string::npos; at = text.find('&', at)) text.replace(at, 1, "\\x26");
  return html_text(text);
}

constexpr std::string_view line_end = "<br align=\"left\"/>";

std::string title_of(const Picture& picture) {
  constexpr std::size_t max_columns = 100;
  std::string html;
  for (const std::string& line : picture.title) {
    std::istringstream parts(wrap(line, 0, 0, max_columns));
    const bool is_verdict = &line == picture.title.data();
    for (std::string part; std::getline(parts, part);)
      html.append(is_verdict ? "<b>" : "").append(label_text(part)).append(is_verdict ? "</b>" : "").append(line_end);
  }
  return html;
}

/// Writes the legend: the line styles that occur in the picture, their meaning, and the explanation of labels.
std::string legend_of(const Picture& picture) {
  std::set<const LinkStyle*> used;
  for (const Box& box : picture.boxes) used.insert(box.inside);
  for (const Arrow& arrow : picture.arrows) {
    used.insert(arrow.style);
    for (const auto& [way, use] : arrow.link.uses) used.insert(&style_of(way));
    if (arrow.counted == Counted::channels && unknown_channels(arrow.link).any()) used.insert(&style_of(Uses{}));
  }
  std::string html;
  const auto add = [&](const LinkStyle& style) {
    if (!used.contains(&style)) return;
    html.append("<font color=\"").append(style.color).append("\">").append(sample(style)).append(" <b>");
    html.append(1, style.letter).append("</b>\u00a0").append(label_text(style.meaning));
    const auto name = picture.transports.find(style.letter);
    if (name != picture.transports.end() && !name->second.empty() && name->second != style.prefix)
      html.append(" (").append(label_text(name->second)).append(")");
    html.append("</font>").append(line_end);
  };
  add(switch_style());
  for (const LinkStyle& style : link_styles()) add(style);
  for (const std::string& line : picture.legend) html.append(label_text(line)).append(line_end);
  return html;
}

std::string points(std::initializer_list<double> numbers) {
  std::string text;
  for (const double number : numbers) append_item(text, std::to_string(std::lround(number)), ",");
  return text;
}

std::string points(Point point) { return points({point.x, point.y}); }

/// Formats an arrow for Graphviz's attribute `pos`: the tips of its heads, then the points of its curve.
std::string path_of(const Arrow& arrow) {
  std::string text;
  if (arrow.both) text += "s," + points(arrow.tail) + " ";
  if (!arrow.headless) text += "e," + points(arrow.head) + " ";
  for (const Point& point : arrow.curve) text.append(points(point)).append(" ");
  text.pop_back();
  return text;
}

void set_defaults(Agraph_t* root) {
  set(root, "layout", "nop2");  // All positions are given, so Graphviz computes no layout.
  set(root, "outputorder", "edgesfirst");
  set(root, "labelloc", "t");
  set(root, "labeljust", "l");
  set(root, "fontname", fonts);
  set(root, "fontsize", "13");
  const auto set_default = [root](int kind, const char* attribute, const char* value) {
    agattr(root, kind, mutable_text(attribute), mutable_text(value));
  };
  set_default(AGNODE, "shape", "box");
  set_default(AGNODE, "style", "filled");
  set_default(AGNODE, "fillcolor", "#ffffff");
  set_default(AGNODE, "color", "#1b1d22");
  set_default(AGNODE, "fontname", fonts);
  set_default(AGNODE, "fontsize", std::to_string(std::lround(box_font)).c_str());
  set_default(AGNODE, "fixedsize", "true");
  set_default(AGEDGE, "fontname", fonts);
  set_default(AGEDGE, "fontsize", std::to_string(std::lround(label_font)).c_str());
}

void set_look(Agnode_t* node, const Box& box) {
  if (box.dashed) set(node, "style", "filled,dashed");
  if (box.inside != nullptr) {
    set(node, "color", box.inside->color);
    set(node, "penwidth", box.inside->width);
  }
  if (box.look == Look::hub) {
    set(node, "style", "filled,rounded");
    set(node, "fillcolor", "#efeafb");
    set(node, "color", switch_style().color);
  }
  if (box.look == Look::error || box.look == Look::warning) {
    const bool is_error = box.look == Look::error;
    set(node, "fillcolor", is_error ? "#fde9e7" : "#fff3d6");
    set(node, "color", is_error ? "#b3261e" : "#8a5a00");
    set(node, "penwidth", "3");
  }
}

/// Adds a subgraph for each frame. Each frame comes after its parent frame in Picture::frames.
Table<Agraph_t*> add_frames(const Picture& picture, Agraph_t* root) {
  Table<Agraph_t*> frames;
  for (const Frame& frame : picture.frames) {
    Agraph_t* const parent = frame.parent < 0 ? root : frames[frame.parent];
    Agraph_t* const cluster = agsubg(parent, mutable_text(("cluster_" + frame.id).c_str()), 1);
    set(cluster, "label", frame.label);
    set(cluster, "tooltip", frame.label);  // A cluster without a tooltip would inherit the picture's.
    set(cluster, "labeljust", "c");
    set(cluster, "bb", points({frame.left, frame.bottom, frame.right, frame.top}));
    set(cluster, "color", "#555d6a");
    if (frame.dashed) set(cluster, "style", "dashed");
    frames.push_back(cluster);
  }
  return frames;
}

Agnode_t* add_box(const Box& box, Agraph_t* frame) {
  Agnode_t* const node = agnode(frame, mutable_text(box.id.c_str()), 1);
  set(node, "label", box.label);
  set(node, "pos", points({box.x, box.y}));
  set(node, "width", std::to_string(box.width / inch));
  set(node, "height", std::to_string(box.height / inch));
  if (!box.about.empty()) set(node, "tooltip", dot_text(box.about));
  set_look(node, box);
  return node;
}

void add_arrow(const Arrow& arrow, const Table<Agnode_t*>& boxes, Agraph_t* root) {
  Agedge_t* const edge = agedge(root, boxes[arrow.from], boxes[arrow.to], nullptr, 1);
  set(edge, "pos", path_of(arrow));
  if (!arrow.label.empty()) {
    set(edge, "label", arrow.label);
    set(edge, "lp", points(arrow.label_at));
  }
  if (!arrow.about.empty()) set(edge, "tooltip", dot_text(arrow.about));
  set(edge, "color", arrow.style->color);
  set(edge, "fontcolor", arrow.style->color);
  set(edge, "style", arrow.style->style);
  set(edge, "penwidth", arrow.style->width);
  if (arrow.both) set(edge, "dir", "both");
  if (arrow.headless) set(edge, "dir", "none");
}

/// Builds the cgraph graph of a picture.
void build(const Picture& picture, Agraph_t* root) {
  const Table<Agraph_t*> frames = add_frames(picture, root);
  Table<Agnode_t*> boxes;
  for (const Box& box : picture.boxes) boxes.push_back(add_box(box, box.frame < 0 ? root : frames[box.frame]));
  for (const Arrow& arrow : picture.arrows) add_arrow(arrow, boxes, root);
  set(root, "tooltip", dot_text(picture.title.front()));
  set_html(root, "label", title_of(picture) + legend_of(picture));
}

int append_text(void* out, const char* text) {
  *static_cast<std::string*>(out) += text;
  return 0;
}
int flush_nothing(void*) { return 0; }
int drop_message(char*) { return 0; }

/// Suppresses cgraph's error messages, which go to stderr by default.
class QuietErrors {
 public:
  QuietErrors() : before_(agseterrf(drop_message)) {}
  ~QuietErrors() { agseterrf(before_); }
  QuietErrors(const QuietErrors&) = delete;
  QuietErrors& operator=(const QuietErrors&) = delete;

 private:
  agusererrf before_;
};

struct CloseGraph {
  void operator()(Agraph_t* graph) const { agclose(graph); }
};

}  // namespace

bool write_dot(std::ostream& out, const Model& model, const Report& report, const DotOptions& options) {
  const QuietErrors quiet;
  graphviz::Discipline discipline({.afread = nullptr, .putstr = append_text, .flush = flush_nothing});
  const std::unique_ptr<Agraph_t, CloseGraph> graph{agopen(mutable_text("nccl"), Agdirected, &discipline)};
  if (!graph) return false;
  const Picture picture = draw(model, report, options);
  set_defaults(graph.get());
  build(picture, graph.get());
  std::string text;
  if (agwrite(graph.get(), &text) != 0) return false;
  out << text;
  return true;
}

}  // namespace nccl_analyze
