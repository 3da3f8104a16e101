// Tests the picture of a machine: its hardware by documents and logs, and what NCCL uses of it.

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include "catch.h"
#include "model/placed_job.h"
#include "report/graph/hardware.h"
#include "report/graph/picture.h"

namespace nccl_analyze::test {
namespace {

const std::string matrix_end = "\nLegend:\n\n  X    = Self\n\nNIC Legend:\n\n  NIC0: mlx5_0\n  NIC1: mlx5_1\n";

std::string matrix_of(const std::string& host, const std::string& between) {
  return "[root@" + host + " ~]# nvidia-smi topo -m\n" +
         "\tGPU0\tGPU1\tNIC0\tNIC1\tCPU Affinity\tNUMA Affinity\n"
         "GPU0\t X \t" +
         between +
         "\tPIX\tSYS\t0-31\t0\n"
         "GPU1\t" +
         between + "\t X \tSYS\tNODE\t32-63\t1\n" + matrix_end;
}

/// Two hosts of two GPUs; GPU 0 of the first host uses mlx5_0.
std::string two_hosts(const std::string& send, const std::string& receive) {
  std::string lines;
  for (int rank = 0; rank < 4; ++rank)
    lines += rank_line(rank < 2 ? "a" : "b", rank, "NET/IB : Using [0]mlx5_0:1/IB [1]mlx5_1:1/IB [RO]; OOB eth0:1<0>") +
             rank_line(rank < 2 ? "a" : "b", rank, "Using network IB");
  const std::string speed = "NET/IB: [0] mlx5_0:uverbs0:1/IB provider=Mlx5 speed=400000 context=0x7f pciPath=/sys ar=0";
  lines += rank_line("a", 0, speed) + rank_line("b", 2, speed) + rank_line("a", 0, "Channel 00/02 :    0   1   2   3") +
           rank_via("a", 0, 1, "via P2P/CUMEM");
  if (!send.empty()) lines += rank_via("a", 0, 2, "[send] via NET/IB/0" + send);
  if (!receive.empty()) lines += rank_line("a", 0, "Channel 00/0 : 2[0] -> 0[0] [receive] via NET/IB/0" + receive);
  return placed_job({{"a", 0, 4, 2, 2, 0}, {"a", 1, 4, 2, 2, 1}, {"b", 2, 4, 2, 2, 0}, {"b", 3, 4, 2, 2, 1}}, lines);
}

Picture machine_of(const std::string& log, DotOptions options = {}) {
  options.view = DotView::machine;
  return draw(placed_model(log), {}, options);
}

const Box* find_box(const Picture& picture, std::string_view name) {
  const auto found = std::ranges::find(picture.boxes, name, &Box::name);
  return found == picture.boxes.end() ? nullptr : &*found;
}

std::vector<const Arrow*> arrows_between(const Picture& picture, std::string_view from, std::string_view to) {
  std::vector<const Arrow*> found;
  for (const Arrow& arrow : picture.arrows)
    if (picture.boxes[arrow.from].name == from && picture.boxes[arrow.to].name == to) found.push_back(&arrow);
  return found;
}

const Frame* frame_of(const Picture& picture, const Box* box) {
  return box == nullptr || box->frame < 0 ? nullptr : &picture.frames[box->frame];
}

}  // namespace

TEST_CASE("machine: a matrix shows CPUs, PCIe switches and NVLink") {
  const std::vector<Hardware> all = hardware_of(placed_model(two_hosts("", "") + matrix_of("a", "NV4")));
  REQUIRE(!all.empty());
  const Hardware& a = all[0];
  CHECK(a.name == "a");
  CHECK(a.source == "`nvidia-smi topo -m`");
  REQUIRE(a.gpus.size() == 2);
  REQUIRE(a.nics.size() == 2);
  CHECK(a.gpus[0].name == "GPU 0");
  CHECK(a.gpus[0].numa == 0);
  CHECK(a.gpus[0].pci_switch == "PCIe switch #1");
  CHECK(a.nics[0].name == "mlx5_0");
  CHECK(a.nics[0].more == std::vector<std::string>{"400 Gb/s"});
  CHECK(a.nics[0].pci_switch == "PCIe switch #1");
  CHECK(a.nics[1].pci_switch.empty());
  CHECK(a.nics[1].numa == 1);
  CHECK_FALSE(a.has_switch);
  REQUIRE(a.links.size() == 1);
  CHECK(a.links[0].links == 4);
}

TEST_CASE("machine: more NVLinks than a GPU has go to a switch") {
  const auto of = [](const std::string& links) {
    const std::string row = "\t" + links;
    return hardware_of(
        placed_model("nvidia-smi topo -m\n\tGPU0\tGPU1\tGPU2\tGPU3\tCPU Affinity\tNUMA Affinity\n"
                     "GPU0\t X " +
                     row + row + row +
                     "\t0-31\t0\n"
                     "GPU1" +
                     row + "\t X " + row + row +
                     "\t0-31\t0\n"
                     "GPU2" +
                     row + row + "\t X " + row +
                     "\t0-31\t0\n"
                     "GPU3" +
                     row + row + row + "\t X \t0-31\t0\n\nLegend:\n"));
  };
  REQUIRE(of("NV18").size() == 1);
  CHECK(of("NV18")[0].has_switch);
  CHECK(of("NV18")[0].links_to_switch == 18);
  CHECK(of("NV18")[0].links.empty());
  CHECK(of("NV12")[0].has_switch);  // half a DGX A100
  CHECK_FALSE(of("NV4")[0].has_switch);
  CHECK(of("NV4")[0].links.size() == 6);
  CHECK(of("PHB")[0].links.empty());
}

TEST_CASE("machine: GPUs of one number in several containers have their bus ids") {
  std::string lines;
  for (int rank = 0; rank < 2; ++rank)
    lines += "a:" + std::to_string(7 + rank) + ":9 [0] NCCL INFO ncclCommInitRank comm 0x" + std::to_string(1 + rank) +
             " rank " + std::to_string(rank) + " nranks 2 cudaDev 0 nvmlDev 0 busId " + std::to_string(1 + rank) +
             "b000 commId 0x77 - Init COMPLETE\n";
  const std::vector<Hardware> all = hardware_of(placed_model(lines));
  REQUIRE(all.size() == 1);
  REQUIRE(all[0].gpus.size() == 2);
  for (const Device& gpu : all[0].gpus) {
    CHECK(gpu.name == "GPU 0");
    CHECK(gpu.more == std::vector<std::string>{gpu.about});
  }
}

TEST_CASE("machine: a GPU without NVLink has no line to the switch") {
  std::string matrix = "nvidia-smi topo -m\n\tGPU0\tGPU1\tGPU2\tGPU3\tGPU4\tCPU Affinity\tNUMA Affinity\n";
  for (int row = 0; row < 5; ++row) {
    matrix += "GPU" + std::to_string(row);
    for (int column = 0; column < 5; ++column)
      matrix += row == column ? "\t X " : row == 4 || column == 4 ? "\tNODE" : "\tNV18";
    matrix += "\t0-31\t0\n";
  }
  const Picture picture = machine_of(matrix + "\nLegend:\n");
  REQUIRE(!picture.boxes.empty());
  CHECK(picture.boxes.back().label == "NVSwitch, 18 NVLinks of each GPU");
  CHECK(picture.arrows.size() == 4);
}

TEST_CASE("machine: the nearest PCIe switch is the one that two devices share") {
  const std::string pci = "link_speed=\"16.0 GT/s PCIe\" link_width=\"16\">\n";
  const std::vector<Hardware> all =
      hardware_of(placed_model("<system version=\"1\">\n<cpu numaid=\"0\" arch=\"x86_64\" vendor=\"AuthenticAMD\">\n"
                               "<pci busid=\"0000:01:00.0\" class=\"0x060400\" " +
                               pci + "<pci busid=\"0000:02:00.0\" class=\"0x060400\" " + pci +
                               "<pci busid=\"0000:07:00.0\" class=\"0x030200\" " + pci +
                               "<gpu dev=\"0\" sm=\"80\" rank=\"0\" gdr=\"1\">\n<nvlink target=\"0000:c7:00.0\" "
                               "count=\"12\" tclass=\"0x068000\"/>\n"
                               "</gpu>\n</pci>\n</pci>\n<pci busid=\"0000:0c:00.0\" class=\"0x020700\" " +
                               pci +
                               "<nic>\n<net name=\"mlx5_0\" dev=\"0\" speed=\"200000\" port=\"1\" guid=\"0x1\" "
                               "gdr=\"1\"/>\n</nic>\n</pci>\n</pci>\n"
                               "</cpu>\n</system>\n"));
  REQUIRE(all.size() == 1);
  REQUIRE(all[0].gpus.size() == 1);
  REQUIRE(all[0].nics.size() == 1);
  CHECK(all[0].gpus[0].pci_switch == "PCIe switch 1000");
  CHECK(all[0].nics[0].pci_switch == "PCIe switch 1000");
  CHECK(all[0].nics[0].more == std::vector<std::string>{"200 Gb/s"});
  CHECK(all[0].has_switch);
  CHECK(all[0].links_to_switch == 12);
}

TEST_CASE("machine: arrows show which NIC a GPU uses, and whether with GPUDirect RDMA") {
  const Picture same = machine_of(two_hosts("/GDRDMA", "/GDRDMA") + matrix_of("a", "NV4"));
  const std::vector<const Arrow*> both = arrows_between(same, "GPU 0", "mlx5_0");
  REQUIRE(both.size() == 1);
  CHECK(both[0]->both);
  CHECK(both[0]->style->letter == 'G');
  CHECK(has(both[0]->label, "ch 0"));
  REQUIRE(find_box(same, "mlx5_1") != nullptr);
  CHECK(find_box(same, "mlx5_1")->dashed);
  CHECK_FALSE(find_box(same, "mlx5_0")->dashed);
  CHECK(has(find_box(same, "GPU 0")->label, "rank 0"));
  const Picture one_way = machine_of(two_hosts("", "/GDRDMA"));
  CHECK(arrows_between(one_way, "GPU 0", "mlx5_0").empty());
  REQUIRE(arrows_between(one_way, "mlx5_0", "GPU 0").size() == 1);
  const Picture apart =
      machine_of(two_hosts("/Shared", "/GDRDMA"), {.inside = [](std::string_view host) { return host == "a"; }});
  REQUIRE(arrows_between(apart, "GPU 0", "mlx5_0").size() == 1);
  CHECK(arrows_between(apart, "GPU 0", "mlx5_0")[0]->style->letter == 'N');
  REQUIRE(arrows_between(apart, "GPU 0", "GPU 1").size() == 1);
  CHECK(arrows_between(apart, "GPU 0", "GPU 1")[0]->style->letter == 'P');
}

TEST_CASE("machine: frames hold what is below them, and no box covers another") {
  const Picture picture = machine_of(two_hosts("/GDRDMA", "/GDRDMA") + matrix_of("a", "NV18") + matrix_of("b", "PHB"));
  REQUIRE(frame_of(picture, find_box(picture, "mlx5_0")) != nullptr);
  CHECK(frame_of(picture, find_box(picture, "mlx5_0"))->label == "PCIe switch #1");
  CHECK(frame_of(picture, find_box(picture, "mlx5_1"))->label == "CPU, NUMA node 1");
  for (const Box& box : picture.boxes)
    for (int frame = box.frame; frame >= 0; frame = picture.frames[frame].parent) {
      INFO(box.label << " in " << picture.frames[frame].label);
      CHECK(box.x - box.width / 2 >= picture.frames[frame].left);
      CHECK(box.x + box.width / 2 <= picture.frames[frame].right);
      CHECK(box.y - box.height / 2 >= picture.frames[frame].bottom);
      CHECK(box.y + box.height / 2 <= picture.frames[frame].top);
    }
  for (const Box& one : picture.boxes)
    for (const Box& other : picture.boxes)
      if (&one != &other)
        CHECK((std::abs(one.x - other.x) >= (one.width + other.width) / 2 ||
               std::abs(one.y - other.y) >= (one.height + other.height) / 2));
}

TEST_CASE("machine: equal hosts are one kind, and --host selects") {
  const std::string log = two_hosts("", "") + matrix_of("a", "NV4") + matrix_of("b", "NV4");
  const Picture all = machine_of(log);
  REQUIRE(!all.frames.empty());
  CHECK(all.frames[0].label.starts_with("a and 1 host like it"));
  const Picture one = machine_of(log, {.inside = [](std::string_view host) { return host == "b"; }});
  CHECK(one.frames.at(0).label.starts_with("b\\n"));
  const Picture none = machine_of("nothing\n");
  CHECK(std::ranges::find(none.title, "no line of this input shows a GPU or a NIC") != none.title.end());
}

TEST_CASE("machine: names of a document stay text") {
  const Picture picture = machine_of(
      "<system version=\"1\">\n<cpu numaid=\"0\" arch=\"" + std::string("<i>&lt;\\\\N") +
      "\" vendor=\"v\">\n<pci busid=\"0000:07:00.0\" class=\"0x030200\" link_width=\"16\">\n<gpu dev=\"0\" sm=\"80\" "
      "rank=\"0\" gdr=\"1\"/>\n</pci>\n<pci busid=\"0000:0c:00.0\" class=\"0x020700\" link_width=\"16\">\n<nic>\n<net "
      "name=\"m\\N\\l]<b>&amp;\" dev=\"0\" speed=\"1\" port=\"1\" guid=\"0x1\"/>\n</nic>\n</pci>\n</cpu>\n</system>\n");
  for (const Box& box : picture.boxes) {
    CHECK_FALSE(has(box.label, "&amp;"));
    CHECK_FALSE(has(box.label, "m\\N"));
  }
}

}  // namespace nccl_analyze::test
