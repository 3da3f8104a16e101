// Tests that `lspci -vvv` becomes a machine of the model.

#include <string>

#include "evidence/evidence_models.h"

namespace nccl_analyze {
namespace {

const std::string lspci =
    "00:00.0 Host bridge: Intel Corporation Device 09a2 (rev 20)\n"
    "\tControl: I/O- Mem- BusMaster-\n"
    "\n"
    "15:01.0 PCI bridge: Broadcom / LSI PEX890xx PCIe Gen 5 Switch (rev b0) (prog-if 00 [Normal decode])\n"
    "\tBus: primary=15, secondary=16, subordinate=19, sec-latency=0\n"
    "\tCapabilities: [68] Express (v2) Downstream Port (Slot+), MSI 00\n"
    "\t\tLnkCap:\tPort #0, Speed 32GT/s, Width x16, ASPM not supported\n"
    "\t\tLnkSta:\tSpeed 32GT/s, Width x16\n"
    "\tCapabilities: [170 v1] Access Control Services\n"
    "\t\tACSCap:\tSrcValid+ TransBlk+ ReqRedir+ CmpltRedir+ UpstreamFwd+ EgressCtrl+ DirectTrans+\n"
    "\t\tACSCtl:\tSrcValid+ TransBlk- ReqRedir+ CmpltRedir+ UpstreamFwd+ EgressCtrl- DirectTrans-\n"
    "\n"
    "19:00.0 3D controller: NVIDIA Corporation GH100 [H100 SXM5 80GB] (rev a1)\n"
    "\tSubsystem: NVIDIA Corporation Device 16c1\n"
    "\tCapabilities: [60] Express (v2) Endpoint, MSI 00\n"
    "\t\tLnkCap:\tPort #0, Speed 32GT/s, Width x16, ASPM not supported\n"
    "\t\tLnkSta:\tSpeed 2.5GT/s (downgraded), Width x8 (downgraded)\n"
    "\t\tLnkCap2: Supported Link Speeds: 2.5-32GT/s\n"
    "\t\tLnkSta2: Current De-emphasis Level: -3.5dB\n"
    "\n"
    "0001:1a:00.0 Infiniband controller: Mellanox Technologies MT2910 Family [ConnectX-7]\n"
    "\t\tLnkCap:\tPort #0, Speed 32GT/s, Width x16, ASPM not supported\n"
    "\t\tLnkSta:\tSpeed 32GT/s (ok), Width x16 (ok)\n"
    "\n"
    "1a:00.2 Ethernet controller: Mellanox Technologies ConnectX Family mlx5Gen Virtual Function\n"
    "\t\tLnkCap:\tPort #0, Speed 32GT/s, Width x16, ASPM not supported\n"
    "\t\tLnkSta:\tSpeed unknown, Width x0 (downgraded)\n";

}  // namespace

TEST_CASE("evidence: lspci shows the links of GPUs and NICs and the access control of bridges") {
  const Model model = model_of_text(lspci);
  REQUIRE(model.machines.size() == 1);
  const Machine& machine = model.machines[0];
  CHECK(machine.tool == MachineTool::lspci);
  REQUIRE(machine.gpus.size() == 1);
  CHECK(machine.gpus[0].bus_id == 0x19000);
  CHECK(machine.gpus[0].link.width == 8);
  CHECK(machine.gpus[0].link.max_width == 16);
  CHECK(machine.gpus[0].link.speed == Approx(2.5));
  CHECK(machine.gpus[0].product == "NVIDIA Corporation GH100 [H100 SXM5 80GB] (rev a1)");
  REQUIRE(machine.nics.size() == 1);
  CHECK(machine.nics[0].bus_id == 0x11a000);
  REQUIRE(machine.acs_bridges.size() == 1);
  CHECK(machine.acs_bridges[0].first_bus == 0x16);
  CHECK(machine.acs_bridges[0].last_bus == 0x19);
  check_same_report(lspci);
}

TEST_CASE("evidence: lspci without root, behind a prompt, cut and repeated") {
  CHECK(model_of_text("19:00.0 3D controller: NVIDIA Corporation GH100\n\tCapabilities: <access denied>\n")
            .machines.empty());
  const Model model = model_of_text("root@worker-0:~# lspci -vvv\n" + lspci + lspci);
  REQUIRE(model.machines.size() == 2);
  CHECK(model.machines[0].prompt_host == "worker-0");
  CHECK(model.machines[1].gpus.size() == 1);
  check_same_report(lspci.substr(0, lspci.find("Width x8")));
  CHECK(model_of_text("the NIC controller: broken\nPCI bridge: x\n19:00.0 x controller: \n").machines.empty());
}

}  // namespace nccl_analyze
