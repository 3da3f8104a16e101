#pragma once
/// Draws the trees of a communicator, each from its root on the left to its leaves on the right.

#include <functional>
#include <span>

#include "report/picture_scene.h"

namespace nccl_analyze {

/// The places of a tree, which are ranks or hosts, and how their boxes are drawn.
struct TreePlaces {
  std::function<int(int rank)> place_of;
  std::function<bool(int from, int to)> is_wanted;
  std::function<void(std::span<const Tree> trees)> begin;  ///< Called before the boxes of a set of equal trees.
  std::function<Box(int place)> box_of;
};

/// Draws trees with the same links between places once, with all their channels.
void draw_trees(const Scene& scene, const TreePlaces& places, Picture& picture);

}  // namespace nccl_analyze
