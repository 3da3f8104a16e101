// The `dot` format: a picture as a Graphviz graph. The only file that knows cgraph.

#include <graphviz/cgraph.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <map>
#include <memory>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "nccl_analyze/export.h"
#include "report/picture.h"

namespace nccl_analyze {
namespace {

/// cgraph takes `char*` where it means `const char*`.
char* mutable_text(const char* text) { return const_cast<char*>(text); }

void set(void* object, const char* attribute, const std::string& value) {
  agsafeset(object, mutable_text(attribute), mutable_text(value.c_str()), mutable_text(""));
}

/// HTML of our own words alone: no text of a log goes in here.
void set_html(Agraph_t* graph, const char* attribute, const std::string& html) {
  char* const text = agstrdup_html(graph, mutable_text(html.c_str()));
  agsafeset(graph, mutable_text(attribute), text, mutable_text(""));
  agstrfree(graph, text);
}

/// The title, and the kinds of arrows that occur with their meaning.
std::string legend_of(const Picture& picture) {
  std::string html;
  for (const std::string& line : picture.title) html += line + "<br/>";
  for (const LinkStyle& style : link_styles()) {
    const auto shown = [&style](const Arrow& arrow) { return arrow.style == &style; };
    const auto inside = [&style](const Box& box) { return box.inside == &style; };
    if (std::none_of(picture.arrows.begin(), picture.arrows.end(), shown) &&
        std::none_of(picture.boxes.begin(), picture.boxes.end(), inside))
      continue;
    html += std::string{"<font color=\""} + style.color + "\">\u2014 " + style.meaning + "</font><br/>";
  }
  return html;
}

std::string points(std::initializer_list<double> numbers) {
  std::string text;
  for (const double number : numbers) text += (text.empty() ? "" : ",") + std::to_string(std::lround(number));
  return text;
}

/// Whether Graphviz can lead each arrow around the boxes in a few seconds; it takes the square of the boxes an arrow.
bool can_be_routed(const Picture& picture) {
  constexpr std::size_t max_effort = std::size_t{128} * 128 * 256;
  return picture.boxes.size() * picture.boxes.size() * picture.arrows.size() <= max_effort;
}

void set_defaults(Agraph_t* root, bool routed) {
  set(root, "layout", "nop");  // The places are given.
  set(root, "splines", routed ? "true" : "line");
  if (!routed) set(root, "outputorder", "edgesfirst");  // Straight lines pass behind boxes.
  set(root, "labelloc", "t");
  const auto set_default = [root](int kind, const char* attribute, const char* value) {
    agattr(root, kind, mutable_text(attribute), mutable_text(value));
  };
  set_default(AGNODE, "shape", "box");
  set_default(AGNODE, "style", "filled");
  set_default(AGNODE, "fillcolor", "white");
  set_default(AGEDGE, "fontsize", "10");
}

/// Builds the graph of a picture; frames come before what is inside.
void build(const Picture& picture, Agraph_t* root) {
  std::vector<Agraph_t*> frames;
  const auto graph_of = [&](int frame) { return frame < 0 ? root : frames[static_cast<std::size_t>(frame)]; };
  for (const Frame& frame : picture.frames) {
    Agraph_t* const cluster = agsubg(graph_of(frame.parent), mutable_text(("cluster_" + frame.id).c_str()), 1);
    set(cluster, "label", frame.label);
    set(cluster, "bb", points({frame.left, frame.bottom, frame.right, frame.top}));
    if (frame.dashed) set(cluster, "style", "dashed");
    frames.push_back(cluster);
  }
  std::vector<Agnode_t*> boxes;
  for (const Box& box : picture.boxes) {
    boxes.push_back(agnode(graph_of(box.frame), mutable_text(box.id.c_str()), 1));
    set(boxes.back(), "label", box.label);
    set(boxes.back(), "pos", points({box.x, box.y}));
    if (box.dashed) set(boxes.back(), "style", "filled,dashed");
    if (box.inside != nullptr) {
      set(boxes.back(), "color", box.inside->color);
      set(boxes.back(), "penwidth", box.inside->width);
    }
    if (box.failed) set(boxes.back(), "color", "red");
  }
  for (const Arrow& arrow : picture.arrows) {
    Agnode_t* const from = boxes[static_cast<std::size_t>(arrow.from)];
    Agedge_t* const edge = agedge(root, from, boxes[static_cast<std::size_t>(arrow.to)], nullptr, 1);
    set(edge, "label", arrow.label);
    set(edge, "color", arrow.style->color);
    set(edge, "fontcolor", arrow.style->color);
    set(edge, "style", arrow.style->style);
    set(edge, "penwidth", arrow.style->width);
    if (arrow.both) set(edge, "dir", "both");
  }
  set_html(root, "label", legend_of(picture));
}

int append_text(void* out, const char* text) {
  *static_cast<std::string*>(out) += text;
  return 0;
}
int flush_nothing(void*) { return 0; }
int drop_message(char*) { return 0; }

/// cgraph prints its complaints on stderr unless told otherwise.
class QuietErrors {
 public:
  QuietErrors() : before_(agseterrf(drop_message)) {}
  ~QuietErrors() { agseterrf(before_); }
  QuietErrors(const QuietErrors&) = delete;
  QuietErrors& operator=(const QuietErrors&) = delete;

 private:
  agusererrf before_;
};

/// Numbers objects in the order of their making. cgraph's own numbers are addresses, and it writes clusters in the
/// order of their numbers: without this the same graph would be written differently on every run.
class Numbers {
 public:
  static constexpr Agiddisc_t callbacks() { return {open, map, alloc, release, print, close, remember}; }

 private:
  static void* open(Agraph_t* graph, Agdisc_t* discipline);
  static long map(void* state, int kind, char* name, IDTYPE* id, int create) {
    auto& self = *static_cast<Numbers*>(state);
    if (name == nullptr) {
      if (create != 0) *id = 2 * self.next_++ + 1;  // odd: nameless, as cgraph itself has it
      return create;
    }
    const auto found = self.ids_.find({kind, name});
    if (found == self.ids_.end() && create == 0) return 0;
    *id = found != self.ids_.end() ? found->second : 2 * self.next_++;
    // the writer takes a name for one of cgraph's own strings
    if (found == self.ids_.end()) self.names_[self.ids_[{kind, name}] = *id] = agstrdup(self.graph_, name);
    return 1;
  }
  static long alloc(void*, int, IDTYPE) { return 0; }
  static void release(void*, int, IDTYPE) {}
  static char* print(void* state, int, IDTYPE id) {
    auto& names = static_cast<Numbers*>(state)->names_;
    const auto found = names.find(id);
    return found == names.end() ? nullptr : found->second;
  }
  static void close(void*) {}
  static void remember(void*, int, void*) {}

  Agraph_t* graph_ = nullptr;
  IDTYPE next_ = 1;
  std::map<std::pair<int, std::string>, IDTYPE> ids_;
  std::map<IDTYPE, char*> names_;
};

/// What cgraph is opened with; it hands this object back to Numbers::open.
struct Discipline : Agdisc_t {
  Agiodisc_t writing{nullptr, append_text, flush_nothing};
  Agiddisc_t numbering = Numbers::callbacks();
  Numbers numbers;
  Discipline() : Agdisc_t{} {
    io = &writing;
    id = &numbering;
  }
};

void* Numbers::open(Agraph_t* graph, Agdisc_t* discipline) {
  Numbers& numbers = static_cast<Discipline*>(discipline)->numbers;
  numbers.graph_ = graph;
  return &numbers;
}

struct CloseGraph {
  void operator()(Agraph_t* graph) const { agclose(graph); }
};

}  // namespace

bool write_dot(std::ostream& out, const Model& model, const DotOptions& options) {
  const QuietErrors quiet;
  Discipline discipline;
  const std::unique_ptr<Agraph_t, CloseGraph> graph{agopen(mutable_text("nccl"), Agdirected, &discipline)};
  if (!graph) return false;
  const Picture picture = draw(model, options);
  set_defaults(graph.get(), can_be_routed(picture));
  build(picture, graph.get());
  std::string text;
  if (agwrite(graph.get(), &text) != 0) return false;
  out << text;
  return true;
}

}  // namespace nccl_analyze
