#pragma once
/// A picture of communicators as plain data: boxes in frames, arrows between boxes, and their coordinates. Labels are
/// already escaped for DOT, with `\n` between lines; names, `about` and the title are not escaped.

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "nccl_analyze/report.h"
#include "report/graph/links.h"

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

/// A frame around boxes and other frames. `parent` is an index into Picture::frames; -1 for an outermost frame.
struct Frame {
  std::string id, label{};
  int parent = -1;
  bool dashed = false;
  Arrangement arrangement = Arrangement::circle;
  double left = 0, bottom = 0, right = 0, top = 0;
};
enum class Look : std::uint8_t { plain, warning, error, hub };
struct Box {
  std::string id, label{};
  std::string name{}, about{};  ///< `name`: `rank 3` or a host name. `about`: details for the tooltip.
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
  bool both = false;      ///< Whether both ends have a head; else only the end at `to` has one.
  bool headless = false;  ///< Whether neither end has a head.
  std::string label{}, about{};
  Point tail{}, head{};        ///< Both ends, on the borders of the boxes.
  std::vector<Point> curve{};  ///< 3n + 1 control points of n joined Bézier curves between the arrow's heads.
  Point label_at{};            ///< Centre of the label; `label` is empty if no place was free.
};
struct Picture {
  std::vector<std::string> title;          ///< Lines of the title; the first line is the verdict.
  std::map<char, std::string> transports;  ///< Transport by style letter, for letters with a single transport.
  std::vector<std::string> legend;         ///< Lines that explain the labels.
  Table<Frame> frames;
  Table<Box> boxes;
  std::vector<Arrow> arrows;
  Arrangement arrangement = Arrangement::grid;  ///< Layout of the items outside all frames.
};

/// Chooses communicators of the model, builds their picture and lays it out.
Picture draw(const Model& model, const Report& report, const DotOptions& options);

constexpr double box_font = 12, label_font = 10;
/// Estimates the size of a label in a sans-serif font, rather too large than too small.
Point text_size(std::string_view label, double font);

/// Computes the positions of all boxes and frames.
void lay_out(Picture& picture);
/// Routes every arrow around boxes where possible, and places each label beside its arrow where the label covers no
/// box, title or other label. Removes labels for which no place is free, or all labels if there are too many arrows.
/// Returns the number of removed labels.
std::size_t route_arrows(Picture& picture);

}  // namespace nccl_analyze
