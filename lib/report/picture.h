#pragma once
/// A picture of communicators as plain data: boxes in frames, arrows between them, and the place of each. Labels are
/// escaped for DOT already, with `\n` between lines; names, `about` and the title are as the log has them.

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "nccl_analyze/report.h"
#include "report/links.h"
#include "report/suspicions.h"

namespace nccl_analyze {

/// In points, y upwards.
struct Point {
  double x = 0, y = 0;
};

/// How what is inside a frame is arranged.
enum class Arrangement : std::uint8_t {
  circle,  ///< Ranks of a host.
  grid,    ///< Hosts.
  lines,   ///< What nothing joins, like words on a page.
  levels,  ///< Of a tree, from left to right: Box::level and Box::row say where.
};

/// Indices are into the vectors of Picture; -1 is the picture itself.
struct Frame {
  std::string id, label;
  int parent = -1;
  bool dashed = false;
  Arrangement arrangement = Arrangement::circle;
  double left = 0, bottom = 0, right = 0, top = 0;
};
enum class Look : std::uint8_t { plain, warning, error, hub };
struct Box {
  std::string id, label;
  std::string name, about;  ///< What it is, `rank 3` or a host; and more of it.
  int frame = -1;
  const LinkStyle* inside = nullptr;  ///< The slowest transport of what happens inside; null when nothing does.
  Look look = Look::plain;
  bool dashed = false;  ///< Only named here: its log is not in the input, or it is not looked at.
  double level = 0, row = 0;
  double x = 0, y = 0;  ///< Of its middle.
  double width = 0, height = 0;
};
struct Arrow {
  int from = -1, to = -1;  ///< Boxes.
  Link link{};
  Counted counted = Counted::nothing;
  const LinkStyle* style = nullptr;
  bool both = false;
  bool headless = false;
  std::string label{}, about{};
  Point tail{}, head{};        ///< On the borders of the boxes.
  std::vector<Point> curve{};  ///< Bézier curves joined, 3n + 1 points, as long as the arrow's heads leave it.
  Point label_at{};            ///< Of the label's middle; a label without a place is empty.
};
struct Picture {
  std::vector<std::string> title;          ///< Lines; the first is the verdict.
  std::map<char, std::string> transports;  ///< What a letter stands for, where that is one transport.
  std::vector<std::string> legend;         ///< How labels are read.
  Table<Frame> frames;
  Table<Box> boxes;
  std::vector<Arrow> arrows;
  Arrangement arrangement = Arrangement::grid;  ///< Of what is in no frame.
};

/// What is drawn of a model: which communicators and how.
Picture draw(const Model& model, const Report& report, const DotOptions& options);

constexpr double box_font = 12, label_font = 10;
/// Of a label, estimated for a sans-serif font; wide rather than narrow.
Point text_size(std::string_view label, double font);

/// Gives every box and frame its place.
void lay_out(Picture& picture);
/// Leads every arrow around boxes as far as that goes, and puts its label beside it where that covers nothing. Returns
/// how many labels found no place.
std::size_t lead_arrows(Picture& picture);

/// One communicator as it is drawn, for the files that draw a part of it.
struct Scene {
  const Model& model;
  Index index = -1;
  const Communicator& communicator;
  const DotOptions& options;
  const Suspicions& suspicions;
  std::string prefix;  ///< Of all ids.
  int frame = -1;      ///< What is drawn is inside.
};

/// A host, or one pod of it.
using HostName = std::pair<std::string_view, std::string_view>;
HostName host_of(const Model& model, const Rank& rank);
std::string host_label(const HostName& host);
/// Whether the rank's host is one to look inside.
bool is_inside(const Scene& scene, const Rank& rank);
/// describe_switch() as a label.
std::string switch_label(const Scene& scene, const Host* host);

/// Adds a line to the title of what the scene draws.
void note(const Scene& scene, Picture& picture, const std::string& line);

/// Marks a box as suspected: `! NCA606`.
void mark(Box& box, const Suspicion& suspicion);
/// What a rank's box says.
Box rank_box(const Scene& scene, const Rank& rank);

/// Ranks one by one, in frames of hosts.
void draw_ranks(const Scene& scene, Picture& picture);
/// Hosts, or groups of hosts, as boxes.
void draw_hosts(const Scene& scene, Picture& picture);

/// Arrows for the links between different boxes; `box_of` finds the box of a place, -1 for none. In the automatic view
/// a pair that does the same both ways gets one arrow with two heads. Of very many links the slow ones are drawn.
void draw_links(const Scene& scene, const Links& links, Counted counted, const std::function<int(int place)>& box_of,
                Picture& picture);

}  // namespace nccl_analyze
