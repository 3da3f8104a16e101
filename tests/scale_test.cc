// Tests large simulated jobs: the graph in the model must equal the graph that was simulated.

#include <algorithm>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "catch.h"
#include "nccl_analyze/analyzer.h"
#include "nccl_analyze/event.h"
#include "nccl_analyze/report.h"
#include "nccl_analyze/requirements.h"
#include "simulated_job.h"

namespace nccl_analyze::test {
namespace {

template <class Take>
ParseStats read_job(const JobShape& shape, Take take) {
  Parser parser(SourceId{0}, take);
  simulate(shape, [&](const std::string& line) { parser.feed(line); });
  parser.finish();
  return parser.stats();
}

void check_ring(const JobShape& shape, const Ring& ring) {
  REQUIRE(ring.complete);
  REQUIRE(ring.order.size() == static_cast<std::size_t>(shape.ranks()));
  bool follows = true;
  for (std::size_t i = 0; i < ring.order.size(); ++i)
    follows = follows && ring.order[(i + 1) % ring.order.size()] == ring_next(shape, ring.order[i], ring.channel);
  CHECK(follows);
}

void check_tree(const JobShape& shape, const Tree& tree) {
  std::size_t told = 0;
  for (int rank = 0; rank < shape.ranks(); ++rank) {
    const int parent = tree_parent(shape, rank);
    if (parent >= 0 && std::max(trees_shown(shape, rank), trees_shown(shape, parent)) > tree.channel) ++told;
  }
  CHECK(tree.links.size() == told);
  CHECK(tree.complete == (told + 1 == static_cast<std::size_t>(shape.ranks())));
  CHECK(std::all_of(tree.links.begin(), tree.links.end(),
                    [&](const auto& link) { return tree_parent(shape, link.second) == link.first; }));
}

std::size_t connections_of(const JobShape& shape) {
  std::size_t count = 0;
  for (int c = 0; c < shape.channels; ++c)
    for (int rank = 0; rank < shape.ranks(); ++rank) {
      const int parent = tree_parent(shape, rank);
      count += 1 + (parent >= 0 && parent != ring_next(shape, rank, c) ? 1U : 0U);
    }
  return count;
}

void check_job(const JobShape& shape, const Model& model) {
  REQUIRE(model.communicators.size() == 1U + static_cast<std::size_t>(shape.hosts + shape.local_ranks));
  CHECK(model.ambiguities.empty());
  CHECK(model.dropped == 0);
  const Communicator& world = model.communicators.front();
  CHECK(world.nranks == shape.ranks());
  CHECK(world.nnodes == shape.hosts);
  CHECK(world.ranks.size() == static_cast<std::size_t>(shape.ranks()));
  REQUIRE(world.rings.size() == static_cast<std::size_t>(shape.channels));
  for (const Ring& ring : world.rings) check_ring(shape, ring);
  for (const Tree& tree : world.trees) check_tree(shape, tree);
  CHECK(world.connections.size() == connections_of(shape));
  for (const Communicator& child : model.communicators) {
    if (&child == &world) continue;
    CHECK(child.parent == 0);
    CHECK(child.ranks.size() == static_cast<std::size_t>(child.nranks));
  }
}

/// Checks that the model equals the simulated job, that every line is recognised, and that no rule finds a fault.
void check_simulated(const JobShape& shape) {
  ModelBuilder builder;
  const ParseStats stats = read_job(shape, [&](const Record& record) { builder.add(record); });
  builder.add_source(SourceId{0}, "job", stats);
  CHECK(stats.unrecognized == 0);
  const Model model = std::move(builder).build();
  check_job(shape, model);
  const Report report = analyze(model);
  CHECK(std::none_of(report.findings.begin(), report.findings.end(),
                     [](const Finding& finding) { return finding.severity() > Severity::info; }));
}

}  // namespace

TEST_CASE("scale: 640 ranks on 16 channels have the rings, trees and connections that were simulated, and no finding") {
  check_simulated({.hosts = 80, .channels = 16});
}
TEST_CASE("scale: the same of 1,024 ranks on 32 channels, whose lists of trees NCCL cuts") {
  check_simulated({.hosts = 128, .channels = 32});
}
TEST_CASE("scale: the same of 16,384 ranks on 32 channels", "[.large]") {
  check_simulated({.hosts = 2048, .channels = 32});
}
TEST_CASE("scale: the same of 131,072 ranks on 32 channels", "[.large]") {
  check_simulated({.hosts = 16384, .channels = 32});
}

TEST_CASE("scale: summaries of hosts merge to the whole job") {
  const JobShape shape{.hosts = 16, .channels = 32};
  // One summary per host, as if each log had been read on its own host.
  std::vector<Summary> hosts(static_cast<std::size_t>(shape.hosts));
  std::vector<std::string> logs(hosts.size());
  simulate(shape, [&](const std::string& line) {
    logs[static_cast<std::size_t>(std::stoi(line.substr(line.find('-') + 1)))] += line;
  });
  Summary merged;
  std::size_t bytes = 0;
  for (std::size_t i = logs.size(); i-- > 0;) {
    Parser parser(SourceId{0}, [&](const Record& record) { hosts[i].add(record); });
    parser.feed(logs[i]);
    parser.finish();
    hosts[i].add_source(SourceId{0}, "host-" + std::to_string(i), parser.stats());
    merged.merge(std::move(hosts[i]));
    bytes += logs[i].size();
  }
  ModelBuilder builder;
  merged.replay(builder);
  check_job(shape, std::move(builder).build());

  std::ostringstream written;
  write_summary(written, merged);
  CHECK(written.str().size() * 2 < bytes);
}

}  // namespace nccl_analyze::test
