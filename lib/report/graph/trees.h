#pragma once
/// Draws the trees of a communicator, each from its root on the left to its leaves on the right.

#include <functional>
#include <span>

#include "report/graph/scene.h"

namespace nccl_analyze {

/// Callbacks of draw_trees(). A place is a rank or a host: `place_of` returns the place of a rank, and `box_of` builds
/// the box of a place.
struct TreePlaces {
  std::function<int(int rank)> place_of;
  std::function<bool(int from, int to)> is_wanted;
  std::function<void(std::span<const Tree> trees)> begin;  ///< Called once per group of equal trees, before box_of().
  std::function<Box(int place)> box_of;
};

/// Draws the communicator's trees. Trees with the same links between places are drawn once, under a title that lists
/// all their channels.
void draw_trees(const Scene& scene, const TreePlaces& places, Picture& picture);

}  // namespace nccl_analyze
