// Tests that the topology and graph files that NCCL writes become machines of the model.

#include <string>

#include "evidence/evidence_models.h"

namespace nccl_analyze {
namespace {

const std::string topology =
    "<system version=\"1\">\n"
    "  <cpu host_hash=\"0x9f1c3a5b7d2e4f60\" numaid=\"0\" affinity=\"ffffffff\" arch=\"x86_64\" "
    "vendor=\"GenuineIntel\" "
    "familyid=\"6\" modelid=\"143\">\n"
    "    <pci busid=\"0000:15:00.0\" class=\"0x060400\" link_speed=\"32.0 GT/s PCIe\" link_width=\"16\">\n"
    "      <pci busid=\"0000:19:00.0\" class=\"0x030200\" link_speed=\"32.0 GT/s PCIe\" link_width=\"16\">\n"
    "        <gpu dev=\"0\" sm=\"90\" mlopart=\"0\" rank=\"0\" gdr=\"1\">\n"
    "          <nvlink target=\"0000:05:00.0\" count=\"9\" tclass=\"0x068000\"/>\n"
    "          <nvlink target=\"0000:06:00.0\" count=\"9\" tclass=\"0x068000\"/>\n"
    "        </gpu>\n"
    "      </pci>\n"
    "      <pci busid=\"0000:1a:00.0\" class=\"0x020700\" link_speed=\"32.0 GT/s PCIe\" link_width=\"16\">\n"
    "        <nic>\n"
    "          <net name=\"mlx5_0\" dev=\"0\" latency=\"0\" speed=\"400000\" port=\"1\" guid=\"0x9fe0000300ebceb8\" "
    "maxconn=\"131072\" gdr=\"1\" net=\"1\"/>\n"
    "          <net name=\"mlx5_0_coll\" dev=\"0\" speed=\"400000\" port=\"1\" net=\"0\" coll=\"1\"/>\n"
    "        </nic>\n"
    "      </pci>\n"
    "    </pci>\n"
    "  </cpu>\n"
    "  <cpu host_hash=\"0x9f1c3a5b7d2e4f60\" numaid=\"1\" affinity=\"ffffffff\" arch=\"x86_64\" "
    "vendor=\"GenuineIntel\">\n"
    "    <pci busid=\"0000:9b:00.0\" class=\"0x030200\" link_speed=\"32.0 GT/s PCIe\" link_width=\"8\">\n"
    "      <gpu dev=\"1\" sm=\"90\" rank=\"1\" gdr=\"1\">\n"
    "        <nvlink target=\"0000:05:00.0\" count=\"18\" tclass=\"0x068000\"/>\n"
    "      </gpu>\n"
    "    </pci>\n"
    "  </cpu>\n"
    "</system>\n";

const std::string graphs =
    "<graphs version=\"1\">\n"
    "  <graph id=\"0\" pattern=\"4\" crossnic=\"0\" nchannels=\"2\" speedintra=\"30\" speedinter=\"24\" "
    "latencyinter=\"0\" typeintra=\"NVL\" typeinter=\"PIX\" samechannels=\"0\">\n"
    "    <channel>\n"
    "      <net dev=\"0\"/>\n"
    "      <gpu dev=\"0\" rank=\"0\"/>\n"
    "      <gpu dev=\"1\" rank=\"1\"/>\n"
    "      <net dev=\"0\"/>\n"
    "    </channel>\n"
    "    <channel>\n"
    "      <gpu dev=\"1\" rank=\"1\"/>\n"
    "      <gpu dev=\"0\" rank=\"0\"/>\n"
    "    </channel>\n"
    "  </graph>\n"
    "</graphs>\n";

std::string log_of(std::string_view host) {
  std::string log;
  for (int rank = 0; rank < 2; ++rank)
    log.append(host)
        .append(":10")
        .append(std::to_string(rank))
        .append(":7 [")
        .append(std::to_string(rank))
        .append("] NCCL INFO ncclCommInitRank comm 0x55d0 rank ")
        .append(std::to_string(rank))
        .append(" nranks 2 cudaDev ")
        .append(std::to_string(rank))
        .append(" nvmlDev ")
        .append(std::to_string(rank))
        .append(" busId ")
        .append(rank == 0 ? "19000" : "9b000")
        .append(" commId 0xabc123 - Init START\n");
  return log;
}

}  // namespace

TEST_CASE("evidence: a topology file of NCCL") {
  const Model model = model_of_text(topology);
  REQUIRE(model.machines.size() == 1);
  const Machine& machine = model.machines[0];
  CHECK(machine.tool == MachineTool::topology_xml);
  CHECK(machine.complete);
  CHECK(machine.host == -1);
  CHECK(machine.host_hash == 0x9f1c3a5b7d2e4f60);
  CHECK(machine.cpu == "x86_64 GenuineIntel");
  REQUIRE(machine.gpus.size() == 2);
  CHECK(machine.gpus[0].bus_id == 0x19000);
  CHECK(machine.gpus[0].nvlinks == 18);
  CHECK(machine.gpus[0].switches == std::vector<std::uint64_t>{0x15000});
  CHECK(machine.gpus[1].link.width == 8);
  CHECK(machine.gpus[1].link.speed == Approx(32));
  REQUIRE(machine.nics.size() == 1);
  CHECK(machine.nics[0].name == "mlx5_0");
  CHECK(machine.nics[0].rate == Approx(400));
  REQUIRE(machine.paths.size() == 4);
  CHECK(machine.paths[0].type == PathType::nvl);
  CHECK(machine.paths[0].nvlinks == 18);
  CHECK(machine.paths[1].type == PathType::pix);
  CHECK(machine.paths[3].type == PathType::sys);
  check_same_report(topology);
}

TEST_CASE("evidence: a graph file of NCCL") {
  const Model model = model_of_text(graphs);
  REQUIRE(model.machines.size() == 1);
  REQUIRE(model.machines[0].graphs.size() == 1);
  const PlannedGraph& graph = model.machines[0].graphs[0];
  CHECK(graph.nchannels == 2);
  CHECK(graph.speed_intra == Approx(30));
  CHECK(graph.type_inter == PathType::pix);
  REQUIRE(graph.channels.size() == 2);
  CHECK(graph.channels[0] == "NET/0 rank/0 rank/1 NET/0");
  check_same_report(graphs);
}

TEST_CASE("evidence: a topology file belongs to the host that has its ranks on its GPUs") {
  const std::vector<NamedText> files{{"a.log", log_of("a-0")}, {"topo.xml", topology}};
  const Model model = model_of(files);
  REQUIRE(model.machines.size() == 1);
  CHECK(model.machines[0].host == 0);
  CHECK(model.machines[0].gpus[1].gpu == 1);
  CHECK(report_of(through_summaries(files)) == report_of(model));
  // two hosts with the same ranks and bus ids: nothing tells whose file it is
  const Model twins =
      model_of({{"a.log", log_of("a-0")}, {"b.log", log_of("b-0")}, {"topo.xml", topology}, {"b-0.xml", topology}});
  REQUIRE(twins.hosts.size() == 2);
  CHECK(twins.machines[0].host == -1);
  CHECK(twins.machines[1].host == 1);  // by its name
}

TEST_CASE("evidence: a topology file that contradicts the log belongs to no host") {
  std::string other = topology;
  for (std::size_t at = 0; (at = other.find(":19:", at)) != std::string::npos;) other.replace(at, 4, ":2a:");
  for (std::size_t at = 0; (at = other.find(":9b:", at)) != std::string::npos;) other.replace(at, 4, ":ab:");
  CHECK(model_of({{"a.log", log_of("a-0")}, {"topo.xml", other}}).machines.at(0).host == -1);
}

TEST_CASE("evidence: hostile topology files") {
  std::string deep = "<system version=\"1\">\n<cpu numaid=\"0\">\n";
  for (int i = 0; i < 100'000; ++i) deep += "<pci busid=\"0000:15:00.0\">\n";
  deep += "<gpu dev=\"0\"/>\n";
  CHECK(model_of_text(deep).machines.at(0).gpus.empty());
  std::string wide = "<system version=\"1\"><cpu numaid=\"0\">\n";
  for (int i = 0; i < 10'000; ++i)
    wide += "<pci busid=\"0000:15:00.0\"><gpu dev=\"99999999999999\"/><nic><net name=\"&amp;\xff\"/></nic></pci>\n";
  const Model model = model_of_text(wide);
  CHECK(model.machines.at(0).gpus.size() <= 256);
  CHECK(model.machines.at(0).nics.size() <= 256);
  CHECK(model.machines.at(0).gpus.at(0).index == -1);
  CHECK(model.machines.at(0).nics.at(0).name == "&amp;\xff");  // entities are not expanded
  check_same_report("<system version=\"1\">\n<cpu numaid=\"0\"><pci busid='x' link_width=\"-5\">\n<gpu dev=\"0");
  std::string two = topology;
  two.replace(two.rfind("0x9f1c3a5b7d2e4f60"), 18, "0x1111111111111111");
  CHECK(model_of_text(two).machines.at(0).several_hosts);
  CHECK(model_of_text(two).machines.at(0).paths.empty());
}

}  // namespace nccl_analyze
