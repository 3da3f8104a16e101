// Tests that the output of ibv_devinfo, ibstatus, `rdma link` and show_gids becomes machines of the model.

#include <string>

#include "evidence/evidence_models.h"

namespace nccl_analyze {
namespace {

const std::string devinfo =
    "hca_id:\tmlx5_0\n\ttransport:\t\t\tInfiniBand (0)\n\tfw_ver:\t\t\t\t28.39.3004\n"
    "\tnode_guid:\t\t\tb83f:d203:0099:1110\n\tsys_image_guid:\t\t\tb83f:d203:0099:1111\n\tvendor_id:\t\t\t0x02c9\n"
    "\tvendor_part_id:\t\t\t4129\n\thw_ver:\t\t\t\t0x0\n\tboard_id:\t\t\tMT_0000000838\n\tphys_port_cnt:\t\t\t1\n"
    "\t\tport:\t1\n\t\t\tstate:\t\t\tPORT_INIT (2)\n\t\t\tmax_mtu:\t\t4096 (5)\n\t\t\tactive_mtu:\t\t4096 (5)\n"
    "\t\t\tsm_lid:\t\t\t0\n\t\t\tport_lid:\t\t65535\n\t\t\tport_lmc:\t\t0x00\n\t\t\tlink_layer:\t\tInfiniBand\n\n"
    "hca_id:\tmlx5_1\n\t\tport:\t1\n\t\t\tstate:\t\t\tPORT_DOWN (1)\n\t\t\tlink_layer:\t\tEthernet\n";

const std::string gids =
    "\t\t\tphys_state:\t\tLINK_UP (5)\n\t\t\tGID[  0]:\t\tfe80:0000:0000:0000:0ac0:ebff:feda:1cfb, RoCE v1\n"
    "\t\t\tGID[  1]:\t\tfe80::ac0:ebff:feda:1cfb, RoCE v2\n"
    "\t\t\tGID[  2]:\t\t0000:0000:0000:0000:0000:ffff:c800:d106, RoCE v1\n"
    "\t\t\tGID[  3]:\t\t::ffff:200.0.209.6, RoCE v2\n";

const std::string gid_table =
    "DEV\tPORT\tINDEX\tGID\t\t\t\t\tIPv4  \t\tVER\tDEV\n---\t----\t-----\t---\t\t\t\t\t------------  \t---\t---\n"
    "mlx5_0\t1\t4\tfe80:0000:0000:0000:c025:a1ff:fe31:2e81\t\t\tv1\tnet1\n"
    "mlx5_0\t1\t5\tfe80:0000:0000:0000:c025:a1ff:fe31:2e81\t\t\tv2\tnet1\n"
    "mlx5_0\t1\t6\t0000:0000:0000:0000:0000:ffff:0a9c:8184\t10.156.129.132  \tv1\tnet1\n"
    "mlx5_0\t1\t7\t0000:0000:0000:0000:0000:ffff:0a9c:8184\t10.156.129.132  \tv2\tnet1\n";

/// Replaces tabs by blanks, as pages of the web do.
std::string with_blanks(std::string text) {
  for (std::size_t at = text.find('\t'); at != std::string::npos; at = text.find('\t', at)) text.replace(at, 1, "    ");
  return text;
}

void check_devinfo(const Model& model) {
  REQUIRE(model.machines.size() == 1);
  const Machine& machine = model.machines[0];
  CHECK(machine.tool == MachineTool::ibv_devinfo);
  REQUIRE(machine.nics.size() == 2);
  CHECK(machine.nics[0].name == "mlx5_0");
  CHECK(machine.nics[0].port == 1);
  CHECK(machine.nics[0].printed_state == "Initializing");
  CHECK(machine.nics[0].link_layer == "InfiniBand");
  CHECK(machine.nics[1].name == "mlx5_1");
  CHECK(machine.nics[1].printed_state == "Down");
  CHECK(machine.nics[1].state == PortState::down);
}

}  // namespace

TEST_CASE("evidence: ibv_devinfo") {
  check_devinfo(model_of_text(devinfo));
  check_devinfo(model_of_text(with_blanks(devinfo)));
  check_devinfo(model_of_text(devinfo, 1));
  CHECK(model_of_text(devinfo).machines[0].nics[0].guid == 0xb83fd20300991111);
  check_same_report(devinfo);
  const Model prompt = model_of_text("root@worker-0:~# ibv_devinfo\n" + devinfo);
  REQUIRE(prompt.machines.size() == 1);
  CHECK(prompt.machines[0].prompt_host == "worker-0");
}

TEST_CASE("evidence: ibv_devinfo without the lines that grep leaves out") {
  const Model model = model_of_text(
      "hca_id:\tmlx5_0\n\t\t\tstate:\t\t\tPORT_ACTIVE (4)\n\t\t\tlink_layer:\t\tEthernet\n\t\t\tstate:\t\t\tPORT_DOWN "
      "(1)\n\t\t\tlink_layer:\t\tEthernet\nhca_id:\tmlx5_1\n\t\t\tstate:\t\t\tPORT_ARMED (3)\n");
  REQUIRE(model.machines.size() == 1);
  REQUIRE(model.machines[0].nics.size() == 3);
  CHECK(model.machines[0].nics[0].state == PortState::up);
  CHECK(model.machines[0].nics[1].port == 2);
  CHECK(model.machines[0].nics[1].state == PortState::down);
  CHECK(model.machines[0].nics[2].name == "mlx5_1");
  CHECK(model.machines[0].nics[2].printed_state == "Armed");
}

TEST_CASE("evidence: ibv_devinfo -v") {
  std::string verbose = "hca_id:\tmlx5_3\n\tdevice_cap_flags:\t\t0x25321c36\n";
  for (int i = 0; i < 120; ++i) verbose += "\t\t\t\t\tUNKNOWN_FLAG_" + std::to_string(i) + "\n";
  verbose += "\t\tport:\t1\n\t\t\tstate:\t\t\tPORT_ACTIVE (4)\n\t\t\tlink_layer:\t\tEthernet\n" + gids;
  for (const std::string& text : {verbose, gids}) {
    const Model model = model_of_text(text);
    REQUIRE(model.machines.size() == 1);
    const auto& entries = model.machines[0].gids;
    REQUIRE(entries.size() == 4);
    CHECK(entries[3].index == 3);
    CHECK(entries[3].gid == "::ffff:200.0.209.6");
    CHECK(entries[3].kind == "v2");
    CHECK(entries[0].kind == "v1");
    check_same_report(text);
  }
  const Model model = model_of_text(verbose);
  CHECK(model.machines[0].gids[0].device == "mlx5_3");
  REQUIRE(model.machines[0].nics.size() == 1);
  CHECK(model.machines[0].nics[0].physical_state == "LinkUp");
}

TEST_CASE("evidence: ibstatus") {
  const std::string text =
      "[root@node045 ~]# ibstatus\nInfiniband device 'mlx5_0' port 1 status:\n"
      "\tdefault gid:\t fe80:0000:0000:0000:0e42:a1ff:fe9a:6766\n\tbase lid:\t 0x0\n\tsm lid:\t\t 0x0\n"
      "\tstate:\t\t 1: DOWN\n\tphys state:\t 3: Disabled\n\trate:\t\t 25 Gb/sec (1X EDR)\n\tlink_layer:\t Ethernet\n\n"
      "Infiniband device 'mlx5_1' port 1 status:\n\tstate:\t\t 4: ACTIVE\n\tphys state:\t 5: LinkUp\n"
      "\trate:\t\t 400 Gb/sec (4X NDR)\n\tlink_layer:\t InfiniBand\n";
  const Model model = model_of_text(text);
  REQUIRE(model.machines.size() == 1);
  CHECK(model.machines[0].tool == MachineTool::ibstatus);
  CHECK(model.machines[0].prompt_host == "node045");
  REQUIRE(model.machines[0].nics.size() == 2);
  const MachineNic& first = model.machines[0].nics[0];
  CHECK(first.printed_state == "Down");
  CHECK(first.physical_state == "Disabled");
  CHECK(first.rate == Approx(25));
  CHECK(first.link_layer == "Ethernet");
  CHECK(model.machines[0].nics[1].state == PortState::up);
  check_same_report(text);
}

TEST_CASE("evidence: rdma link") {
  const std::string text =
      "root@node2$ rdma link\nlink mlx5_0/1 subnet_prefix fe80:0000:0000:0000 lid 3 sm_lid 1 lmc 0 state ACTIVE "
      "physical_state LINK_UP\nlink mlx5_4/1 state DOWN physical_state DISABLED netdev enp97s0f0\n";
  const Model model = model_of_text(text);
  REQUIRE(model.machines.size() == 1);
  CHECK(model.machines[0].tool == MachineTool::rdma_link);
  CHECK(model.machines[0].prompt_host == "node2");
  REQUIRE(model.machines[0].nics.size() == 2);
  CHECK(model.machines[0].nics[0].state == PortState::up);
  CHECK(model.machines[0].nics[1].physical_state == "Disabled");
  CHECK(model.machines[0].nics[1].interface == "enp97s0f0");
  check_same_report(text);
}

TEST_CASE("evidence: show_gids") {
  for (const std::string& text : {gid_table, with_blanks(gid_table), "root@a:~# show_gids\n" + gid_table}) {
    const Model model = model_of_text(text);
    REQUIRE(model.machines.size() == 1);
    const auto& entries = model.machines[0].gids;
    REQUIRE(entries.size() == 4);
    CHECK(entries[0].index == 4);
    CHECK(entries[3].device == "mlx5_0");
    CHECK(entries[3].kind == "v2");
    CHECK(entries[3].interface == "net1");
    check_same_report(text);
  }
  CHECK(model_of_text(gid_table + gid_table).machines.size() == 2);
  const std::string rows = gid_table.substr(gid_table.find("mlx5_0\t1\t6"));
  REQUIRE(model_of_text(rows).machines.size() == 1);
  CHECK(model_of_text(rows).machines[0].gids.size() == 2);
}

TEST_CASE("evidence: output of RDMA tools is bounded, and other lines are no such output") {
  std::string many;
  for (int i = 0; i < 20'000; ++i) many += "\t\t\tGID[" + std::to_string(i) + "]:\t\tfe80::1, RoCE v2\n";
  for (const Machine& machine : model_of_text(many).machines) CHECK(machine.gids.size() <= 1024);
  for (const char* const text :
       {"hca_id:\n", "hca_id: a b c\n", "GID[ x]: fe80::1\n", "GID[ 1]: hello\n", "GID[\n", "Infiniband device '\n",
        "Infiniband device 'x' port y status:\n", "link x/y physical_state \n", "DEV PORT INDEX\n", "0000:ffff:\n",
        "a b 0000:ffff:\n", "mlx5_0 1 -3 0000:0000:0000:0000:0000:ffff:0a09:8184 v2\n"}) {
    const Model model = model_of_text(text);
    for (const Machine& machine : model.machines) CHECK((machine.nics.empty() && machine.gids.empty()));
  }
}

}  // namespace nccl_analyze
