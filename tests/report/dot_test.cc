// Tests graphs of models built by hand: what is drawn, what is aggregated, and that nothing grows without bound.

#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <string>
#include <vector>

#include "catch.h"
#include "nccl_analyze/report.h"
#include "report_models.h"

namespace nccl_analyze {
namespace {

using namespace test;

std::string dot(const Model& model, const DotOptions& options = {}) {
  std::ostringstream out;
  write_dot(out, model, Report{}, options);
  return out.str();
}

std::size_t count(std::string_view whole, std::string_view part) {
  std::size_t found = 0;
  for (auto at = whole.find(part); at != std::string_view::npos; at = whole.find(part, at + 1)) ++found;
  return found;
}

enum Transport : std::uint16_t { p2p, net, socket };

/// Returns a connection on channels 0 and 1, as its sender prints it.
ConnectionGroup sends(int from, int to, Transport transport) {
  ConnectionGroup group;
  group.channels = 3;
  group.from = from;
  group.to = to;
  group.transport = transport;
  return group;
}

/// Returns a job with one process per rank. Both channels are rings over all ranks; the transport between hosts is
/// `between`.
Model job(int hosts, int per_host, Transport between = net) {
  Model model;
  Communicator world = ring_of_four();
  world.nranks = hosts * per_host;
  world.nnodes = hosts;
  world.channels = 2;
  world.ranks.clear();
  world.transports = {"P2P/CUMEM", "NET/IB", "NET/Socket"};
  std::vector<ConnectionGroup> connections;
  std::vector<int> order;
  for (int rank = 0; rank < world.nranks; ++rank) {
    model.processes.push_back(process_on("host-" + std::to_string(rank / per_host)));
    world.ranks.push_back(rank_of(rank, rank));
    world.ranks.back().cuda_dev = rank % per_host;
    world.ranks.back().bus_id = 0x1000U * static_cast<unsigned>(rank % per_host + 1);
    order.push_back(rank);
    const int next = (rank + 1) % world.nranks;
    const bool inside = rank / per_host == next / per_host;
    connections.push_back(sends(rank, next, inside ? p2p : between));
  }
  world.connections = ConnectionList{std::move(connections)};
  world.rings = {{0, order, true, false}, {1, order, true, false}};
  std::vector<std::pair<int, int>> links;
  for (int rank = 1; rank < world.nranks; ++rank) links.emplace_back(rank - 1, rank);
  world.trees = {{0, links}};
  model.communicators = {world};
  return model;
}

DotOptions host_matching(std::string wanted) {
  return {.inside = [wanted](std::string_view host) { return host == wanted; }};
}

}  // namespace

TEST_CASE("dot: hosts, ranks with and without a log, and the transport of each edge are labelled") {
  const std::string graph = dot(small_model());
  CHECK(contains(graph, "4 ranks, 4 nodes, 1 channel<br align=\"left\"/>"));
  CHECK(contains(graph, "label=\"worker-0\""));
  CHECK(contains(graph, "label=\"no log in this input\""));
  CHECK(contains(graph, "rank 0\\nGPU 0\\nbusId 36000"));
  CHECK(contains(graph, "c0r0 -> c0r1"));
  CHECK(contains(graph, "label=\"T 0 \u00d71\""));
  CHECK(contains(graph, "c0r1 -> c0r2"));
  CHECK(contains(graph, "label=\"? \u00d71\""));
  CHECK(!contains(graph, "cluster_c0 "));
}

TEST_CASE("dot: one edge a pair of ranks, coloured by transport, with a legend") {
  Model model = job(2, 4, socket);
  const std::string one_way = dot(model);
  CHECK(count(one_way, " -> ") == 8);
  CHECK(count(one_way, "label=\"P \u00d72\"") == 6);
  CHECK(count(one_way, "label=\"T \u00d72\"") == 2);
  CHECK(count(one_way, "penwidth=\"3.5\"") == 2);
  CHECK(contains(one_way, "\u2014\u2014\u2014 <b>T</b>\u00a0NET/Socket: TCP</font>"));
  CHECK(contains(one_way, "\u2014\u2014\u2014 <b>P</b>\u00a0P2P: from GPU to GPU (P2P/CUMEM)</font>"));
  CHECK(!contains(one_way, "transport not shown"));
  CHECK(!contains(one_way, "dir=\"both\""));

  std::vector<ConnectionGroup> groups = model.communicators[0].connections.groups();
  groups.push_back(sends(1, 0, p2p));  // The same transport as 0 -> 1.
  groups.push_back(sends(4, 3, p2p));  // Another transport than 3 -> 4.
  model.communicators[0].connections = ConnectionList{groups};
  const std::string both_ways = dot(model);
  CHECK(count(both_ways, "dir=\"both\"") == 1);
  CHECK(!contains(both_ways, "c0r1 -> c0r0"));
  CHECK(contains(both_ways, "c0r4 -> c0r3"));
}

TEST_CASE("dot: NIC, GPUDirect RDMA and proxy of a connection are told") {
  Model model = job(2, 1);
  std::vector<ConnectionGroup> groups = {sends(0, 1, net), sends(1, 0, net)};
  groups[0].device = 3;
  groups[0].gdrdma = true;
  groups[0].proxy_rank = 5;
  model.communicators[0].connections = ConnectionList{groups};
  const std::string graph = dot(model);
  CHECK(contains(graph, "label=\"G 3 PXN 5 \u00d72\""));
  CHECK(contains(graph, "tooltip=\"rank 0 \u2192 rank 1: NET/IB/3/GDRDMA PXN 5 \u00d72, ch 0-1\""));
  CHECK(contains(graph, "label=\"N \u00d72\""));
  CHECK(contains(graph, "NET without GPUDirect RDMA"));
}

TEST_CASE("dot: rings alone, trees alone, with lists of channels") {
  Model model = job(1, 4);
  model.communicators[0].rings[1].order = {0, 3, 2, 1};
  const std::string rings = dot(model, {.view = DotView::rings});
  CHECK(count(rings, " -> ") == 8);
  CHECK(contains(rings, "label=\"P\\nch 0\""));
  CHECK(contains(rings, "label=\"ch 1\""));

  const std::string trees = dot(model, {.view = DotView::trees});
  CHECK(count(trees, " -> ") == 3);
  CHECK(contains(trees, "c0t0p2 -> c0t0p3"));
  CHECK(!contains(trees, "c0t0p3 -> c0t0p0"));

  model.communicators[0].rings.clear();
  model.communicators[0].trees.clear();
  CHECK(contains(dot(model, {.view = DotView::rings}), "no line of this input shows a ring"));
  CHECK(contains(dot(model, {.view = DotView::trees}), "no line of this input shows a tree"));
}

TEST_CASE("dot: send/recv is drawn where little of it is") {
  Model model = job(1, 100);
  model.communicators[0].rings.clear();
  ConnectionGroup one = sends(0, 2, p2p);
  one.connection = 1;
  model.communicators[0].connections = ConnectionList{std::vector{one}};
  CHECK(contains(dot(model), "c0r0 -> c0r2"));

  std::vector<ConnectionGroup> all;
  for (one.from = 0; one.from < 100; ++one.from)
    for (one.to = 0; one.to < 100; ++one.to)
      if (one.from != one.to) all.push_back(one);
  model.communicators[0].connections = ConnectionList{std::move(all)};
  const std::string graph = dot(model);
  CHECK(contains(graph, "19800 send/recv connections are not drawn"));
  CHECK(!contains(graph, " -> "));
}

TEST_CASE("dot: a communicator of very many ranks is drawn by its hosts") {
  CHECK(!contains(dot(job(127, 1)), "c0h0 -> "));
  const std::string graph = dot(job(16, 8));
  CHECK(count(graph, " -> ") == 16);
  CHECK(contains(graph, "label=\"host-3\\n8 ranks: 24-31, 8 GPUs\\nP2P/CUMEM \u00d714\""));
  CHECK(contains(graph, "c0h15 -> c0h0"));
  CHECK(contains(graph, "label=\"N \u00d72\""));
  CHECK(!contains(graph, "c0r0"));
  CHECK(contains(dot(job(16, 8), {.hosts_from = 1000}), "c0r127 -> c0r0"));

  const std::string rings = dot(job(16, 8), {.view = DotView::rings});
  CHECK(contains(rings, "0-1: 8\u21929\u219210\u219211\u219212\u219213\u219214\u219215"));
  CHECK(contains(rings, "label=\"N \u00d72\\nch 0-1\""));
  const std::string trees = dot(job(16, 8), {.view = DotView::trees});
  CHECK(contains(trees, "0: 8\u21929\u219210"));
  CHECK(count(trees, " -> ") == 15);
}

TEST_CASE("dot: hosts to look inside show their ranks, and where their edges lead") {
  const std::string graph = dot(job(16, 8), host_matching("host-3"));
  CHECK(count(graph, "busId ") == 8);
  CHECK(count(graph, "label=\"host-") == 3);
  CHECK(contains(graph, "c0r24 -> c0r25"));
  CHECK(contains(graph, "c0r23 -> c0r24"));
  CHECK(contains(graph, "c0r31 -> c0r32"));
  CHECK(contains(graph, "label=\"rank 32\""));
  CHECK(count(graph, " -> ") == 9);
  CHECK(contains(dot(job(16, 8), host_matching("elsewhere")), "no communicator of several ranks"));
}

TEST_CASE("dot: a large job of which one host's log is here shows that host") {
  Model model = job(64, 8);
  Communicator& world = model.communicators[0];
  world.ranks.resize(8);
  const std::string graph = dot(model);
  CHECK(count(graph, "busId ") == 8);
  CHECK(contains(graph, "502 ranks without a log here, not drawn"));
  CHECK(contains(graph, "c0r7 -> c0r8"));
  CHECK(!contains(graph, "c0r8 -> c0r9"));
}

TEST_CASE("dot: the picture is bounded, and complete in sums", "[slow]") {
  const std::string graph = dot(job(2048, 8));
  CHECK(count(graph, " -> ") == 128);
  CHECK(contains(graph, "label=\"16 hosts\\nhost-0\\nto host-15\\n128 ranks: 0-127, 128 GPUs\\n"));
  CHECK(contains(graph, "P2P/CUMEM \u00d7224"));
  CHECK(graph.size() < 100'000);

  Model dense = job(1, 120);
  std::vector<ConnectionGroup> groups;
  for (int from = 0; from < 120; ++from)
    for (int to = 0; to < 120; ++to)
      if (from != to) groups.push_back(sends(from, to, from < to ? p2p : socket));
  dense.communicators[0].connections = ConnectionList{std::move(groups)};
  const std::string cut = dot(dense);
  CHECK(count(cut, " -> ") == 4096);
  CHECK(contains(cut, "10184 of the faster links are not drawn"));
  CHECK(!contains(cut, "label=\"P2P"));
  CHECK(contains(cut, "4096 labels have no room and are left out"));
}

TEST_CASE("dot: many communicators are cut and said to be, the largest first") {
  Model model;
  CHECK(contains(dot(model), "no communicator of several ranks"));
  for (int i = 0; i < 20; ++i) model.communicators.push_back(ring_of_four());
  for (Communicator& communicator : model.communicators) communicator.ranks.clear();
  model.communicators[3].nranks = 2'000'000'000;
  const std::string graph = dot(model);
  CHECK(contains(graph, "the largest of 20 communicators of several ranks; 4 are not drawn"));
  CHECK(contains(graph, "1999999996 ranks without a log here, not drawn"));
  CHECK(contains(graph, "cluster_c15"));
  CHECK(!contains(graph, "cluster_c16"));

  model.communicators = {ring_of_four(), job(16, 8).communicators[0]};
  model.processes = job(16, 8).processes;
  CHECK(contains(dot(model), "the largest of 2 communicators of several ranks; 1 are not drawn"));
  CHECK(contains(dot(model), "c1h0 -> c1h1"));
}

TEST_CASE("dot: pods of one host, and MNNVL between hosts, are told apart") {
  Model model = job(1, 2);
  model.processes[0].pod = "trainer-0";
  model.processes[1].pod = "trainer-1";
  CHECK(contains(dot(model), "label=\"host-0\\npod trainer-1\""));

  Model rack = job(2, 2);
  rack.communicators[0].transports[net] = "P2P/MNNVL";
  rack.communicators[0].nnodes = 1;
  rack.communicators[0].nvls_channels = 24;
  CHECK(contains(dot(rack), "4 ranks, 1 node on 2 hosts, 2 channels, 24 NVLS channels"));
  CHECK(contains(dot(rack), "P2P/MNNVL: NVLink between hosts"));
}

TEST_CASE("dot: same model, same bytes") {
  CHECK(dot(job(4, 8)) == dot(job(4, 8)));
  CHECK(dot(job(64, 8)) == dot(job(64, 8)));
}

TEST_CASE("dot: Graphviz reads the graph") {
  if (std::system("dot -V >/dev/null 2>&1") != 0) {
    WARN("dot is not installed");
    return;
  }
  Model model = small_model(hostile);
  model.processes[0].pod = std::string(300, '"') + hostile + std::string(300, '\\');
  model.communicators.push_back(ring_of_four());
  for (const std::string& graph : {dot(model), dot(job(128, 8)), dot(job(128, 8), {.view = DotView::trees})}) {
    FILE* pipe = popen("dot -Tsvg >/dev/null", "w");
    REQUIRE(pipe != nullptr);
    CHECK(std::fwrite(graph.data(), 1, graph.size(), pipe) == graph.size());
    CHECK(pclose(pipe) == 0);
  }
}

}  // namespace nccl_analyze
