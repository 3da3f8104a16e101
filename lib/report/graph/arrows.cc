// Routes arrows around boxes and places their labels. Each arrow becomes a Bézier curve, which is as straight as
// possible without crossing boxes or overlapping other arrows. Each label is placed near the middle of its arrow, where
// it covers the fewest lines.

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <numeric>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "model/stable_sort.h"
#include "report/graph/curves.h"

namespace nccl_analyze {
namespace {

constexpr double head_length = 10;  ///< Length of Graphviz's arrow heads.
constexpr double clearance = 4;     ///< Distance of an arrow from its label and from boxes that it passes.
// Costs of a route. `detour` is the cost of a bend whose offset equals the length of the arrow; the others are the
// costs of a sampled point that lies on a box, on a title, or on another arrow.
constexpr double detour = 30, box_cost = 3, title_cost = 5, shared_cost = 0.5;
constexpr std::size_t max_labels = 600;

/// A cell of a square grid over the picture: column and row.
using Square = std::pair<long, long>;
Square square_of(Point point, double side) {
  return {std::lround(std::floor(point.x / side)), std::lround(std::floor(point.y / side))};
}

/// Sampled points of lines that labels should not cover, grouped by grid cell.
class Points {
 public:
  void add(Point point) { by_square_[square_of(point, side)].push_back(point); }

  std::size_t count(const Area& area) const {
    const Square low = square_of({area.left, area.bottom}, side), high = square_of({area.right, area.top}, side);
    std::size_t found = 0;
    for (long x = low.first; x <= high.first; ++x) {
      for (long y = low.second; y <= high.second; ++y) {
        const auto square = by_square_.find({x, y});
        if (square == by_square_.end()) continue;
        found += static_cast<std::size_t>(std::count_if(square->second.begin(), square->second.end(),
                                                        [&area](Point point) { return area.holds(point); }));
      }
    }
    return found;
  }

 private:
  static constexpr double side = 24;
  std::map<Square, std::vector<Point>> by_square_;
};

/// Positions of a curve's two inner control points, as fractions of the arrow's length: `first` and `last` are their
/// offsets to the right of the arrow, `early` is the distance of each from its end of the arrow.
struct Bend {
  double first = 0, last = 0, early = 1.0 / 3;
};
/// Returns all bends in the order in which they are tried. Nearly straight bends come first, because no more bends are
/// tried after the first one without a crossing.
std::vector<Bend> bends_to_try() {
  std::vector<Bend> bends{{}};
  for (const double aside : {0.1, -0.1, 0.2, -0.2, 0.3, -0.3}) bends.push_back({aside, aside});
  for (const double aside : {0.3, -0.3, 0.5, -0.5})
    for (const auto& [first, last] : {std::pair{1.0, 0.0}, {0.0, 1.0}, {1.0, 0.5}, {0.5, 1.0}, {1.0, -1.0}})
      bends.push_back({first * aside, last * aside});
  for (const double aside : {0.3, -0.3, 0.45, -0.45, 0.6, -0.6, 0.8, -0.8}) {
    bends.push_back({aside, aside, 0.05});
    bends.push_back({aside, aside});
  }
  return bends;
}

class Router {
 public:
  explicit Router(Picture& picture) : picture_(picture) {
    for (const Box& box : picture.boxes) boxes_.push_back(around({box.x, box.y}, box.width, box.height));
    for (const Arrow& arrow : picture.arrows) ends_.insert({arrow.from, arrow.to});
    for (const Frame& frame : picture.frames) {
      const Point title = text_size(frame.label, box_font);
      const double middle = (frame.left + frame.right) / 2;
      titles_.push_back({middle - title.x / 2, frame.top - title.y - 2 * clearance, middle + title.x / 2, frame.top});
      add_border(frame);
    }
  }

  /// Routes all arrows, then places their labels. Short arrows come first, because long arrows have more ways around
  /// short ones. Clears the labels that have no place, or all labels if there are more than `max_labels` arrows, and
  /// returns their number.
  std::size_t route_all() {
    std::vector<std::size_t> order(picture_.arrows.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    sort_stably(order, [this](std::size_t a, std::size_t b) {
      return distance(picture_.arrows[a]) < distance(picture_.arrows[b]);
    });
    std::vector<Bow> bows(order.size());
    for (const std::size_t i : order) bows[i] = route(picture_.arrows[i]);
    std::size_t unplaced = 0;
    for (const std::size_t i : order) {
      Arrow& arrow = picture_.arrows[i];
      if (arrow.label.empty() || (bows.size() <= max_labels && place_label(arrow, bows[i]))) continue;
      arrow.label.clear();
      ++unplaced;
    }
    return unplaced;
  }

 private:
  void add_border(const Frame& frame) {
    const std::array<Point, 5> corners{{{frame.left, frame.bottom},
                                        {frame.right, frame.bottom},
                                        {frame.right, frame.top},
                                        {frame.left, frame.top},
                                        {frame.left, frame.bottom}}};
    for (std::size_t i = 0; i + 1 < corners.size(); ++i) {
      const Point side = corners[i + 1] - corners[i];
      for (double at = 0; at < length(side); at += stride) lines_.add(corners[i] + (at / length(side)) * side);
    }
  }

  const Box& box(int number) const { return picture_.boxes[number]; }

  Point middle(int number) const { return {box(number).x, box(number).y}; }
  double distance(const Arrow& arrow) const { return length(middle(arrow.to) - middle(arrow.from)); }

  /// Returns the cost of the points at which the curve passes over other boxes or titles, or along other arrows.
  double crossings(const Arrow& arrow, const Bow& bow) const {
    const Area reach = area_of(bow).wider(clearance);
    std::vector<Area> boxes, titles;
    for (std::size_t i = 0; i < boxes_.size(); ++i)
      if (static_cast<int>(i) != arrow.from && static_cast<int>(i) != arrow.to && boxes_[i].meets(reach))
        boxes.push_back(boxes_[i].wider(clearance));
    std::copy_if(titles_.begin(), titles_.end(), std::back_inserter(titles),
                 [&reach](const Area& title) { return title.meets(reach); });
    const int steps = steps_of(bow);
    double found = 0;
    int shared = 0;
    for (int step = 1; step < steps; ++step) {
      const Point point = bow.at(static_cast<double>(step) / steps);
      const auto holds = [point](const Area& area) { return area.holds(point); };
      if (std::any_of(boxes.begin(), boxes.end(), holds)) found += box_cost;
      if (std::any_of(titles.begin(), titles.end(), holds)) found += title_cost;
      if (taken_.contains(square_of(point, stride))) ++shared;
    }
    constexpr int few = 6;  // arrows that only cross, or only have a common end, share about this many points
    return found + shared_cost * std::max(shared - few, 0);
  }

  /// Returns the cheapest of the curves that are tried, from the middle of the box at the arrow's start to the middle
  /// of the box at its end. No more curves are tried after the first one that crosses nothing.
  Bow best_bend(const Arrow& arrow) const {
    const Point from = middle(arrow.from), to = middle(arrow.to);
    const Point along = to - from;
    const Point aside{along.y, -along.x};  // perpendicular, to the right
    // If an opposite arrow exists, both arrows bend to their right, so that they do not overlap.
    const bool has_opposite = !arrow.both && ends_.contains({arrow.to, arrow.from});
    const std::size_t tries = picture_.arrows.size() <= max_labels ? bends_.size() : 3;
    Bow best;
    double least = std::numeric_limits<double>::max();
    for (const Bend& bend : std::span(bends_).first(tries)) {
      if (arrow.headless && bend.first != 0) break;
      if (has_opposite && bend.first + bend.last <= 0) continue;
      const Bow bow{
          {from, from + bend.early * along + bend.first * aside, to - bend.early * along + bend.last * aside, to}};
      const double found = crossings(arrow, bow);
      const double cost = found + detour * std::max(std::abs(bend.first), std::abs(bend.last));
      if (cost < least) best = bow;
      least = std::min(least, cost);
      if (found == 0) break;
    }
    return best;
  }

  /// Sets the arrow's ends, and returns the part of the curve between its heads.
  Bow between_heads(Arrow& arrow, const Bow& bow) const {
    double begin = border(bow, boxes_[arrow.from], true);
    double end = border(bow, boxes_[arrow.to], false);
    arrow.tail = bow.at(begin);
    arrow.head = bow.at(end);
    if (!arrow.headless) end = away_from(bow, end, head_length);
    if (arrow.both) begin = away_from(bow, begin, head_length);
    return part(bow, begin, end);
  }

  /// Returns the points of Arrow::curve. A bent curve is split into four pieces, because Graphviz enlarges the picture
  /// to hold all control points, and the control points of short curves lie closer to the curve.
  static std::vector<Point> curve_of(const Bow& bow) {
    const int pieces = is_straight(bow) ? 1 : 4;
    std::vector<Point> points{bow.points.front()};
    for (int i = 0; i < pieces; ++i) {
      const Bow piece = part(bow, static_cast<double>(i) / pieces, static_cast<double>(i + 1) / pieces);
      points.insert(points.end(), piece.points.begin() + 1, piece.points.end());
    }
    return points;
  }

  Bow route(Arrow& arrow) {
    const Bow drawn = between_heads(arrow, best_bend(arrow));
    arrow.curve = curve_of(drawn);
    const int steps = steps_of(drawn);
    for (int step = 0; step <= steps; ++step) {
      const Point point = drawn.at(static_cast<double>(step) / steps);
      lines_.add(point);
      taken_.insert(square_of(point, stride));
    }
    return drawn;
  }

  bool place_label(Arrow& arrow, const Bow& bow) {
    constexpr int places = 9;  // number of places that are tried on each side of the middle
    const Point size = text_size(arrow.label, label_font);
    std::size_t least = std::numeric_limits<std::size_t>::max();
    Area taken;
    for (int place = 0; place <= 2 * places && least > 0; ++place) {
      const int away = (place + 1) / 2;
      const double t = 0.5 + (place % 2 == 0 ? 0.04 : -0.04) * away;
      const Point point = bow.at(t);
      const Point ahead = bow.slope(t);
      const double unit = length(ahead);
      if (unit == 0) continue;
      for (const double side : {1.0, -1.0}) {
        const Point aside{side * ahead.y / unit, -side * ahead.x / unit};
        const double reach = std::abs(aside.x) * size.x / 2 + std::abs(aside.y) * size.y / 2 + clearance;
        const Point middle = point + reach * aside;
        const Area area = around(middle, size.x, size.y);
        const auto meets = [&area](const Area& other) { return other.meets(area); };
        if (std::any_of(boxes_.begin(), boxes_.end(), meets) || std::any_of(titles_.begin(), titles_.end(), meets) ||
            std::any_of(labels_.begin(), labels_.end(), meets))
          continue;
        const std::size_t covered = lines_.count(area);
        if (covered >= least) continue;
        least = covered;
        arrow.label_at = middle;
        taken = area;
      }
    }
    if (least == std::numeric_limits<std::size_t>::max()) return false;
    labels_.push_back(taken);
    return true;
  }

  Picture& picture_;
  const std::vector<Bend> bends_ = bends_to_try();
  Table<Area> boxes_;
  std::vector<Area> titles_, labels_;
  Points lines_;                        ///< Points of arrows and of the borders of frames.
  std::set<Square> taken_;              ///< Grid cells that contain points of arrows.
  std::set<std::pair<int, int>> ends_;  ///< Boxes at both ends of each arrow.
};

}  // namespace

std::size_t route_arrows(Picture& picture) { return Router(picture).route_all(); }

}  // namespace nccl_analyze
