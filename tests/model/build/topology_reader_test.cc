// Tests the hosts that topology dumps describe, and the damage that makes a dump unusable.

#include "model/build/topology_reader.h"

#include <string>
#include <vector>

#include "catch.h"
#include "messages/matcher.h"

namespace nccl_analyze {
namespace {

using Reader = builder::TopologyReader;
using Lines = std::vector<std::string>;

Reader read(const Lines& lines, int rank = -1) {
  Reader reader;
  reader.start({SourceId{0}, 7}, rank);
  for (const std::string& line : lines) {
    INFO(line);
    Event event;
    REQUIRE(standard_matcher().match(line, event) != nullptr);
    if (const auto* node = std::get_if<TopologyNodePrinted>(&event)) reader.add(*node);
    if (const auto* paths = std::get_if<PathsPrinted>(&event)) reader.add(*paths);
  }
  return reader;
}

/// Two GPUs below one CPU, joined by NVLink. The first GPU shares a PCI switch with a NIC.
const Lines nodes = {"CPU/0-1 (1/1/-1)",
                     "+ PCI[48.0] - PCI/0-f000 (1000c03010de16c1)",
                     "              + PCI[48.0] - GPU/0-1000 (0)",
                     "                            + NVL[264.0] - GPU/0-2000",
                     "              + PCI[48.0] - NIC/0-3000",
                     "                            + NET[50.0] - NET/0-4 (0/5c2573f3ff/1/50.000000)",
                     "+ PCI[24.0] - GPU/0-2000 (1)",
                     "              + NVL[264.0] - GPU/0-1000"};
const Lines paths = {
    "GPU/0-1000 :GPU/0-1000 (0/5000.0/LOC) GPU/0-2000 (1/264.0/NVL) CPU/0-1 (2/48.0/PHB) NET/0-4 (3/48.0/PIX) ",
    "GPU/0-2000 :GPU/0-1000 (1/264.0/NVL) GPU/0-2000 (0/5000.0/LOC) CPU/0-1 (1/24.0/PHB) NET/0-4 (5/16.0/PHB) "};

Lines joined(Lines one, const Lines& other) {
  one.insert(one.end(), other.begin(), other.end());
  return one;
}

Lines without(Lines lines, std::size_t index) {
  lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(index));
  return lines;
}

/// Returns the same nodes with another system number, as those of another host in an NVLink domain.
Lines in_system(Lines lines, char number) {
  for (std::string& line : lines)
    for (std::size_t at = line.find("/0-"); at != std::string::npos; at = line.find("/0-", at + 1))
      line[at + 1] = number;
  return lines;
}

}  // namespace

TEST_CASE("topology reader: a dump is whole when every GPU has printed its paths") {
  CHECK_FALSE(Reader{}.whole());
  CHECK(Reader{}.broken());
  CHECK_FALSE(read(nodes).whole());
  CHECK_FALSE(read(joined(nodes, {paths[0]})).whole());
  CHECK_FALSE(read(joined(nodes, {paths[0], paths[0]})).whole());
  const Reader whole = read(joined(nodes, paths));
  CHECK(whole.whole());
  Host host;
  REQUIRE(whole.put_into(host, "IB"));
  CHECK(host.topology_at.line == 7);
  CHECK(host.cpu == "x86 Intel");
  CHECK(host.cpus == 1);
  CHECK(host.nvlink == Nvlink::direct);
  CHECK(host.worst_path == PathType::nvl);
  REQUIRE(host.gpus.size() == 2);
  CHECK(host.gpus[0].bus_id == 0x1000);
  CHECK(host.gpus[0].cpu == 1);
  CHECK(host.gpus[0].pci_switch == 0xf000);
  CHECK(host.gpus[0].nic_path == PathType::pix);
  CHECK(host.gpus[0].nvlink_sent == 264);
  CHECK(host.gpus[0].nvlink_received == 264);
  CHECK(host.gpus[1].pci_switches == 0);
  CHECK(host.gpus[1].pci_bandwidth == 24);
  REQUIRE(host.nics.size() == 1);
  CHECK(host.nics[0].network == "IB");
  CHECK(host.nics[0].index == 4);
  CHECK(host.nics[0].bus_id == 0x3000);
  CHECK(host.nics[0].bandwidth == 50);
}

TEST_CASE("topology reader: without the line of any GPU or NIC nothing is taken") {
  for (const std::size_t missing : {0U, 2U, 5U, 6U}) {
    INFO(nodes[missing]);
    const Reader reader = read(joined(without(nodes, missing), paths));
    CHECK(reader.broken());
    Host host;
    CHECK_FALSE(reader.put_into(host, "IB"));
    CHECK(host.gpus.empty());
    CHECK(host.topology_at.line == 0);
  }
}

TEST_CASE("topology reader: a link that only one of its GPUs prints has no bandwidth between them") {
  Host host;
  REQUIRE(read(joined(without(nodes, 7), paths)).put_into(host, "IB"));
  CHECK(host.gpus[0].nvlink_bandwidth == 264);
  CHECK(host.gpus[0].nvlink_sent == 0);
  CHECK(host.gpus[1].nvlink_received == 0);
}

TEST_CASE("topology reader: a list of paths that NCCL cut leaves the worst path open") {
  Host host;
  const std::string cut = paths[1].substr(0, paths[1].find("GPU/0-2000 (0"));
  REQUIRE(read(joined(nodes, {paths[0], cut})).put_into(host, "IB"));
  CHECK(host.worst_path == PathType::unknown);
  CHECK(host.gpus[0].nic_path == PathType::pix);
  CHECK(host.gpus[1].nic_path == PathType::unknown);
}

TEST_CASE("topology reader: of an NVLink domain the host of the printing rank is taken, or none") {
  Lines second = in_system(nodes, '1'), second_paths = in_system(paths, '1');
  second[2].replace(second[2].find("(0)"), 3, "(2)");
  second[6].replace(second[6].find("(1)"), 3, "(3)");
  const Lines domain = joined(joined(nodes, second), joined(paths, second_paths));
  Host host;
  REQUIRE(read(domain, 2).put_into(host, "IB"));
  CHECK(host.gpus.size() == 2);
  CHECK(host.cpus == 1);
  CHECK(host.nics.size() == 1);
  CHECK_FALSE(read(domain).put_into(host, "IB"));
  CHECK_FALSE(read(domain, 9).put_into(host, "IB"));
}

TEST_CASE("topology reader: 2.30.3 prints a physical GPU and below it what ranks use, which are one GPU") {
  Host host;
  REQUIRE(read({"CPU/0-0 (1/2/-1)", "+ PCI[48.0] - DEV/0-1000 (0)", "              + LOC[5000.0] - GPU/0-1000 (0)",
                "GPU/0-1000 :GPU/0-1000 (0/5000.0/LOC) CPU/0-0 (2/48.0/PHB) "},
               0)
              .put_into(host, "IB"));
  REQUIRE(host.gpus.size() == 1);
  CHECK(host.gpus[0].pci_bandwidth == 48);
  CHECK(host.cpu == "x86 AMD");
  CHECK(host.nvlink == Nvlink::unknown);  // The communicator may lack a GPU of the host.
}

TEST_CASE("topology reader: a switch is seen, and a new dump starts from nothing") {
  const Lines switched = {"CPU/0-0 (1/2/-1)",
                          "+ PCI[24.0] - GPU/0-1000 (0)",
                          "              + NVL[480.0] - NVS/0-0",
                          "+ PCI[24.0] - GPU/0-2000 (1)",
                          "              + NVL[480.0] - NVS/0-0",
                          "GPU/0-1000 :GPU/0-1000 (0/5000.0/LOC) GPU/0-2000 (2/480.0/NVL) CPU/0-0 (1/24.0/PHB) ",
                          "GPU/0-2000 :GPU/0-1000 (2/480.0/NVL) GPU/0-2000 (0/5000.0/LOC) CPU/0-0 (1/24.0/PHB) "};
  Host host;
  Reader reader = read(switched);
  REQUIRE(reader.put_into(host, "IB"));
  CHECK(host.nvlink == Nvlink::switched);
  CHECK(host.nics.empty());
  reader.start({SourceId{0}, 99}, 0);
  CHECK_FALSE(reader.broken());
  CHECK_FALSE(reader.whole());
}

TEST_CASE("topology reader: more nodes than NCCL allows are a damaged dump") {
  Lines many = nodes;
  for (int i = 0; i < 1100; ++i) many.push_back("              + PCI[48.0] - NIC/0-3000");
  CHECK_FALSE(read(many).broken());  // Siblings replace each other on the stack.
  for (int i = 0; i < 1100; ++i) many.push_back("CPU/0-1 (1/1/-1)");
  CHECK(read(many).broken());
}

}  // namespace nccl_analyze
