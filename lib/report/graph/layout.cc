// Computes the positions of boxes and frames: the ranks of a host on a circle, and the hosts in rows of alternating
// direction, so that neighbours in a ring are neighbours in the picture. The time is linear in the size of the picture,
// unlike the time of general graph layouts.

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <set>
#include <vector>

#include "report/graph/picture.h"
#include "text/escape.h"

namespace nccl_analyze {
namespace {

constexpr double letter_width = 0.64, wide_width = 1, line_height = 1.2;  // Relative to the font size.
constexpr double frame_font = 13, margin = 16;
constexpr double page_shape = 1.4;  // Width divided by height.

using Corner = Point;

struct Size {
  double width = 0, height = 0;
};

/// A unit of the layout: a box, or a frame with its contents.
struct Item {
  Size size;
  std::vector<Box*> boxes;
  std::vector<Frame*> frames;

  void move(double x, double y) {
    for (Box* box : boxes) {
      box->x += x;
      box->y += y;
    }
    for (Frame* frame : frames) {
      frame->left += x;
      frame->right += x;
      frame->bottom += y;
      frame->top += y;
    }
  }
};

/// Moves `items[i]` from the origin to `corners[i]`, and merges all items into one, whose lower left corner is at the
/// origin again.
Item join(std::vector<Item>& items, const std::vector<Corner>& corners) {
  Item whole;
  Corner least;
  for (const Corner& corner : corners) least = {std::min(least.x, corner.x), std::min(least.y, corner.y)};
  for (std::size_t i = 0; i < items.size(); ++i) {
    Item& item = items[i];
    const double x = corners[i].x - least.x, y = corners[i].y - least.y;
    item.move(x, y);
    whole.size.width = std::max(whole.size.width, x + item.size.width);
    whole.size.height = std::max(whole.size.height, y + item.size.height);
    whole.boxes.insert(whole.boxes.end(), item.boxes.begin(), item.boxes.end());
    whole.frames.insert(whole.frames.end(), item.frames.begin(), item.frames.end());
  }
  return whole;
}

Size largest(const std::vector<Item>& items) {
  Size size;
  for (const Item& item : items) {
    size.width = std::max(size.width, item.size.width);
    size.height = std::max(size.height, item.size.height);
  }
  return size;
}

/// Places items on a circle, counter-clockwise from the top left to the top right. A ring thus enters the host at the
/// top left and leaves it at the top right.
Item circle(std::vector<Item> items, Size gap) {
  const Size cell = largest(items);
  const double step = 2 * std::numbers::pi / static_cast<double>(items.size());
  const double distance = cell.height + (cell.width + gap.width) / 2;
  const double radius = items.size() < 2 ? 0 : distance / (2 * std::sin(step / 2));
  const double wide = items.size() < 2 ? 0 : radius + cell.width / 4;
  std::vector<Corner> corners;
  for (std::size_t i = 0; i < items.size(); ++i) {
    const double angle = step * (static_cast<double>(i) + 0.5);
    corners.push_back(
        {-wide * std::sin(angle) - items[i].size.width / 2, radius * std::cos(angle) - items[i].size.height / 2});
  }
  return join(items, corners);
}

struct Cell {
  std::size_t row, column;
};

/// Returns the first `count` cells of a closed walk through a grid: along the first row, back and forth through the
/// rows below without their first column, and up the first column. Cells that remain at the end of the walk leave room
/// for the arrow that closes the ring.
std::vector<Cell> loop(std::size_t count, std::size_t row_count) {
  std::vector<Cell> cells;
  const std::size_t width = (count + row_count - 1) / row_count;
  for (std::size_t column = 0; column < width; ++column) cells.push_back({0, column});
  for (std::size_t row = 1; row < row_count; ++row)
    for (std::size_t i = 1; i < width; ++i) cells.push_back({row, row % 2 == 0 ? i : width - i});
  for (std::size_t row = row_count - 1; row > 0; --row) cells.push_back({row, 0});
  cells.resize(count);
  return cells;
}

/// Returns the number of rows in a grid: one for up to three items, else an even number, so that loop() ends next to
/// its start.
std::size_t rows_for(std::size_t count, double width, double height) {
  if (count <= 3) return 1;
  const double square = std::sqrt(static_cast<double>(count) * width / height / page_shape);
  return 2 * std::clamp<std::size_t>(static_cast<std::size_t>(std::lround(square / 2)), 1, count / 2);
}

Item grid(std::vector<Item> items, Size gap) {
  const Size cell = largest(items);
  const std::vector<Cell> cells =
      loop(items.size(), rows_for(items.size(), cell.width + gap.width, cell.height + gap.height));
  std::map<std::size_t, double> widths, heights;
  for (std::size_t i = 0; i < items.size(); ++i) {
    double& width = widths[cells[i].column];
    double& height = heights[cells[i].row];
    width = std::max(width, items[i].size.width);
    height = std::max(height, items[i].size.height);
  }
  std::map<std::size_t, double> middles_x, middles_y;
  double x = 0, y = 0;
  for (const auto& [column, width] : widths) {
    middles_x[column] = x + width / 2;
    x += width + gap.width;
  }
  for (const auto& [row, height] : heights) {
    middles_y[row] = y - height / 2;
    y -= height + gap.height;
  }
  std::vector<Corner> corners;
  for (std::size_t i = 0; i < items.size(); ++i)
    corners.push_back(
        {middles_x[cells[i].column] - items[i].size.width / 2, middles_y[cells[i].row] - items[i].size.height / 2});
  return join(items, corners);
}

/// Places items in rows, like words on a page.
Item lines(std::vector<Item> items, Size gap) {
  double area = 0;
  for (const Item& item : items) area += (item.size.width + gap.width) * (item.size.height + gap.height);
  const double page_width = std::max(largest(items).width, std::sqrt(area * page_shape));
  std::vector<Corner> corners;
  double x = 0, top = 0, height = 0;
  for (const Item& item : items) {
    if (x > 0 && x + item.size.width > page_width) {
      top -= height + gap.height;
      x = height = 0;
    }
    corners.push_back({x, top - item.size.height});
    x += item.size.width + gap.width;
    height = std::max(height, item.size.height);
  }
  return join(items, corners);
}

/// Places each item by the level and row of its box, levels from left to right.
Item levels(std::vector<Item> items, Size gap) {
  const Size cell = largest(items);
  std::vector<Corner> corners;
  for (const Item& item : items) {
    const Box& box = *item.boxes.front();
    corners.push_back({box.level * (cell.width + gap.width) - item.size.width / 2,
                       -box.row * (cell.height + 2 * margin) - item.size.height / 2});
  }
  return join(items, corners);
}

class Layout {
 public:
  explicit Layout(Picture& picture) : picture_(picture) {
    for (const Arrow& arrow : picture.arrows) {
      const Point label = text_size(arrow.label, label_font);
      gap_.width = std::max(gap_.width, label.x + 2 * margin);
      gap_.height = std::max(gap_.height, label.y + 2 * margin);
      joined_.insert({frame_of(arrow.from), frame_of(arrow.to)});
    }
    gap_.width = std::min(gap_.width, 200.0);
    gap_.height = std::min(gap_.height, 100.0);
  }

  void place_all() { place(-1); }

 private:
  int frame_of(int box) const { return picture_.boxes[box].frame; }

  Item place(int number) {
    std::vector<Item> items, hubs;
    bool has_frames = false;
    for (std::size_t i = 0; i < picture_.frames.size(); ++i) {
      if (picture_.frames[i].parent != number) continue;
      items.push_back(place(static_cast<int>(i)));
      has_frames = true;
    }
    for (Box& box : picture_.boxes) {
      if (box.frame != number) continue;
      const Point text = text_size(box.label, box_font);
      const Size size{std::max(text.x + margin, 54.0), std::max(text.y + margin, 36.0)};
      box.width = size.width;
      box.height = size.height;
      box.x = size.width / 2;
      box.y = size.height / 2;
      (box.look == Look::hub ? hubs : items).push_back({size, {&box}, {}});
    }
    return framed(arranged(std::move(items), std::move(hubs), number, has_frames), number);
  }

  Item arranged(std::vector<Item> items, std::vector<Item> hubs, int number, bool has_frames) const {
    const Arrangement arrangement = number < 0 ? picture_.arrangement : picture_.frames[number].arrangement;
    if (arrangement == Arrangement::levels) return levels(std::move(items), gap_);
    if (arrangement == Arrangement::lines) return lines(std::move(items), {3 * margin, 3 * margin});
    const Size tight{margin, margin};
    if (has_frames || arrangement == Arrangement::grid)
      return grid(std::move(items), picture_.arrows.empty() ? tight : gap_);
    if (!joined_.contains(number)) return lines(std::move(items), tight);
    const bool has_room_inside = items.size() > 3;
    Item ring = circle(std::move(items), gap_);
    if (hubs.empty()) return ring;
    const Size hub = hubs.front().size;
    const Corner middle{(ring.size.width - hub.width) / 2,
                        has_room_inside ? (ring.size.height - hub.height) / 2 : -hub.height - gap_.height};
    std::vector<Item> both{std::move(ring), std::move(hubs.front())};
    return join(both, {{0, 0}, middle});
  }

  /// Puts frame `number` around the item; -1 stands for no frame.
  Item framed(Item item, int number) {
    if (number < 0) return item;
    Frame& frame = picture_.frames[number];
    const Point title = text_size(frame.label, frame_font);
    const double width = std::max(item.size.width, title.x) + 2 * margin;
    item.move((width - item.size.width) / 2, margin);
    item.size = {width, item.size.height + title.y + 2 * margin};
    frame.left = frame.bottom = 0;
    frame.right = item.size.width;
    frame.top = item.size.height;
    item.frames.push_back(&frame);
    return item;
  }

  Picture& picture_;
  Size gap_{2 * margin, 2 * margin};  ///< Room for the labels of arrows.
  std::set<int> joined_;              ///< Frames that contain an end of an arrow.
};

}  // namespace

Point text_size(std::string_view label, double font) {
  Point size;
  if (label.empty()) return size;
  std::size_t start = 0;
  while (start <= label.size()) {
    const std::size_t end = std::min(label.find("\\n", start), label.size());
    const std::string_view line = label.substr(start, end - start);
    const auto letters =
        static_cast<double>(std::count_if(line.begin(), line.end(), [](char c) { return c >= ' ' && c <= '~'; }));
    const double others = static_cast<double>(columns(line)) - letters;  // characters outside ASCII, such as arrows
    size.x = std::max(size.x, font * (letter_width * letters + wide_width * others));
    size.y += line_height * font;
    start = end + 2;
  }
  return size;
}

void lay_out(Picture& picture) { Layout{picture}.place_all(); }

}  // namespace nccl_analyze
