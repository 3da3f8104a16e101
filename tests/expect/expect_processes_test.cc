// Tests expectations of processes: versions and networks.

#include "catch.h"
#include "expect/judged_job.h"

namespace nccl_analyze::test {

TEST_CASE(
    "expectations: version, driver, network and platform must be so in every process, and are unknown where one prints "
    "none") {
  Model model = job(2, 2);
  CHECK(status_of(model, "version>=2.21") == pass);
  CHECK(status_of(model, "version=2.27") == pass);
  CHECK(status_of(model, "version=2.2") == fail);
  CHECK(status_of(model, "version<2.27") == fail);
  CHECK(status_of(model, "version<=2.27") == pass);
  CHECK(status_of(model, "driver=12.8") == pass);
  CHECK(status_of(model, "network=ib") == pass);
  CHECK(status_of(model, "network=EFA") == fail);
  CHECK(status_of(model, "network!=Socket") == pass);
  CHECK(status_of(model, "one-version") == pass);
  CHECK(status_of(model, "platform=p5.48xlarge") == unknown);
  for (Process& process : model.processes) process.platform = "P4d";
  CHECK(status_of(model, "platform=p4d.24xlarge") == pass);
  CHECK(status_of(model, "platform=p4de.24xlarge") == fail);
  for (Process& process : model.processes) process.platform = "p4d.24xlarge";
  CHECK(status_of(model, "platform=p4d.24xlarge") == pass);
  CHECK(status_of(model, "platform=p4d.48xlarge") == fail);
  model.processes[3].network = "Socket";
  const Check network = check_of(model, "network=IB");
  CHECK(network.status == fail);
  CHECK(network.detail == "Socket on 1 of 4 processes (node-1); IB on 3 of 4 processes");
  CHECK(status_of(model, "one-network") == fail);
  model.processes[3].network = "";
  CHECK(check_of(model, "network=IB").detail ==
        "no line says which network NCCL uses on 1 of 4 processes (node-1); IB on 3 of 4 processes");
  CHECK(status_of(model, "one-network") == unknown);
  model.processes[2].version = "2.26.2";
  CHECK(status_of(model, "one-version") == fail);
  model.processes[2].version = "";
  CHECK(status_of(model, "version>=2.21") == unknown);
}

TEST_CASE("expectations: a network by the names that users know") {
  Model model = job(1, 1);
  model.processes[0].network = "Libfabric";
  CHECK(status_of(model, "network=EFA") == pass);
  CHECK(status_of(model, "network=AWS Libfabric") == fail);
  model.processes[0].plugins.emplace_back().version = "aws-ofi-nccl 1.9.2, provider tcp;ofi_rxm";
  CHECK(status_of(model, "network=EFA") == fail);
  CHECK(status_of(model, "network=Libfabric") == pass);
  model.processes[0].network = "IBext_v8";
  CHECK(status_of(model, "network=IB|EFA") == pass);
  model.processes[0].network = "";
  model.communicators[0].transports = {"SHM", "NET/FasTrak"};
  CHECK(status_of(model, "network=TCPXO") == pass);
}

}  // namespace nccl_analyze::test
