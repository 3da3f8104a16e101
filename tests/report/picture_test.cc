// Tests the positions of boxes, arrows and labels in a picture, and what is drawn besides links: suspects, switches,
// and NVLink between hosts.

#include "report/graph/picture.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "catch.h"
#include "report/drawn_job.h"

namespace nccl_analyze::test {
namespace {

struct Area {
  double left, bottom, right, top;
};
Area around(Point middle, double width, double height) {
  return {middle.x - width / 2, middle.y - height / 2, middle.x + width / 2, middle.y + height / 2};
}
Area area_of(const Box& box) { return around({box.x, box.y}, box.width, box.height); }
bool meet(const Area& a, const Area& b) {
  return a.left < b.right && b.left < a.right && a.bottom < b.top && b.bottom < a.top;
}

std::vector<Area> labels_of(const Picture& picture) {
  std::vector<Area> labels;
  for (const Arrow& arrow : picture.arrows) {
    const Point size = text_size(arrow.label, label_font);
    if (!arrow.label.empty()) labels.push_back(around(arrow.label_at, size.x, size.y));
  }
  return labels;
}

/// Returns how far a point is outside a box: 0 on the border, negative inside.
double from_border(Point point, const Box& box) {
  const double x = std::abs(point.x - box.x) - box.width / 2, y = std::abs(point.y - box.y) - box.height / 2;
  return std::max(x, y);
}

}  // namespace

TEST_CASE("picture: labels cover no box and no other label, arrows begin and end at their boxes") {
  for (const auto& [hosts, per_host] : {std::pair{1, 8}, {2, 8}, {4, 8}, {9, 5}, {64, 1}, {16, 8}}) {
    Model model = ring_job(hosts, per_host);
    model.communicators[0].rings.push_back(model.communicators[0].rings[0]);
    std::vector<int> mixed;  // A ring that visits the ranks out of order.
    const int ranks = hosts * per_host;
    for (int i = 0; i < ranks; ++i) mixed.push_back(i * 7 % ranks);
    std::ranges::sort(mixed);
    mixed.erase(std::unique(mixed.begin(), mixed.end()), mixed.end());
    for (std::size_t i = 0; i + 1 < mixed.size(); i += 3) std::swap(mixed[i], mixed[mixed.size() - 1 - i]);
    model.communicators[0].rings[1].order = mixed;
    const Picture picture = drawn(model);
    INFO(hosts << " hosts of " << per_host);
    REQUIRE(!picture.arrows.empty());
    const std::vector<Area> labels = labels_of(picture);
    CHECK(labels.size() * 10 >= picture.arrows.size() * 9);
    for (const Area& label : labels) {
      CHECK(std::ranges::none_of(picture.boxes, [&](const Box& box) { return meet(label, area_of(box)); }));
      CHECK(std::ranges::count_if(labels, [&](const Area& other) { return meet(label, other); }) == 1);
    }
    for (const Arrow& arrow : picture.arrows) {
      CHECK(std::abs(from_border(arrow.tail, picture.boxes[static_cast<std::size_t>(arrow.from)])) < 1);
      CHECK(std::abs(from_border(arrow.head, picture.boxes[static_cast<std::size_t>(arrow.to)])) < 1);
      CHECK(arrow.curve.size() % 3 == 1);
    }
    for (const Box& box : picture.boxes)
      CHECK(std::ranges::count_if(picture.boxes,
                                  [&](const Box& other) { return meet(area_of(box), area_of(other)); }) == 1);
  }
}

TEST_CASE("picture: an arrow that another comes against lies beside it") {
  Model model = ring_job(1, 8);
  model.communicators[0].rings.push_back({1, std::vector<int>{0, 7, 6, 5, 4, 3, 2, 1}, true, false});
  const Picture picture = drawn(model, {.view = DotView::rings});
  REQUIRE(picture.arrows.size() == 16);
  for (const Arrow& arrow : picture.arrows) {
    const auto back = std::ranges::find_if(
        picture.arrows, [&](const Arrow& other) { return other.from == arrow.to && other.to == arrow.from; });
    REQUIRE(back != picture.arrows.end());
    CHECK(std::hypot(arrow.head.x - back->tail.x, arrow.head.y - back->tail.y) > 2);
  }
}

TEST_CASE("picture: the verdict is the title, suspects are marked with their rules and addresses") {
  const Model model = ring_job(2, 4);
  Report report;
  Finding finding;
  finding.rule = &fault;
  finding.message = "The plugin failed.";
  finding.communicators = {0};
  Suspect suspect;
  suspect.rank = 5;
  suspect.process = 5;
  finding.suspects = {suspect};
  report.findings = {finding};
  const Picture picture = drawn(model, {}, report);
  CHECK(picture.title.front().starts_with("ERROR  "));
  CHECK(picture.title.front().find("rank 5 (host-1, GPU 0, pid 105)") != std::string::npos);
  CHECK(box_named(picture, "c0r5").look == Look::error);
  CHECK(box_named(picture, "c0r5").label.ends_with("\\n! NCA301"));
  CHECK(box_named(picture, "c0r5").about == "rank 5 (host-1, GPU 0, pid 105); complete; suspected by NCA301");
  CHECK(box_named(picture, "c0r4").look == Look::plain);

  const Picture by_host = drawn(model, {.hosts_from = 4}, report);
  CHECK(box_named(by_host, "c0h1").look == Look::error);
  CHECK(box_named(by_host, "c0h0").look == Look::plain);

  Model without_log = ring_job(2, 4);
  without_log.communicators[0].ranks.erase(without_log.communicators[0].ranks.begin() + 5);
  report.findings[0].suspects[0].process = -1;
  const Picture absent = drawn(without_log, {}, report);
  CHECK(box_named(absent, "c0r5").dashed);
  CHECK(box_named(absent, "c0r5").look == Look::error);
}

TEST_CASE("picture: channels without a connection are told beside those with one") {
  Model model = ring_job(1, 3);
  Communicator& world = model.communicators[0];
  world.rings.push_back({1, world.rings[0].order, true, false});
  world.transports = {"P2P/CUMEM"};
  ConnectionGroup group;
  group.channels = 1;
  group.from = 0;
  group.to = 1;
  world.connections = ConnectionList{std::vector{group}};
  const Picture picture = drawn(model);
  REQUIRE(picture.arrows.size() == 3);
  CHECK(picture.arrows[0].label == "P \u00d71\\n? \u00d71");
  CHECK(picture.arrows[0].about == "rank 0 \u2192 rank 1: P2P/CUMEM \u00d71, transport not shown \u00d71, ch 0-1");
}

TEST_CASE("picture: the switch of a host is drawn where the log shows one") {
  Model model = ring_job(2, 4);
  CHECK(std::ranges::count(drawn(model).boxes, Look::hub, &Box::look) == 0);
  model.hosts[1].nvlink = Nvlink::switched;
  const Picture switched = drawn(model);
  CHECK(std::ranges::count(switched.boxes, Look::hub, &Box::look) == 1);
  CHECK(std::ranges::count(switched.arrows, true, &Arrow::headless) == 4);
  model.communicators[0].nvls_channels = 16;
  const Picture nvls = drawn(model);
  CHECK(box_named(nvls, "c0h0switch").label == "NVLink switch\\nNVLS, 16 channels");
  CHECK(box_named(nvls, "c0h1switch").label == "NVSwitch\\nNVLS, 16 channels");
  CHECK(std::ranges::count(drawn(model, {.view = DotView::rings}).boxes, Look::hub, &Box::look) == 0);

  model.communicators[0].mnnvl = 1;
  for (Rank& rank : model.communicators[0].ranks) rank.node = 0;
  const Picture rack = drawn(model);
  CHECK(std::ranges::count(rack.boxes, Look::hub, &Box::look) == 0);
  REQUIRE(rack.frames.size() == 3);
  CHECK(rack.frames[0].label == "NVLink joins these hosts (MNNVL), NVLS on 16 channels");
  CHECK(rack.frames[1].parent == 0);
  CHECK(rack.frames[2].parent == 0);
}

TEST_CASE("picture: what nothing joins takes little room, or none") {
  Model model = ring_job(2, 8);
  model.communicators.push_back(model.communicators[0]);
  model.communicators[1].rings.clear();
  const Picture one = drawn(model);
  CHECK(one.boxes.size() == 16);
  CHECK(one.title.back() == "of 1 other communicator no line shows who sends to whom: not drawn");

  model.communicators[0].rings.clear();
  const Picture none = drawn(model);
  CHECK(none.boxes.size() == 16);
  CHECK(none.title.back() == "no line of this input shows who sends to whom; the largest of 2 communicators");
  for (const Box& box : none.boxes) {
    CHECK(box.x < 900);
    CHECK(box.y < 500);
  }

  Model large = ring_job(10, 8);
  large.communicators[0].rings.clear();
  CHECK(drawn(large).boxes.size() == 10);
}

TEST_CASE("picture: ranks that are missing from a large job are a box") {
  Model model = ring_job(16, 8);
  model.communicators[0].ranks.resize(120);
  const Picture picture = drawn(model);
  REQUIRE(picture.boxes.size() == 16);
  CHECK(picture.boxes.back().label == "8 ranks without a log");
  CHECK(picture.boxes.back().dashed);
}

TEST_CASE("picture: letters stand for transports, unless one stands for several") {
  Model model = ring_job(1, 3);
  Communicator& world = model.communicators[0];
  world.transports = {"P2P/CUMEM", "P2P/IPC"};
  std::vector<ConnectionGroup> groups(2);
  for (std::uint16_t i = 0; i < 2; ++i) {
    groups[i].channels = 1;
    groups[i].from = i;
    groups[i].to = i + 1;
    groups[i].transport = i;
  }
  world.connections = ConnectionList{groups};
  const Picture several = drawn(model);
  CHECK(std::ranges::any_of(several.arrows, [](const Arrow& arrow) { return arrow.label == "P2P/IPC \u00d71"; }));
  CHECK(!several.transports.contains('P'));
  groups[1].transport = 0;
  world.connections = ConnectionList{groups};
  const Picture one = drawn(model);
  CHECK(std::ranges::any_of(one.arrows, [](const Arrow& arrow) { return arrow.label == "P \u00d71"; }));
  CHECK(one.transports.at('P') == "P2P/CUMEM");
}

}  // namespace nccl_analyze::test
