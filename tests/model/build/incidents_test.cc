// Tests the data of incidents: device, peer, reason and error number.

#include <tuple>

#include "catch.h"
#include "model/small_log.h"

namespace nccl_analyze::test {

TEST_CASE("incidents: faults of the network keep who, why and the number") {
  const Model model = model_of(
      line(1, 1, "NET/IB : Got completion from peer 10.0.0.2<41234> with error 12, opcode 0, len 0, vendor err 129") +
      line(1, 1, "NET/IB : mlx5_0:1 Got non-fatal async event: port error(10)") +
      line(1, 1, "NET/IB : mlx5_0:1 async fatal event: device fatal") +
      line(1, 1, "Call to ibv_reg_mr failed with error Cannot allocate memory errno 12") +
      line(1, 1, "Missing \"iommu=pt\" from kernel command line which can lead to system instablity or hang!"));
  REQUIRE(model.incidents.size() == 5);
  const auto& [completion, port, device, call, setting] =
      std::tie(model.incidents[0], model.incidents[1], model.incidents[2], model.incidents[3], model.incidents[4]);
  CHECK(completion.kind == IncidentKind::ib_completion_failed);
  CHECK(completion.peer == "10.0.0.2<41234>");
  CHECK(completion.event.as<IbCompletionFailed>().status == 12);
  CHECK(port.event.as<IbAsyncEvent>().device == "mlx5_0");
  CHECK(port.event.as<IbAsyncEvent>().port == 1);
  CHECK(port.error == "port error");
  CHECK(port.aspect.empty());
  CHECK(device.error == "device fatal");
  CHECK(device.aspect == "fatal");
  CHECK(call.event.as<CallFailed>().call == "ibv_reg_mr");
  CHECK(call.error_number == 12);
  CHECK(setting.event.as<HostSettingMissing>().setting == "iommu=pt");
  CHECK(setting.event.as<CallFailed>().call.empty());  // The event has another type.
}

}  // namespace nccl_analyze::test
