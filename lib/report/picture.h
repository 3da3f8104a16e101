#pragma once
/// A picture of communicators as plain data: boxes in frames, arrows between boxes, and their coordinates. Labels are
/// already escaped for DOT, with `\n` between lines; names, `about` and the title are raw log text.

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

/// Coordinates in points; y grows upwards.
struct Point {
  double x = 0, y = 0;
};

/// The layout of a frame's contents.
enum class Arrangement : std::uint8_t {
  circle,  ///< Ranks of a host.
  grid,    ///< Hosts.
  lines,   ///< Items without arrows between them, in rows like words on a page.
  levels,  ///< A tree from left to right; Box::level and Box::row give the positions.
};

/// Indices refer to the vectors of Picture; -1 stands for the picture itself.
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
  std::string name, about;  ///< `name`: `rank 3` or a host name. `about`: details for the tooltip.
  int frame = -1;
  const LinkStyle* inside = nullptr;  ///< Style of the slowest transport inside the box; null without traffic inside.
  Look look = Look::plain;
  bool dashed = false;  ///< True for a rank or host without a log, or outside the selected hosts.
  double level = 0, row = 0;
  double x = 0, y = 0;  ///< Centre of the box.
  double width = 0, height = 0;
};
struct Arrow {
  int from = -1, to = -1;  ///< Indices of boxes.
  Link link{};
  Counted counted = Counted::nothing;
  const LinkStyle* style = nullptr;
  bool both = false;
  bool headless = false;
  std::string label{}, about{};
  Point tail{}, head{};        ///< Both ends, on the borders of the boxes.
  std::vector<Point> curve{};  ///< Points of joined Bézier curves, 3n + 1, without the arrow's heads.
  Point label_at{};            ///< Centre of the label; `label` is empty if no place was free.
};
struct Picture {
  std::vector<std::string> title;          ///< Lines of the title; the first is the verdict.
  std::map<char, std::string> transports;  ///< Transport of each style letter that stands for a single transport.
  std::vector<std::string> legend;         ///< Lines that explain the labels.
  Table<Frame> frames;
  Table<Box> boxes;
  std::vector<Arrow> arrows;
  Arrangement arrangement = Arrangement::grid;  ///< Layout of the items outside all frames.
};

/// Chooses communicators of the model, builds their picture and lays it out.
Picture draw(const Model& model, const Report& report, const DotOptions& options);

constexpr double box_font = 12, label_font = 10;
/// Estimates the size of a label in a sans-serif font; the estimate is generous.
Point text_size(std::string_view label, double font);

/// Computes the positions of all boxes and frames.
void lay_out(Picture& picture);
/// Routes every arrow around boxes where possible, and places each label beside its arrow where the label covers no
/// box, title or other label. Returns the number of labels for which no place was free.
std::size_t lead_arrows(Picture& picture);

/// One communicator of the picture, with the data that every drawing function needs.
struct Scene {
  const Model& model;
  Index index = -1;
  const Communicator& communicator;
  const DotOptions& options;
  const Suspicions& suspicions;
  std::string prefix;  ///< Begins the ids of all boxes and frames of the scene.
  int frame = -1;      ///< Frame around the scene; -1 for none.
};

/// Names of a host and of a pod; the pod name may be empty.
using HostName = std::pair<std::string_view, std::string_view>;
HostName host_of(const Model& model, const Rank& rank);
std::string host_label(const HostName& host);
/// Whether DotOptions::inside selects the rank's host. Without that option every rank is selected.
bool is_inside(const Scene& scene, const Rank& rank);
/// describe_switch() as a label for DOT.
std::string switch_label(const Scene& scene, const Host* host);

/// Adds a line to the title of the scene's frame, or of the picture if the scene has no frame.
void note(const Scene& scene, Picture& picture, const std::string& line);

/// Colours a suspected box and adds the rules to its label: `! NCA606`.
void mark(Box& box, const Suspicion& suspicion);
/// Builds the box of a rank, without its frame and position.
Box rank_box(const Scene& scene, const Rank& rank);

/// Draws a box for each rank, in a frame for each host.
void draw_ranks(const Scene& scene, Picture& picture);
/// Draws a box for each host, or for each group of hosts.
void draw_hosts(const Scene& scene, Picture& picture);

/// Draws an arrow for each link between different boxes; `box_of` returns the box of a place, -1 for none. In the
/// automatic view, links with equal transports in both directions become one arrow with two heads. If there are too
/// many arrows, only the slowest links are drawn.
void draw_links(const Scene& scene, const Links& links, Counted counted, const std::function<int(int place)>& box_of,
                Picture& picture);

}  // namespace nccl_analyze
