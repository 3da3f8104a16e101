// Large jobs, simulated: the graph is the one that the arithmetic makes.

#include <algorithm>
#include <sstream>
#include <string>

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

void check(const JobShape& shape) {
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

TEST_CASE("scale: 80 hosts of eight") { check({.hosts = 80, .channels = 16}); }
TEST_CASE("scale: 1,024 ranks on 32 channels") { check({.hosts = 128, .channels = 32}); }
TEST_CASE("scale: 16,384 ranks", "[.large]") { check({.hosts = 2048, .channels = 32}); }
TEST_CASE("scale: 131,072 ranks", "[.large]") { check({.hosts = 16384, .channels = 32}); }

TEST_CASE("scale: summaries of hosts merge to the whole job") {
  const JobShape shape{.hosts = 16, .channels = 32};
  // One summary a host, as if each had been read where it was written.
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

TEST_CASE("summary: what repeats costs next to nothing") {
  std::string once, often;
  simulate({.hosts = 1, .channels = 2}, [&](const std::string& line) { once += line; });
  const std::string step =
      "worker-0:1000:1000 [0] NCCL INFO AllReduce: opCount 1 sendbuff 0x7f recvbuff 0x7f count 4 datatype 7 op 0 root "
      "0 "
      "comm 0x55 [nranks=8] stream 0x55\n";
  often = once;
  for (int i = 0; i < 10000; ++i) often += step;
  const auto size = [](const std::string& log) {
    Summary summary;
    Parser parser(SourceId{0}, [&](const Record& record) { summary.add(record); });
    parser.feed(log);
    parser.finish();
    summary.add_source(SourceId{0}, "log", parser.stats());
    std::ostringstream out;
    write_summary(out, summary);
    return out.str().size();
  };
  CHECK(size(often) < size(once) + (Calls::max_recent + 4) * (step.size() + 50));
}

TEST_CASE(
    "summary: processes beyond the model's limit are left out and counted, in the log's model and in its summary's") {
  const std::size_t limit = 10;
  ModelLimits limits;
  limits.max_processes = limit;
  ModelBuilder direct(limits);
  Summary summary(limit);
  Record record;
  record.event = Unrecognized{};
  record.message = record.text = "words";
  std::string host;
  for (std::uint64_t i = 0; i < limit + 3; ++i) {
    host = "h" + std::to_string(i);
    record.at = {SourceId{0}, i + 1};
    record.origin.host = host;
    record.origin.pid = 1;
    direct.add(record);
    summary.add(record);
  }
  direct.add_source(SourceId{0}, "log", {});
  summary.add_source(SourceId{0}, "log", {});
  const Model model = std::move(direct).build();
  CHECK(model.processes.size() == limit);
  CHECK(model.dropped == 3);

  std::stringstream written;
  write_summary(written, summary);
  Summary back;
  SummaryReader reader(back);
  reader.feed(written.str());
  REQUIRE(reader.finish() == "");
  ModelBuilder merged;
  back.replay(merged);
  const Model again = std::move(merged).build();
  CHECK(again.processes.size() == limit);
  CHECK(again.dropped == 3);
}

TEST_CASE("summary: what is none is refused with its line") {
  const auto refusal = [](const std::string& text) {
    Summary into;
    SummaryReader reader(into);
    reader.feed(text);
    return reader.finish();
  };
  const std::string head = R"({"schema":"nccl-analyze.summary","version":1})"
                           "\n";
  const std::string piece =
      R"({"piece":"a","lines_before":0,"bytes":1,"lines":1,"nccl_lines":1,"unrecognized":0,"malformed":0,"truncated":0,)"
      R"("damaged":[1,0,0,0,0]})"
      "\n";
  CHECK(refusal(head + piece + R"({"pieces":1})") == "");
  CHECK(refusal("") == "the summary ends before its last line; write it again");
  CHECK(refusal(head + piece) == "the summary ends before its last line; write it again");
  CHECK(refusal("h:1:1 [0] NCCL INFO x\n") == "line 1: this is no summary");
  CHECK(refusal(R"({"schema":"other","version":1})") == "line 1: it is another kind of document");
  CHECK(refusal(R"({"schema":"nccl-analyze.summary","version":2})") ==
        "line 1: its version is not 1: use the nccl-analyze that wrote it");
  CHECK(refusal(head + piece + "[1,7,\"x\"]\n") == "line 3: a record names an origin that is not there");
  CHECK(refusal(head + piece + "[\"x\"]\n") == "line 3: this is not as `--format summary` writes it");
  CHECK(refusal(head + R"({"pieces":1})") == "line 2: pieces are missing");
  CHECK(refusal(head + head) == "line 2: another summary begins before this one ends: it was cut");
}

}  // namespace nccl_analyze::test
