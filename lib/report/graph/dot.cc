// The `dot` format: writes a picture as a graph in Graphviz's language, one statement a line.

#include <cmath>
#include <initializer_list>
#include <map>
#include <ostream>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "nccl_analyze/report.h"
#include "report/graph/picture.h"
#include "text/escape.h"
#include "text/phrases.h"
#include "text/wrap.h"

namespace nccl_analyze {
namespace {

/// The attributes of a graph, node or edge: DOT tokens by name, sorted as they are written.
using Attributes = std::map<std::string_view, std::string>;

/// Quotes a value. In DOT a quotation mark is the only character that is escaped; a backslash belongs to the value.
std::string quoted(std::string_view value) {
  std::string token = "\"";
  for (const char c : value) {
    if (c == '"') token += '\\';
    token += c;
  }
  return token += '"';
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

/// Returns the legend as an HTML label: the line styles that occur in the picture, their meaning, and the explanation
/// of labels.
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

/// Writes one statement: a default, a node or an edge.
void write_statement(std::ostream& out, std::size_t depth, const std::string& subject, const Attributes& attributes) {
  out << std::string(2 * depth, ' ') << subject << " [";
  std::string_view separator;
  for (const auto& [name, token] : attributes) {
    out << separator << name << '=' << token;
    separator = ", ";
  }
  out << "];\n";
}

void write_defaults(std::ostream& out, const Picture& picture) {
  write_statement(out, 1, "graph",
                  {{"layout", quoted("nop2")},  // All positions are given, so Graphviz computes no layout.
                   {"outputorder", quoted("edgesfirst")},
                   {"labelloc", quoted("t")},
                   {"labeljust", quoted("l")},
                   {"fontname", quoted(fonts)},
                   {"fontsize", quoted("13")},
                   {"tooltip", quoted(dot_text(picture.title.front()))},
                   {"label", "<" + title_of(picture) + legend_of(picture) + ">"}});
  write_statement(out, 1, "node",
                  {{"shape", quoted("box")},
                   {"style", quoted("filled")},
                   {"fillcolor", quoted("#ffffff")},
                   {"color", quoted("#1b1d22")},
                   {"fontname", quoted(fonts)},
                   {"fontsize", quoted(points({box_font}))},
                   {"fixedsize", quoted("true")}});
  write_statement(out, 1, "edge", {{"fontname", quoted(fonts)}, {"fontsize", quoted(points({label_font}))}});
}

void set_look(Attributes& node, const Box& box) {
  if (box.dashed) node["style"] = quoted("filled,dashed");
  if (box.inside != nullptr) {
    node["color"] = quoted(box.inside->color);
    node["penwidth"] = quoted(box.inside->width);
  }
  if (box.look == Look::hub) {
    node["style"] = quoted("filled,rounded");
    node["fillcolor"] = quoted("#efeafb");
    node["color"] = quoted(switch_style().color);
  }
  if (box.look == Look::error || box.look == Look::warning) {
    const bool is_error = box.look == Look::error;
    node["fillcolor"] = quoted(is_error ? "#fde9e7" : "#fff3d6");
    node["color"] = quoted(is_error ? "#b3261e" : "#8a5a00");
    node["penwidth"] = quoted("3");
  }
}

void write_box(std::ostream& out, std::size_t depth, const Box& box) {
  Attributes node{{"label", quoted(box.label)},
                  {"pos", quoted(points({box.x, box.y}))},
                  {"width", quoted(std::to_string(box.width / inch))},
                  {"height", quoted(std::to_string(box.height / inch))}};
  if (!box.about.empty()) node["tooltip"] = quoted(dot_text(box.about));
  set_look(node, box);
  write_statement(out, depth, box.id, node);
}

Attributes attributes_of(const Frame& frame) {
  Attributes cluster{{"label", quoted(frame.label)},
                     {"tooltip", quoted(frame.label)},  // A cluster without a tooltip would inherit the picture's.
                     {"labeljust", quoted("c")},
                     {"bb", quoted(points({frame.left, frame.bottom, frame.right, frame.top}))},
                     {"color", quoted("#555d6a")}};
  if (frame.dashed) cluster["style"] = quoted("dashed");
  return cluster;
}

/// Frames and boxes by the index of the frame that directly contains them; -1 for those outside all frames.
struct Contents {
  explicit Contents(const Picture& picture) {
    for (const Frame& frame : picture.frames) frames[frame.parent].push_back(&frame);
    for (const Box& box : picture.boxes) boxes[box.frame].push_back(&box);
  }

  std::map<int, std::vector<const Frame*>> frames;
  std::map<int, std::vector<const Box*>> boxes;
};

void write_contents(std::ostream& out, std::size_t depth, const Picture& picture, const Contents& contents, int index) {
  const std::string indent(2 * depth, ' ');
  if (const auto frames = contents.frames.find(index); frames != contents.frames.end()) {
    for (const Frame* frame : frames->second) {
      out << indent << "subgraph cluster_" << frame->id << " {\n";
      write_statement(out, depth + 1, "graph", attributes_of(*frame));
      write_contents(out, depth + 1, picture, contents, static_cast<int>(frame - picture.frames.data()));
      out << indent << "}\n";
    }
  }
  if (const auto boxes = contents.boxes.find(index); boxes != contents.boxes.end())
    for (const Box* box : boxes->second) write_box(out, depth, *box);
}

void write_arrow(std::ostream& out, const Arrow& arrow, const Table<Box>& boxes) {
  Attributes edge{{"pos", quoted(path_of(arrow))},
                  {"color", quoted(arrow.style->color)},
                  {"fontcolor", quoted(arrow.style->color)},
                  {"style", quoted(arrow.style->style)},
                  {"penwidth", quoted(arrow.style->width)}};
  if (!arrow.label.empty()) {
    edge["label"] = quoted(arrow.label);
    edge["lp"] = quoted(points(arrow.label_at));
  }
  if (!arrow.about.empty()) edge["tooltip"] = quoted(dot_text(arrow.about));
  if (arrow.both) edge["dir"] = quoted("both");
  if (arrow.headless) edge["dir"] = quoted("none");
  write_statement(out, 1, boxes[arrow.from].id + " -> " + boxes[arrow.to].id, edge);
}

}  // namespace

void write_dot(std::ostream& out, const Model& model, const Report& report, const DotOptions& options) {
  const Picture picture = draw(model, report, options);
  out << "digraph nccl {\n";
  write_defaults(out, picture);
  write_contents(out, 1, picture, Contents(picture), -1);
  for (const Arrow& arrow : picture.arrows) write_arrow(out, arrow, picture.boxes);
  out << "}\n";
}

}  // namespace nccl_analyze
