// Tests what is said of excerpts that set up no communicator, and to which rank a failure of an excerpt is given.

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "catch.h"
#include "model_of.h"
#include "nccl_analyze/analyzer.h"
#include "nccl_analyze/report.h"

namespace nccl_analyze {
namespace {

bool holds(std::string_view text, std::string_view words) { return text.find(words) != std::string_view::npos; }

/// The findings of a rule.
std::vector<Finding> findings_of(std::string_view rule, const std::string& log) {
  const Model model = model_of(log);
  std::vector<Finding> found;
  for (const Finding& finding : analyze(model).findings)
    if (finding.rule->id == rule) found.push_back(finding);
  return found;
}

std::string message_of(std::string_view rule, const std::string& log) {
  const std::vector<Finding> found = findings_of(rule, log);
  return found.size() == 1 ? found.front().message : std::string();
}

std::string bootstrap_on(std::string_view first, std::string_view second) {
  return std::string("n1:100:100 [0] NCCL INFO Bootstrap : Using ")
             .append(first)
             .append("<0>\nn2:200:200 [0] NCCL INFO Bootstrap : Using ") +
         std::string(second).append("<0>\n");
}

std::string socket_on(std::string_view interface) {
  return std::string("n1:100:100 [0] NCCL INFO NET/Socket : Using [0]").append(interface) +
         "<0>\nn1:100:100 [0] NCCL INFO Using network Socket\n";
}

std::string call(int pid, std::string_view what, std::string_view count, std::string_view op_count = "5") {
  const std::string id = std::to_string(pid);
  return "n1:" + id + ":" + id + " [0] NCCL INFO " + std::string(what) + ": opCount " + std::string(op_count) +
         " sendbuff 0x7f1000 recvbuff 0x7f1000 count " + std::string(count) + " datatype 7 op 0 root 0 comm 0x55" + id +
         " [nranks=4] stream 0x55100\n";
}

}  // namespace

TEST_CASE("excerpts: interfaces that do not join hosts are named, if the job spans hosts", "[excerpts]") {
  for (const std::string_view address : {"tun0:10.8.0.", "tailscale0:100.64.0.", "wg0:10.9.0.", "cni0:10.244.0.",
                                         "veth1a2b3c4:10.244.1.", "eno1:169.254.7.", "br-03e037269530:172.18.0."}) {
    INFO(address);
    const std::string one = std::string(address) + "1";
    CHECK(holds(message_of("NCA208", bootstrap_on(one, std::string(address) + "2")), "if the job spans hosts"));
    CHECK(holds(message_of("NCA208", socket_on(one)), "if the job spans hosts"));
  }
  CHECK(holds(message_of("NCA208", bootstrap_on("eth0:fe80::1%eth0", "eth0:fe80::2%eth0")), "link-local"));
  for (const std::string_view name : {"eth0", "br-ex", "br-storage0001", "tunnel"}) {
    INFO(name);
    CHECK(findings_of("NCA208", socket_on(std::string(name) + ":10.1.0.1")).empty());
  }
  for (const std::string& loopback :
       {socket_on("lo:127.0.0.1"), std::string("n1:100:100 [0] NCCL INFO Bootstrap : Using lo:127.0.0.1<0>\n")}) {
    CHECK(holds(message_of("NCA208", loopback), "if the job spans hosts"));
    CHECK(findings_of("NCA208", loopback).front().severity() == Severity::info);  // on one host it is no fault
  }
}

TEST_CASE("excerpts: a bootstrap that went on is no fault", "[excerpts]") {
  const std::string tunnel = "n1:100:100 [0] NCCL INFO Bootstrap : Using tun0:10.8.0.1<0>\n";
  CHECK(findings_of("NCA208", tunnel).size() == 1);
  CHECK(findings_of("NCA208", tunnel + "n1:100:110 [0] NCCL INFO Channel 00 : 0[0] -> 1[1] via P2P/IPC\n").empty());
}

TEST_CASE("excerpts: calls of one opCount that differ may be those of one communicator", "[excerpts]") {
  const std::string three = call(1, "AllReduce", "53") + call(2, "AllReduce", "53") + call(3, "AllReduce", "53");
  CHECK(holds(message_of("NCA603", three + call(4, "AllReduce", "54")), "if it is the same one"));
  CHECK(holds(message_of("NCA603", three + call(4, "AllGather", "53")), "n1:4 (GPU 0) called AllGather"));
  CHECK(findings_of("NCA603", three + call(4, "AllReduce", "53")).empty());
  CHECK(findings_of("NCA603", three + call(4, "AllReduce", "54", "6")).empty());
  // more processes than ranks, or two communicators of one size
  CHECK(findings_of("NCA603", three + call(4, "AllReduce", "53") + call(5, "AllReduce", "54")).empty());
  CHECK(findings_of("NCA603", call(1, "AllReduce", "53") + call(2, "AllReduce", "53") + call(3, "AllGather", "99") +
                                  call(4, "AllGather", "99"))
            .empty());
  // opCount counts no calls here, or is one ahead
  CHECK(findings_of("NCA603", three + call(4, "AllReduce", "53") + call(4, "AllReduce", "54")).empty());
  CHECK(findings_of("NCA603", three + call(1, "Broadcast", "7", "6") + call(2, "Broadcast", "7", "6") +
                                  call(3, "Broadcast", "7", "6") + call(4, "AllReduce", "53", "6") +
                                  call(4, "Broadcast", "7", "7"))
            .empty());
}

TEST_CASE("excerpts: a verbs library without its driver is why there is no InfiniBand", "[excerpts]") {
  const std::string tcp =
      "n1:100:600 [0] NCCL INFO NET/IB : No device found.\nn1:100:600 [0] NCCL INFO Using network Socket\n";
  const std::string driver =
      "libibverbs: Warning: couldn't load driver 'libmlx5-rdmav34.so': libmlx5-rdmav34.so: cannot open shared object "
      "file: No such file or directory\n";
  CHECK(holds(message_of("NCA303", driver + tcp), "(libmlx5-rdmav34.so), and NCCL finds no InfiniBand device"));
  const std::string wish = "n1:100:600 [0] NCCL INFO NCCL_IB_HCA set to mlx5\n";
  CHECK(holds(message_of("NCA303", wish + driver + tcp), "(libmlx5-rdmav34.so)"));
  const std::string library = "n1:100:600 [0] misc/ibvwrap.cc:63 NCCL WARN Failed to open libibverbs.so[.1]\n";
  const std::string socket = "n1:100:600 [0] NCCL INFO Using network Socket\n";
  CHECK(holds(message_of("NCA303", wish + library + socket), "libibverbs.so cannot be loaded"));
  CHECK(findings_of("NCA303", library + socket).empty());
}

TEST_CASE("excerpts: hosts that load other plugins are told apart, those that show less are not", "[excerpts]") {
  const auto loaded = [](std::string_view host, std::string_view api) {
    return std::string(host) + ":100:100 [0] NCCL INFO NET/Plugin: Loaded net plugin Libfabric (v" + std::string(api) +
           ")\n";
  };
  const std::string version = "n1:100:100 [0] NCCL INFO NET/OFI Initializing aws-ofi-nccl 1.14.2\n";
  CHECK(holds(message_of("NCA310", loaded("n1", "10") + loaded("n2", "8")), "may fail to connect"));
  CHECK(findings_of("NCA310", loaded("n1", "10") + version + loaded("n2", "10")).empty());
  CHECK(holds(
      message_of("NCA310", "n1:1:1 [0] NCCL INFO Using network IBext_v8\nn2:2:2 [0] NCCL INFO Using network IB\n"),
      "cannot connect"));
}

TEST_CASE("excerpts: a failure is not given to the only known rank of a process with more GPUs", "[excerpts]") {
  const std::string rank_4 =
      "n1:100:600 [4] NCCL INFO ncclCommInitRank comm 0x5540 rank 4 nranks 8 cudaDev 4 nvmlDev 4 busId 5b000 commId "
      "0x65b4 - Init COMPLETE\n";
  const auto failed = [](int device) {
    return "n1:100:60" + std::to_string(device) + " [" + std::to_string(device) +
           "] include/alloc.h:185 NCCL WARN Failed to CUDA calloc 10485760 bytes\n";
  };
  REQUIRE(findings_of("NCA602", rank_4 + failed(4)).size() == 1);
  CHECK(findings_of("NCA602", rank_4 + failed(4)).front().ranks == std::vector<int>{4});
  REQUIRE(findings_of("NCA602", rank_4 + failed(2)).size() == 1);
  CHECK(findings_of("NCA602", rank_4 + failed(2)).front().ranks.empty());
  const Model model = model_of(rank_4 + failed(2));
  CHECK(model.processes[0].has_other_ranks);
  CHECK(model.incidents[0].rank == -1);
}

TEST_CASE("excerpts: the rank that PyTorch's tag names is that of the failure", "[excerpts]") {
  const std::string quote =
      "[rank3]: torch.distributed.DistBackendError: NCCL error in: NCCLUtils.cpp:77, unhandled cuda error, NCCL "
      "version "
      "2.27.3\n[rank3]: Last error:\n[rank3]: Cuda failure 'out of memory'\n";
  REQUIRE(findings_of("NCA602", quote).size() == 1);
  CHECK(findings_of("NCA602", quote).front().ranks == std::vector<int>{3});
  const auto start = [](int pid, int rank) {
    return "n1:" + std::to_string(pid) + ":9 [0] NCCL INFO ncclCommInitRank comm 0x18 rank " + std::to_string(rank) +
           " nranks 4 cudaDev 0 nvmlDev 0 busId " + std::to_string(rank + 1) + "000 commId 0x77 - Init COMPLETE\n";
  };
  const std::string both = start(102, 2) + start(103, 3);
  REQUIRE(findings_of("NCA602", both + quote).size() == 1);
  CHECK(findings_of("NCA602", both + quote).front().ranks == std::vector<int>{3});
  CHECK(findings_of("NCA602", both + quote).front().processes == std::vector<Index>{1});
  CHECK(model_of(both + start(104, 3) + quote).incidents[0].process != 1);  // two processes may be meant
}

TEST_CASE("excerpts: why data goes through host memory is not missing where a line tells it", "[excerpts]") {
  const auto shm = [](int from, int to) {
    return "n1:101:15" + std::to_string(from) + " [" + std::to_string(from) +
           "] NCCL INFO Channel 00 : " + std::to_string(from) + "[" + std::to_string(from) + "] -> " +
           std::to_string(to) + "[" + std::to_string(to) + "] via SHM/direct/direct\n";
  };
  CHECK(holds(message_of("NCA401", shm(1, 0)), "Why cannot be said"));
  CHECK(holds(message_of("NCA401", shm(1, 5) + shm(5, 1) + shm(2, 6) + shm(6, 2)), "Ranks 1-2,5-6 exchange"));
  const std::string off = "n1:100:150 [0] NCCL INFO NCCL_P2P_DISABLE set by environment to 1.\n";
  CHECK(findings_of("NCA401", off + shm(1, 0)).empty());
  CHECK(findings_of("NCA403", off + shm(1, 0)).size() == 1);
  const std::string refused =
      "WARNING 04-26 01:59:06 custom_all_reduce.py:74] Custom allreduce is disabled because your platform lacks GPU "
      "P2P "
      "capability or P2P test failed.\n";
  REQUIRE(findings_of("NCA401", refused + shm(1, 0)).size() == 1);
  CHECK(findings_of("NCA401", refused + shm(1, 0)).front().severity() == Severity::info);
}

}  // namespace nccl_analyze
