// Tests trees in a picture: levels, shapes that repeat, parts of a tree, and their connections.

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "catch.h"
#include "report/drawn_job.h"

namespace nccl_analyze::test {
namespace {}  // namespace

TEST_CASE("picture: trees go level by level, those that are alike once") {
  Model model = ring_job(1, 7);
  const std::vector<std::pair<int, int>> binary{{0, 1}, {0, 2}, {1, 3}, {1, 4}, {2, 5}, {2, 6}};
  const std::vector<std::pair<int, int>> chain{{6, 5}, {5, 4}, {4, 3}, {3, 2}, {2, 1}, {1, 0}};
  model.communicators[0].trees = {{0, binary, true}, {1, chain, true}, {2, binary, true}};
  const Picture picture = drawn(model, {.view = DotView::trees});
  REQUIRE(picture.frames.size() == 2);
  CHECK(picture.frames[0].label == "tree, channels 0,2, 3 levels");
  CHECK(picture.frames[1].label == "tree, channel 1, 7 levels");
  CHECK(picture.arrows.size() == 12);
  for (const Arrow& arrow : picture.arrows)
    CHECK(picture.boxes[static_cast<std::size_t>(arrow.from)].x < picture.boxes[static_cast<std::size_t>(arrow.to)].x);
  CHECK(box_named(picture, "c0t0p1").x == box_named(picture, "c0t0p2").x);
  CHECK(box_named(picture, "c0t0p1").y > box_named(picture, "c0t0p2").y);
  const double amid = (box_named(picture, "c0t0p3").y + box_named(picture, "c0t0p6").y) / 2;
  CHECK(std::abs(box_named(picture, "c0t0p0").y - amid) < 1);
  CHECK(box_named(picture, "c0t1p0").label.starts_with("rank 0\\nhost-0\\n"));
}

TEST_CASE("picture: a tree whose links close a circle is drawn whole") {
  Model model = ring_job(1, 5);
  model.communicators[0].trees = {{0, std::vector<std::pair<int, int>>{{0, 1}, {1, 2}, {2, 1}, {3, 4}, {4, 3}}}};
  const Picture picture = drawn(model, {.view = DotView::trees});
  CHECK(picture.boxes.size() == 5);
  CHECK(picture.arrows.size() == 5);
}

TEST_CASE("picture: a part of a tree keeps its levels") {
  Model model = ring_job(4, 2);
  std::vector<std::pair<int, int>> chain;
  for (int rank = 1; rank < 8; ++rank) chain.emplace_back(rank - 1, rank);
  model.communicators[0].trees = {{0, chain, true}};
  const Picture picture =
      drawn(model, {.view = DotView::trees, .inside = [](std::string_view host) { return host == "host-2"; }});
  REQUIRE(picture.frames.size() == 1);
  CHECK(picture.frames[0].label == "tree, channel 0, 8 levels; a part of it");
  CHECK(picture.boxes.size() == 4);
  CHECK(box_named(picture, "c0t0p3").level == 3);
  CHECK(box_named(picture, "c0t0p3").dashed);
  CHECK(box_named(picture, "c0t0p3").label.starts_with("rank 3\\nhost-1"));
}

TEST_CASE("picture: a tree has the connections of its own ranks, and none that are an NVLS tree's") {
  Model model = ring_job(2, 2);
  Communicator& world = model.communicators[0];
  world.trees = {{0, std::vector<std::pair<int, int>>{{0, 1}, {0, 2}, {2, 3}}, true}};
  world.transports = {"NET/IB"};
  ConnectionGroup ring;  // It joins the same hosts on the same channel.
  ring.channels = 1;
  ring.from = 1;
  ring.to = 2;
  world.connections = ConnectionList{std::vector{ring}};
  const auto between = [&](const DotOptions& options) {
    const Picture picture = drawn(model, options);
    const auto found = std::ranges::find_if(picture.arrows, [&](const Arrow& arrow) {
      return picture.boxes[static_cast<std::size_t>(arrow.from)].frame ==
                 picture.boxes[static_cast<std::size_t>(arrow.to)].frame &&
             arrow.about.find(" \u2192 host-1") != std::string::npos;
    });
    return found == picture.arrows.end() ? std::string{} : found->about;
  };
  const DotOptions by_host{.view = DotView::trees, .hosts_from = 2};
  CHECK(between(by_host) == "host-0 \u2192 host-1: transport not shown, ch 0");
  ring.from = 0;
  world.connections = ConnectionList{std::vector{ring}};
  CHECK(between(by_host) == "host-0 \u2192 host-1: NET/IB, ch 0");
  for (Rank& rank : world.ranks) rank.connected = bit_of(Algorithm::nvls_tree);
  CHECK(between(by_host) == "host-0 \u2192 host-1: transport not shown, ch 0");
  const Picture nvls = drawn(model, by_host);
  CHECK(std::ranges::count(nvls.title, "an NVLS tree is connected; no line shows its links") == 1);
}

}  // namespace nccl_analyze::test
