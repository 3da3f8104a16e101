#pragma once
/// Jobs for tests of pictures, and access to the boxes of a picture.

#include <algorithm>
#include <string>
#include <vector>

#include "catch.h"
#include "report/graph/picture.h"
#include "report_models.h"

namespace nccl_analyze::test {

/// Returns a job with a ring over all ranks of all hosts, one process per rank, and no connections.
inline Model ring_job(int hosts, int per_host) {
  Model model;
  Communicator world = ring_of_four();
  world.nranks = hosts * per_host;
  world.nnodes = hosts;
  world.ranks.clear();
  std::vector<int> order;
  for (int rank = 0; rank < world.nranks; ++rank) {
    model.processes.push_back(process_on("host-" + std::to_string(rank / per_host)));
    model.processes.back().pid = 100 + rank;
    model.processes.back().host_index = rank / per_host;
    world.ranks.push_back(rank_of(rank, rank));
    world.ranks.back().node = rank / per_host;
    order.push_back(rank);
  }
  for (int host = 0; host < hosts; ++host) {
    model.hosts.emplace_back();
    model.hosts.back().name = "host-" + std::to_string(host);
  }
  world.connections = {};
  world.rings = {{0, order, true, false}};
  world.trees.clear();
  model.communicators = {world};
  return model;
}

inline Picture drawn(const Model& model, const DotOptions& options = {}, const Report& report = {}) {
  return draw(model, report, options);
}

inline const Box& box_named(const Picture& picture, std::string_view id) {
  const auto found = std::ranges::find(picture.boxes, id, &Box::id);
  REQUIRE(found != picture.boxes.end());
  return *found;
}

}  // namespace nccl_analyze::test
