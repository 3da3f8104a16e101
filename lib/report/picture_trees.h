#pragma once
/// Trees of a communicator, each from its root on the left to its leaves on the right.

#include <functional>
#include <span>

#include "report/picture.h"

namespace nccl_analyze {

/// What is a place in a tree, a rank or a host, and how it is drawn.
struct TreePlaces {
  std::function<int(int rank)> place_of;
  std::function<bool(int from, int to)> is_wanted;
  std::function<void(std::span<const Tree> trees)> begin;  ///< Trees that are alike: their boxes follow.
  std::function<Box(int place)> box_of;
};

/// Trees whose links between places are the same are drawn once, with their channels.
void draw_trees(const Scene& scene, const TreePlaces& places, Picture& picture);

}  // namespace nccl_analyze
