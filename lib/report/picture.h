#pragma once
/// A picture of communicators as plain data: boxes in frames, arrows between them. Text is escaped for DOT already.

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "nccl_analyze/export.h"
#include "report/links.h"

namespace nccl_analyze {

/// Indices are into the vectors of Picture; -1 is the picture itself.
struct Frame {
  std::string id, label;
  int parent = -1;
  bool dashed = false;
  double left = 0, bottom = 0, right = 0, top = 0;  ///< In points, as x and y of a box.
};
struct Box {
  std::string id, label;
  int frame = -1;
  const LinkStyle* inside = nullptr;  ///< The slowest transport of what happens inside; null when nothing does.
  bool failed = false;
  bool dashed = false;  ///< Only named here: its log is not in the input, or it is not looked at.
  double x = 0, y = 0;  ///< Of its middle.
};
struct Arrow {
  int from = -1, to = -1;  ///< Boxes.
  std::string label;
  const LinkStyle* style = nullptr;
  bool both = false;
};
struct Picture {
  std::vector<std::string> title;  ///< Lines.
  std::vector<Frame> frames;
  std::vector<Box> boxes;
  std::vector<Arrow> arrows;
};

/// What is drawn of a model: which communicators and how.
Picture draw(const Model& model, const DotOptions& options);

/// Gives every box and frame its place.
void lay_out(Picture& picture);

/// One communicator as it is drawn, for the files that draw a part of it.
struct Scene {
  const Model& model;
  const Communicator& communicator;
  const DotOptions& options;
  std::string prefix;  ///< Of all ids.
  int frame = -1;      ///< What is drawn is inside.
};

/// A host, or one pod of it.
using HostName = std::pair<std::string_view, std::string_view>;
HostName host_of(const Model& model, const Rank& rank);
std::string host_label(const HostName& host);
/// Whether the rank's host is one to look inside.
bool is_inside(const Scene& scene, const Rank& rank);

/// Adds a line to the title of what the scene draws.
void note(const Scene& scene, Picture& picture, const std::string& line);

/// Ranks one by one, in frames of hosts.
void draw_ranks(const Scene& scene, Picture& picture);
/// Hosts, or groups of hosts, as boxes.
void draw_hosts(const Scene& scene, Picture& picture);

/// Arrows for the links between different boxes; `box_of` finds the box of a place, -1 for none. In the automatic view
/// a pair that does the same both ways gets one arrow with two heads. Of very many links the slow ones are drawn.
void draw_links(const Scene& scene, const Links& links, Counted counted, const std::function<int(int place)>& box_of,
                Picture& picture);

}  // namespace nccl_analyze
