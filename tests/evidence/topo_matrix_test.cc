// Tests that the matrix of `nvidia-smi topo -m` becomes a machine of the model.

#include <algorithm>
#include <string>

#include "evidence/evidence_models.h"

namespace nccl_analyze {
namespace {

const std::string matrix =
    "\t\x1b[4mGPU0\tGPU1\tNIC0\tNIC1\tCPU Affinity\tNUMA Affinity\tGPU NUMA ID\x1b[0m\n"
    "GPU0\t X \tNV18\tPXB\tSYS\t0-51,104-155\t0\t\tN/A\n"
    "GPU1\tNV18\t X \tSYS\tPIX\t52-103,156-207\t1\t\tN/A\n"
    "NIC0\tPXB\tSYS\t X \tSYS\t\t\t\t\n"
    "NIC1\tSYS\tPIX\tSYS\t X \t\t\t\t\n"
    "\n"
    "Legend:\n"
    "\n"
    "  X    = Self\n"
    "  SYS  = Connection traversing PCIe as well as the SMP interconnect between NUMA nodes (e.g., QPI/UPI)\n"
    "  NV#  = Connection traversing a bonded set of # NVLinks\n"
    "\n"
    "NIC Legend:\n"
    "\n"
    "  NIC0: mlx5_0\n"
    "  NIC1: mlx5_1\n"
    "\n";

void check_matrix(const Model& model) {
  REQUIRE(model.machines.size() == 1);
  const Machine& machine = model.machines[0];
  CHECK(machine.tool == MachineTool::topo_matrix);
  CHECK(machine.complete);
  REQUIRE(machine.gpus.size() == 2);
  CHECK(machine.gpus[1].index == 1);
  CHECK(machine.gpus[1].numa == 1);
  REQUIRE(machine.nics.size() == 2);
  CHECK(machine.nics[0].label == "NIC0");
  CHECK(machine.nics[0].name == "mlx5_0");
  REQUIRE(machine.paths.size() == 6);
  CHECK(machine.paths[0].type == PathType::nvl);
  CHECK(machine.paths[0].nvlinks == 18);
  CHECK(machine.paths[0].to == 1);
  CHECK_FALSE(machine.paths[0].to_nic);
  CHECK(machine.paths[1].type == PathType::pxb);
  CHECK(machine.paths[1].to_nic);
  CHECK(machine.paths[5].type == PathType::pix);
  CHECK(machine.paths[5].to == 1);
}

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

std::string decorated(const std::string& text, std::string_view decoration) {
  std::string out;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) out.append(decoration).append(line).append("\n");
  return out;
}

}  // namespace

TEST_CASE("evidence: the matrix of nvidia-smi topo -m, with tabs or blanks, behind decoration") {
  check_matrix(model_of_text(matrix));
  check_matrix(model_of_text(replaced(matrix, "\t", "    ")));
  check_matrix(model_of_text(decorated(matrix, "[1,0]<stdout>:")));
  check_matrix(model_of_text(decorated(matrix, "worker-0: ")));
  check_matrix(model_of_text(replaced(matrix, "\n", "\r\n")));
  check_matrix(model_of_text("a-0:1:1 [0] NCCL INFO Using network IB\n" + matrix + "a-0:1:1 [0] NCCL INFO comm\n"));
  check_same_report(matrix);
}

TEST_CASE("evidence: a matrix of older drivers names NICs in its header") {
  const Model model = model_of_text(
      "\tGPU0\tGPU1\tmlx5_0\tCPU Affinity\n"
      "GPU0\t X \tPHB\tPIX\t0-19\n"
      "GPU1\tPHB\t X \tPHB\t0-19\n"
      "mlx5_0\tPIX\tPHB\t X \t\n");
  REQUIRE(model.machines.size() == 1);
  REQUIRE(model.machines[0].nics.size() == 1);
  CHECK(model.machines[0].nics[0].name == "mlx5_0");
  CHECK(model.machines[0].paths.size() == 4);
}

TEST_CASE("evidence: two matrices behind each other are two machines, each named by its prompt") {
  const Model model = model_of_text("root@worker-0:~# nvidia-smi topo -m\n" + matrix +
                                    "[root@worker-1 ~]$ nvidia-smi topo -m\n" + matrix + matrix);
  REQUIRE(model.machines.size() == 3);
  CHECK(model.machines[0].prompt_host == "worker-0");
  CHECK(model.machines[1].prompt_host == "worker-1");
  CHECK(model.machines[2].prompt_host.empty());
  CHECK(model.machines[2].paths.size() == 6);
}

TEST_CASE("evidence: texts about GPUs are no matrix, and a damaged matrix keeps its whole rows") {
  CHECK(model_of_text("GPU0 memory: 80 GB\nGPU0 GPU1 are busy\nGPU0\n").machines.empty());
  const std::string cut = matrix.substr(0, matrix.find("GPU1\tNV18") + 12);
  const Model model = model_of_text(cut);
  REQUIRE(model.machines.size() == 1);
  CHECK_FALSE(model.machines[0].complete);
  CHECK(model.machines[0].paths.size() == 3);
  check_same_report(cut);
}

}  // namespace nccl_analyze
