// Tests that limits, sizes and modules that a shell shows become values of machines.

#include <string>

#include "evidence/evidence_models.h"

namespace nccl_analyze {
namespace {

/// Returns the values of all documents: `memlock=65536`.
std::string values_in(std::string_view text) {
  std::string out;
  for (const Machine& machine : model_of_text(text).machines)
    for (const MachineValue& value : machine.values)
      out.append(out.empty() ? "" : " ").append(value.what).append("=").append(std::to_string(value.number));
  return out;
}

}  // namespace

TEST_CASE("evidence: the limit on locked memory") {
  CHECK(values_in("$ ulimit -l\n64\n") == "memlock=65536");
  CHECK(values_in("root@worker-0:~# ulimit -l\nunlimited\n") == "memlock=-1");
  CHECK(model_of_text("root@worker-0:~# ulimit -l\n64\n").machines[0].prompt_host == "worker-0");
  CHECK(values_in("ulimit -l\n8192\n") == "memlock=8388608");
  CHECK(values_in("max locked memory       (kbytes, -l) 64\nopen files    (-n) 1024\n") == "memlock=65536");
  CHECK(values_in("Max locked memory         65536                65536                bytes     \n") ==
        "memlock=65536");
  CHECK(values_in("Max locked memory         unlimited            unlimited            bytes     \n") == "memlock=-1");
  CHECK(values_in("$ ulimit -l\n$ ls\n64\n").empty());
  CHECK(values_in("$ ulimit -l unlimited\n64\n").empty());
  CHECK(values_in("Please run ulimit -l\n64\n").empty());
  CHECK(values_in("$ ulimit -l\n99999999999999999999\n").empty());
  CHECK(values_in("$ ulimit -l\n-5\n").empty());
  check_same_report("$ ulimit -l\n64\n$ ulimit -l\n");
}

TEST_CASE("evidence: the size of /dev/shm") {
  const std::string df =
      "$ df -h /dev/shm\nFilesystem      Size  Used Avail Use% Mounted on\n"
      "shm              64M   60M  4.0M  94% /dev/shm\n";
  CHECK(values_in(df) == "shm_size=67108864 shm_available=4194304");
  CHECK(values_in("tmpfs            65536       0     65536   0% /dev/shm\n") ==
        "shm_size=67108864 shm_available=67108864");
  CHECK(values_in("tmpfs           1.0T     0  504G   0% /dev/shm\n") ==
        "shm_size=1099511627776 shm_available=541165879296");
  CHECK(
      values_in("2024-05-01 10:00:00,123\tWARNING services.py:2017 -- WARNING: The object store is using /tmp instead "
                "of /dev/shm because /dev/shm has only 67108864 bytes available. This will harm performance!\n") ==
      "shm_available=67108864");
  for (const char* const text : {"shm 64M 60M 4.0M 94 /dev/shm\n", "shm -1M 60M 4.0M 94% /dev/shm\n",
                                 "shm nan nan nan 94% /dev/shm\n", "shm 1e300 1 1 94% /dev/shm\n", "a /dev/shm\n",
                                 " /dev/shm\n", "instead of /dev/shm because /dev/shm has only many bytes available\n"})
    CHECK(values_in(text).empty());
  check_same_report(df);
}

TEST_CASE("evidence: whether nvidia-peermem is loaded") {
  CHECK(values_in("$ lsmod | grep peermem\nnvidia_peermem         16384  0\n") == "nvidia_peermem=1");
  CHECK(values_in("nvidia_peermem         16384  0\nnvidia   56598528  147 nvidia_uvm\n") == "nvidia_peermem=1");
  CHECK(values_in("$ lsmod | grep peermem\n$ lsmod | grep nvidia\nnvidia   56598528  147 nvidia_uvm\n") ==
        "nvidia_peermem=0");
  CHECK(values_in("root@a:~# lsmod | grep -i nvidia_peermem\n") == "nvidia_peermem=0");
  CHECK(values_in("ib_uverbs  135168  3 nvidia_peermem,rdma_ucm\n").empty());
  CHECK(values_in("Check lsmod | grep peermem on the host\n").empty());
  CHECK(values_in("nvidia_peermem x y\n").empty());
  check_same_report("$ lsmod | grep peermem\n$ lsmod | grep nvidia\n");
}

TEST_CASE("evidence: nvidia-smi without a GPU or driver") {
  CHECK(values_in("No devices were found\n") == "gpus=0");
  CHECK(values_in("NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver. Make sure that the "
                  "latest NVIDIA driver is installed and running.\n") == "driver=0");
  CHECK(values_in("Exception: No devices were found by the profiler\n").empty());
}

}  // namespace nccl_analyze
