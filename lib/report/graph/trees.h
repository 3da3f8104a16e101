#pragma once
/// Draws the trees of a communicator, each from its root on the left to its leaves on the right.

#include <functional>
#include <span>

#include "report/graph/scene.h"

namespace nccl_analyze {

/// Callbacks that map each rank to a place, which is the rank itself or its host, and that build the box of a place.
struct TreePlaces {
  std::function<int(int rank)> place_of;
  std::function<bool(int from, int to)> is_wanted;
  std::function<void(std::span<const Tree> trees)> begin;  ///< Called once per group of equal trees, before box_of().
  std::function<Box(int place)> box_of;
};

/// Draws the communicator's trees. Trees with the same links between places are drawn as one, whose title lists the
/// channels of all.
void draw_trees(const Scene& scene, const TreePlaces& places, Picture& picture);

}  // namespace nccl_analyze
