// Measures, splits and cuts Bézier curves.

#include "report/graph/curves.h"

#include <algorithm>

namespace nccl_analyze {
namespace {

/// Returns the length of the lines between the control points, an upper bound of the curve's length.
double length_of(const Bow& bow) {
  double sum = 0;
  for (std::size_t i = 1; i < bow.points.size(); ++i) sum += length(bow.points[i] - bow.points[i - 1]);
  return sum;
}

}  // namespace

int steps_of(const Bow& bow) { return static_cast<int>(std::clamp(length_of(bow) / stride, 8.0, 400.0)); }

Area area_of(const Bow& bow) {
  Area area{bow.points[0].x, bow.points[0].y, bow.points[0].x, bow.points[0].y};
  for (const Point point : bow.points)
    area = {std::min(area.left, point.x), std::min(area.bottom, point.y), std::max(area.right, point.x),
            std::max(area.top, point.y)};
  return area;
}

bool is_straight(const Bow& bow) {
  const Point chord = bow.points[3] - bow.points[0];
  const auto is_on_it = [&](Point point) {
    const Point offset = point - bow.points[0];
    return std::abs(offset.x * chord.y - offset.y * chord.x) <= length(chord);
  };
  return is_on_it(bow.points[1]) && is_on_it(bow.points[2]);
}

double border(const Bow& bow, const Area& box, bool leaves) {
  double inside = leaves ? 0 : 1, outside = 0.5;
  for (int i = 0; i < 24; ++i) {
    const double middle = (inside + outside) / 2;
    (box.holds(bow.at(middle)) ? inside : outside) = middle;
  }
  return outside;
}

double away_from(const Bow& bow, double t, double distance) {
  const Point start = bow.at(t);
  double near = t, far = 0.5;
  for (int i = 0; i < 24; ++i) {
    const double middle = (near + far) / 2;
    (length(bow.at(middle) - start) < distance ? near : far) = middle;
  }
  return far;
}

Bow part(const Bow& bow, double begin, double end) {
  const Point from = bow.at(begin), to = bow.at(end);
  const double third = (end - begin) / 3;
  return {{from, from + third * bow.slope(begin), to - third * bow.slope(end), to}};
}

}  // namespace nccl_analyze
