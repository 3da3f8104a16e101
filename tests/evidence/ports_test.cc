// Tests that the output of ibstat and ibdev2netdev becomes machines of the model.

#include <string>

#include "evidence/evidence_models.h"

namespace nccl_analyze {
namespace {

std::string block(std::string_view device, std::string_view state, std::string_view physical) {
  std::string text = "CA '";
  text.append(device).append(
      "'\n\tCA type: MT4129\n\tNumber of ports: 1\n\tFirmware version: 28.39.1002\n\tHardware version: 0\n"
      "\tNode GUID: 0xe09d730300e4a3b4\n\tSystem image GUID: 0xe09d730300e4a3b4\n\tPort 1:\n\t\tState: ");
  return text.append(state)
      .append("\n\t\tPhysical state: ")
      .append(physical)
      .append(
          "\n\t\tRate: 400\n\t\tBase lid: 12\n\t\tLMC: 0\n\t\tSM lid: 1\n\t\tCapability mask: 0xa751e848\n"
          "\t\tPort GUID: 0xe09d730300e4a3b4\n\t\tLink layer: InfiniBand\n");
}

const std::string ibstat = block("mlx5_0", "Active", "LinkUp") + block("mlx5_1", "Down", "Disabled");

}  // namespace

TEST_CASE("evidence: ibstat") {
  const Model model = model_of_text(ibstat);
  REQUIRE(model.machines.size() == 1);
  const Machine& machine = model.machines[0];
  CHECK(machine.tool == MachineTool::ibstat);
  REQUIRE(machine.nics.size() == 2);
  CHECK(machine.nics[0].name == "mlx5_0");
  CHECK(machine.nics[0].port == 1);
  CHECK(machine.nics[0].state == PortState::up);
  CHECK(machine.nics[0].rate == Approx(400));
  CHECK(machine.nics[0].guid == 0xe09d730300e4a3b4);
  CHECK(machine.nics[0].link_layer == "InfiniBand");
  CHECK(machine.nics[1].state == PortState::down);
  CHECK(machine.nics[1].physical_state == "Disabled");
  check_same_report(ibstat);
}

TEST_CASE("evidence: ibstat of several hosts, and what is cut") {
  const Model model =
      model_of_text("root@worker-0:~# ibstat\n" + ibstat + "root@worker-1:~# ibstat\n" + ibstat + ibstat);
  REQUIRE(model.machines.size() == 3);
  CHECK(model.machines[0].prompt_host == "worker-0");
  CHECK(model.has_tool_output());
  CHECK(model.machines[1].nics.size() == 2);
  CHECK(model.machines[2].nics.size() == 2);
  const std::string cut = ibstat.substr(0, ibstat.rfind("\t\tRate"));
  REQUIRE(model_of_text(cut).machines.size() == 1);
  CHECK(model_of_text(cut).machines[0].nics.at(1).state == PortState::down);
  check_same_report(cut);
  std::string many;
  for (int i = 0; i < 10'000; ++i) many += "CA 'a" + std::to_string(i) + "'\n\tPort 1:\n\tPort 2:\n";
  for (const Machine& machine : model_of_text(many).machines) CHECK(machine.nics.size() <= 256);
}

TEST_CASE("evidence: ibdev2netdev") {
  const std::string text = "mlx5_0 port 1 ==> ib0 (Up)\nmlx5_1 port 1 ==> ib1 (Down)\n";
  const Model model = model_of_text(text);
  REQUIRE(model.machines.size() == 1);
  REQUIRE(model.machines[0].nics.size() == 2);
  CHECK(model.machines[0].tool == MachineTool::ibdev2netdev);
  CHECK(model.machines[0].nics[0].interface == "ib0");
  CHECK(model.machines[0].nics[0].state == PortState::up);
  CHECK(model.machines[0].nics[1].state == PortState::down);
  check_same_report(text);
  CHECK(model_of_text("[1,0]<stdout>: mlx5_0 port 1 ==> ib0 (Up)\n[1,0]<stdout>: mlx5_1 port 1 ==> ib1 (Up)\n")
            .machines.at(0)
            .nics.size() == 2);
  CHECK(model_of_text("a ==> b\n ==> \nport ==> x (Up)\nCA 'x' is fine\n").machines.size() <= 1);
  CHECK(model_of_text("a ==> b\nkey port x ==> y (Up)\n").machines.empty());
}

TEST_CASE("evidence: ports belong to the host of their folder or source, if it has one host only") {
  const auto line = [](std::string_view host) { return std::string(host) + ":1:1 [0] NCCL INFO Using network IB\n"; };
  const Model model = model_of({{"n1/a.log", line("a-0")},
                                {"n1/ibstat.txt", ibstat},
                                {"n2/b.log", line("b-0")},
                                {"n2/c.log", line("c-0")},
                                {"n2/ibstat.txt", ibstat},
                                {"other/b-0-ibstat.txt", ibstat},
                                {"other/b-0-1.txt", ibstat},
                                {"other/log", line("a-0") + ibstat},
                                {"other/prompt", "root@c-0:/# ibstat\n" + ibstat},
                                {"other/foreign", "root@z-9:/# ibstat\n" + ibstat}});
  REQUIRE(model.machines.size() == 7);
  const auto name = [&](std::size_t machine) {
    const Index host = model.machines[machine].host;
    return host < 0 ? std::string() : model.hosts[host].name;
  };
  CHECK(name(0) == "a-0");
  CHECK(name(1).empty());
  CHECK(name(2) == "b-0");
  CHECK(name(4) == "a-0");
  CHECK(name(5) == "c-0");
  CHECK(name(6).empty());
}

}  // namespace nccl_analyze
