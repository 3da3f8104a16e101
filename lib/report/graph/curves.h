#pragma once
/// Plane geometry for the arrows of a picture: vectors, rectangles and cubic Bézier curves.

#include <array>
#include <cmath>

#include "report/graph/picture.h"

namespace nccl_analyze {

constexpr Point operator+(Point a, Point b) { return {a.x + b.x, a.y + b.y}; }
constexpr Point operator-(Point a, Point b) { return {a.x - b.x, a.y - b.y}; }
constexpr Point operator*(double factor, Point a) { return {factor * a.x, factor * a.y}; }
inline double length(Point a) { return std::hypot(a.x, a.y); }

/// A rectangle.
struct Area {
  double left = 0, bottom = 0, right = 0, top = 0;
  bool holds(Point point) const { return point.x >= left && point.x <= right && point.y >= bottom && point.y <= top; }
  /// Returns the area enlarged by `more` on each side.
  Area wider(double more) const { return {left - more, bottom - more, right + more, top + more}; }
  bool meets(const Area& other) const {
    return left < other.right && other.left < right && bottom < other.top && other.bottom < top;
  }
};

constexpr Area around(Point middle, double width, double height) {
  return {middle.x - width / 2, middle.y - height / 2, middle.x + width / 2, middle.y + height / 2};
}

/// A cubic Bézier curve. Its parameter goes from 0 at the start to 1 at the end.
struct Bow {
  std::array<Point, 4> points;
  Point at(double t) const {
    const double s = 1 - t;
    return s * s * s * points[0] + 3 * s * s * t * points[1] + 3 * s * t * t * points[2] + t * t * t * points[3];
  }
  /// Returns the derivative, a vector along the curve.
  Point slope(double t) const {
    const double s = 1 - t;
    return 3 * s * s * (points[1] - points[0]) + 6 * s * t * (points[2] - points[1]) +
           3 * t * t * (points[3] - points[2]);
  }
};

constexpr double stride = 6;  ///< Distance between the points at which a curve is sampled.

/// Returns the number of steps, 8 to 400, in which the curve is sampled.
int steps_of(const Bow& bow);
/// Returns the bounding box of the control points, which contains the whole curve.
Area area_of(const Bow& bow);
/// Whether both inner control points are at most 1 pt away from the line through the curve's ends.
bool is_straight(const Bow& bow);
/// Returns the parameter at which the curve crosses the border of `box`. `leaves`: whether the curve starts in `box`
/// and leaves it in its first half; otherwise it enters `box` in its second half and ends there.
double border(const Bow& bow, const Area& box, bool leaves);
/// Returns the parameter at which the curve, on its way from `t` to its middle, is `distance` away from its point at
/// `t`; about 0.5, the middle, if it does not get so far away.
double away_from(const Bow& bow, double t, double distance);
/// Returns the part of the curve between two parameters, as a curve of its own.
Bow part(const Bow& bow, double begin, double end);

}  // namespace nccl_analyze
