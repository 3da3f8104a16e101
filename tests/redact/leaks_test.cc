// Tests what once stayed and told something: addresses in the names of files, sizes of models, registries of addresses.

#include <string>
#include <string_view>
#include <utility>

#include "catch.h"
#include "redact/redaction.h"

namespace nccl_analyze::redact {
namespace {

struct Redacted {
  std::string log, name;
};

Redacted redacted_file(std::string_view log, std::string_view name = "input.log", bool keep_other = true) {
  Redaction redaction(keep_other);
  Redacted made;
  const auto out = [&](std::string_view bytes) { made.log += bytes; };
  redaction.begin(name);
  redaction.survey(log);
  redaction.end();
  redaction.choose();
  made.name = redaction.rewritten_name(name);
  redaction.begin_rewriting();
  redaction.rewrite(log, out);
  redaction.end_rewriting(out);
  return made;
}

bool holds(std::string_view text, std::string_view words) { return text.find(words) != std::string_view::npos; }

TEST_CASE("redact: an address in the name of a file is replaced, whatever separates its numbers") {
  constexpr std::string_view log = "acme-1:152:386 [0] NCCL INFO Using network IB\n";
  for (const char* const name : {"203-0-113-77-worker-0.log", "job-203.0.113.77-acme.log", "run_203_0_113_77x.log"}) {
    const std::string made = redacted_file(log, name).name;
    CHECK(made.size() == std::string_view(name).size());
    CHECK(made.ends_with(".log"));
    CHECK_FALSE(holds(made, "113"));
    CHECK_FALSE(holds(made, "77"));
  }
}

TEST_CASE("redact: the size of a model in the name of a host is replaced, the number of the host stays") {
  const std::string text = redacted_file("llama-70b-node-3:152:386 [0] NCCL INFO Using network IB\n").log;
  CHECK_FALSE(holds(text, "70"));
  CHECK(holds(text, "-3:152:386"));
  CHECK(holds(redacted_file("acme-node-1b:152:386 [0] NCCL INFO Using network IB\n").log, "-1"));
}

TEST_CASE("redact: of a public prefix of IPv6, only the first digit stays; a private one stays private") {
  const std::string text =
      redacted_file("acme-1:1:2 [0] NCCL INFO Bootstrap: Using eth0:2a01:7e01:1f2b:9c3d::55<0>\n").log;
  CHECK_FALSE(holds(text, "eth0:2a"));
  CHECK(holds(text, "eth0:2"));
  CHECK(holds(redacted_file("acme-1:1:2 [0] NCCL INFO Bootstrap: Using eth0:fd12:3456:789a:1::5<0>\n").log, "eth0:fd"));
}

TEST_CASE("redact: a firm in a path is masked") {
  CHECK_FALSE(holds(redacted_file("RuntimeError: NCCL error in: /opt/microsoft/x.cpp:12, timeout\n").log, "microsoft"));
}

/// The host that stands for `host` in the prefix of NCCL.
std::string stand_in_of_host(std::string_view host) {
  const std::string text = redacted_file(std::string(host) + ":152:386 [0] NCCL INFO Using network IB\n").log;
  return text.substr(0, text.find(":152:"));
}

TEST_CASE("redact: an id in a name loses its digits, the number of a series stays") {
  for (const char* const id : {"0a1b2c3d4e5", "9f3a7c1d", "i-0123a4567b89c0de1", "aa464b9b", "x2k9p", "7fk2x93",
                               "5c0a3f1e-2b7d-4e11-9d3a-0f1e2d3c4b5a", "73e9f9f4515", "p4de24sadoca", "123abc",
                               "92732890-0458-4444-8369-123456789012"}) {
    INFO(id);
    const std::string made = stand_in_of_host(id);
    CHECK(made.size() == std::string_view(id).size());
    CHECK(made.find_first_of("0123456789") == made.npos);
  }
  for (const auto& [host, end] : {std::pair("node012", "012"), std::pair("rack1gpu3", "3"), std::pair("acme-7", "-7")})
    CHECK(stand_in_of_host(host).ends_with(end));
  const std::string text = redacted_file(
                               "k-9f3a7c1d:1:2 [0] NCCL INFO Using network IB\n"
                               "k-9f3a7c1e:1:2 [0] NCCL INFO Using network IB\n")
                               .log;
  CHECK(text.substr(0, 10) != text.substr(text.find('\n') + 1, 10));
}

TEST_CASE("redact: no part of an address stays in a name, and no address of the unassigned networks") {
  CHECK_FALSE(holds(stand_in_of_host("ip-250-58-4-253"), "58"));
  CHECK_FALSE(holds(stand_in_of_host("n122-246-085"), "246"));
  CHECK_FALSE(holds(stand_in_of_host("gpu-cip-144-103"), "144"));
  CHECK_FALSE(holds(stand_in_of_host("VM-0-14-ubuntu"), "14"));
  CHECK(holds(stand_in_of_host("rack-001-002"), "-001-002"));
  for (const char* const address : {"250.58.4.253", "240.58.4.253", "0.44.7.91", "127.44.7.91", "169.254.17.23"}) {
    const std::string text =
        redacted_file("acme-1:1:2 [0] NCCL INFO Bootstrap : Using eth0:" + std::string(address) + "<0>\n").log;
    CHECK_FALSE(holds(text, std::string_view(address).substr(4)));
  }
}

TEST_CASE("redact: of a manifest, numbers stay under resources and capabilities under add alone") {
  const std::string yaml =
      redacted_file(
          "apiVersion: v1\nkind: Pod\nmetadata:\n  name: acme-0\n  labels:\n    max.titan: y\n    87654321: x\n"
          "spec:\n  containers:\n  - name: t\n    command: [\"python\", \"--db-password\", \"76543210\"]\n    args:\n"
          "    - 441277\n    - PAGE\n    env:\n    - name: DB\n      value: 65432109\n    - {name: PIN, value: "
          "332211}\n"
          "    securityContext:\n      capabilities:\n        add:\n        - IPC_LOCK\n    resources:\n      limits:\n"
          "        nvidia.com/gpu: 8\n        vpc.amazonaws.com/efa: \"4\"\n")
          .log;
  for (const char* const hidden : {"titan", "87654321", "76543210", "441277", "PAGE", "65432109", "332211"})
    CHECK_FALSE(holds(yaml, hidden));
  for (const char* const kept : {"- IPC_LOCK\n", "nvidia.com/gpu: 8\n", "vpc.amazonaws.com/efa: \"4\"\n"})
    CHECK(holds(yaml, kept));
  const std::string json =
      redacted_file(
          R"({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "acme-0", "annotations": {"pin": "441277", "7654321": "1"}},)"
          R"( "spec": {"containers": [{"name": "t", "args": ["87654321", 76543210], "env": [{"name": "P", "value": "332211"}],)"
          R"( "resources": {"limits": {"nvidia.com/gpu": "8"}}}]}})"
          "\n")
          .log;
  for (const char* const hidden : {"87654321", "76543210", "441277", "332211", "7654321"})
    CHECK_FALSE(holds(json, hidden));
  CHECK(holds(json, R"("nvidia.com/gpu": "8")"));
}

/// A line that is read as an exception is, as it becomes.
std::string redacted_line(std::string_view text, bool keep_other = true) {
  const std::string log =
      redacted_file("acme-1:1:2 [0] NCCL INFO Using network IB\n" + std::string(text) + "\n", "input.log", keep_other)
          .log;
  const std::size_t begin = log.find('\n') + 1;
  return log.substr(begin, log.size() - begin - 1);
}

TEST_CASE("redact: a word of the vocabulary is masked where only a name or a secret stands") {
  for (const char* const text :
       {"Mar 12 08:14:55 titan kernel: NVRM: Xid (PCI:0000:1a:00): 79, pid=4412, name=python, GPU",
        "connect to titan<41109> failed",
        "connect to titan.max.com<41109> failed",
        "addresses of (titan, 29500)",
        "connect to [titan]:29500",
        "returned on node titan",
        "srun: error: titan[1-4],delta: tasks 0-7: Killed",
        "titan: Test NCCL failure common.cu:1005",
        "tcp://titan:29500",
        "max@titan",
        "user=titan, host: titan",
        "password: titan",
        "DB_PASS=titan",
        "--user titan",
        "mpirun -H titan:8",
        "uid=1000(titan)",
        "/projects/titan/run",
        "~titan/x",
        "acme-1:1:2 [0] NCCL INFO NCCL_COMM_ID set by environment to titan:2222",
        "titan: acme-1:1:2 [0] NCCL INFO Using network IB",
        "(titan pid=12) acme-1:1:2 [0] NCCL INFO Using network IB"}) {
    INFO(text);
    CHECK_FALSE(holds(redacted_line(text), "titan"));
  }
}

TEST_CASE("redact: in a sentence, a word of the vocabulary behind host, node or user is a name") {
  for (const char* const text :
       {"ssh: connect to host titan port 22: Connection refused", "RuntimeError: user titan has no quota",
        "RuntimeError: node titan: lost", "RuntimeError: login node titan is down", "RuntimeError: run by user 'titan'",
        "RuntimeError: project titan is over its limit", "RuntimeError: hosts titan[001-004],titan[1,3] are gone"}) {
    INFO(text);
    CHECK_FALSE(holds(redacted_line(text), "titan"));
  }
  CHECK_FALSE(holds(redacted_line("RuntimeError: lost gpu[001-004]"), "gpu["));
  for (const char* const text :
       {"RuntimeError: no host memory left, node failure, user buffer of host 3", "RuntimeError: ranks[0-7] of node 2",
        "RuntimeError: the user requested an abort, host unreachable", "RuntimeError: between PCIe Host Bridges",
        "RuntimeError: each node has 8 gpus[0-7]"})
    CHECK(redacted_line(text) == text);
}

TEST_CASE("redact: telephone numbers, numbers of persons, LIDs and VLANs are masked, and the hosts of a range") {
  for (const char* const text :
       {"RuntimeError: call +46 8 4412 60 00", "RuntimeError: call 5550-4412", "RuntimeError: badge 4412",
        "RuntimeError: job id 4412", "RuntimeError: employee number: 4412", "RuntimeError: LID 4412 is not active",
        "RuntimeError: Base lid: 4412", "RuntimeError: vlan 4412", "RuntimeError: VLAN ID: 4412",
        "RuntimeError: lost 10.44.7.[4412,1-4412]"}) {
    INFO(text);
    CHECK_FALSE(holds(redacted_line(text), "4412"));
  }
  for (const char* const text : {"RuntimeError: lid: 0, 1024-2047 of 4096", "RuntimeError: 2 + 46 8 790 60 00"})
    CHECK(redacted_line(text) == text);
}

TEST_CASE("redact: in a manifest, documented settings of NCCL stay with values that tell nothing") {
  const std::string yaml = redacted_file(
                               "apiVersion: v1\nkind: Pod\nmetadata:\n  name: acme-0\nspec:\n  containers:\n"
                               "  - name: t\n    env:\n    - name: NCCL_DEBUG\n      value: INFO\n"
                               "    - name: NCCL_SOCKET_IFNAME\n      value: \"^docker0,lo\"\n"
                               "    - name: FI_PROVIDER\n      value: zorblax\n"
                               "    - name: NCCL_COMM_ID\n      value: \"8817263\"\n"
                               "    - name: NCCL_ZORBLAX\n      value: \"8817264\"\n"
                               "    - value: \"8817265\"\n      name: NCCL_NET\n")
                               .log;
  for (const char* const kept : {"- name: NCCL_DEBUG\n      value: INFO\n", "value: \"^docker0,lo\"\n", "FI_PROVIDER"})
    CHECK(holds(yaml, kept));
  for (const char* const hidden : {"zorblax", "ZORBLAX", "8817263", "8817264", "8817265"})
    CHECK_FALSE(holds(yaml, hidden));
  const std::string json =
      redacted_file(
          R"({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "acme-0"}, "spec": {"containers": [{"name": "t",)"
          R"( "env": [{"name": "NCCL_DEBUG", "value": "INFO"}, {"name": "NCCL_IB_HCA", "value": "zorblax"},)"
          R"( {"name": "PIN", "value": "8817263"}]}]}})"
          "\n")
          .log;
  CHECK(holds(json, R"({"name": "NCCL_DEBUG", "value": "INFO"})"));
  for (const char* const hidden : {"zorblax", "8817263", "PIN"}) CHECK_FALSE(holds(json, hidden));
}

TEST_CASE("redact: a number stays where it is counted, and no number of a job, a person or a machine does") {
  for (const char* const text :
       {"password 8817263", "--token 8817263", "https://u:8817263@git.example.org", "uid=8817263(max)", "job 8817263",
        "SLURM_JOB_ID=8817263", "/scratch/8817263/x", "serial 1650528817263", "curl -u me:8817263",
        "slurmstepd: error: *** JOB 8817263 ON acme-1 CANCELLED AT 2025-03-12T08:14:55 ***",
        "acme-1:1:2 [0] NCCL INFO NCCL_HOSTID set by environment to 8817263"}) {
    INFO(text);
    CHECK_FALSE(holds(redacted_line(text), "8817263"));
  }
  for (const char* const text :
       {"used 8817263 bytes", "rank 12 step 881726", "time: 1766937600123", "pid=8817263", "took 8817263 ms"})
    CHECK(redacted_line(text) == text);
}

TEST_CASE("redact: pieces of addresses are masked, versions and bus ids stay") {
  for (const char* const text : {"eth0:130.237.44", "eth0:130.237.", "130.237.x.x", "130.237.44.*", "130.237.44.[1-4]",
                                 "130.237/16", "subnet 130.237.44"}) {
    INFO(text);
    CHECK_FALSE(holds(redacted_line(text), "130.237"));
  }
  CHECK_FALSE(holds(redacted_line("eth0:2001:6b0:17"), "6b0"));
  CHECK_FALSE(holds(redacted_line("fabric UUID 814d\xe2\x80\xa6"
                                  "b5b7"),
                    "814d"));
  for (const char* const text : {"CUDA version 12.4.131", "busId 1b000", "0[1b000] -> 1[3d000]", "41.2 GB/s",
                                 "5.15.0-1063-aws", "6.12.3-arch1-1"})
    CHECK(redacted_line(text) == text);
  CHECK(holds(redacted_line("5.15.0-1063-acme"), "5.15.0-1063-"));
}

TEST_CASE("redact: what helps a reader stays: frames of known packages, segments of shared memory, headings") {
  const std::string frame =
      "  File \"/home/alice/envs/a/lib/python3.9/site-packages/torch/distributed/distributed_c10d.py\", line 3145, in "
      "barrier";
  const std::string made = redacted_line(frame);
  CHECK(made.ends_with("/lib/python3.9/site-packages/torch/distributed/distributed_c10d.py\", line 3145, in barrier"));
  CHECK_FALSE(holds(made, "alice"));
  CHECK(holds(redacted_line("RuntimeError: failed to extend /dev/shm/nccl-KWfVyt to 9637892 bytes"), "/dev/shm/nccl-"));
  const std::string segment =
      redacted_line("RuntimeError: failed to extend /dev/shm/nccl-shm-recv-a6fd15028d324d0c-0-3-7 to 1 bytes");
  CHECK(holds(segment, "/dev/shm/nccl-shm-recv-"));
  CHECK(holds(segment, "-0-3-7 to"));
  for (const char* const text : {"Job summary", "Group Comms Nodes Ranks Status Errors", "#   out-of-place   in-place"})
    CHECK(redacted_line(text, false) == text);
}

TEST_CASE("redact: a short hash at the end of a name is masked, an index stays") {
  const auto host = [](const std::string& name) {
    const std::string log = redacted_file(name + ":152:386 [0] NCCL INFO Using network IB\n").log;
    return log.substr(0, log.find(':'));
  };
  CHECK_FALSE(holds(host("pool-fb97"), "97"));
  CHECK_FALSE(holds(host("pool-4440"), "4440"));
  CHECK(host("pool-0440").ends_with("-0440"));
  CHECK(host("pool-440").ends_with("-440"));
  CHECK(host("pool-a100").ends_with("100"));
}

TEST_CASE("redact: hosts with numbers of four digits stay apart") {
  const std::string log =
      redacted_file(
          "pool-0000:1:2 [0] NCCL INFO Using network IB\npool-4440:1:2 [0] NCCL INFO Using network IB\n"
          "pool-4441:1:2 [0] NCCL INFO Using network IB\n")
          .log;
  CHECK(holds(log, "-0000:1"));
  CHECK(holds(log, "-1000:1"));
  CHECK(holds(log, "-1001:1"));
}

TEST_CASE("redact: what tells a container or a pod of a Deployment stays a sign of it") {
  const std::string text =
      redacted_file(
          "9d31476b19d7:1:2 [0] NCCL INFO Using network IB\nanode:1:2 [0] NCCL INFO Using network IB\n"
          "0d31476b19d7:1:2 [0] NCCL INFO Using network IB\n")
          .log;
  CHECK(text.starts_with("c00000000002:1:2"));
  CHECK(holds(text, "\nc00000000001:1:2"));
  const std::string pods =
      redacted_file("az-by-cx-train-5c86c57756-p7ghj:1:2 [0] NCCL INFO Using network IB\n").log.substr(0, 31);
  CHECK(pods.find_first_of("aeiou") == pods.npos);
  CHECK(redacted_file("gpu-training-alpha:1:2 [0] NCCL INFO Using network IB\n").log.find("xy:1:2") != pods.npos);
}

TEST_CASE("redact: the number of rdma-core's private interface stays, which advice reads") {
  const auto version_in = [](const std::string& version) {
    return redacted_file("acme-1:1:2 [0] NCCL INFO NET/Plugin: libnccl-net.so: /lib/libibverbs.so.1: version `" +
                         version + "' not found (required by /lib/libefa.so.1)\n")
        .log;
  };
  CHECK(holds(version_in("IBVERBS_PRIVATE_57"), "`IBVERBS_PRIVATE_57'"));
  CHECK(holds(version_in("GLIBC_2.34"), "`GLIBC_2.34'"));
  for (const char* const hidden : {"IBVERBS_PRIVATE_4711", "IBVERBS_PRIVATE_acme"})
    CHECK(!holds(version_in(hidden), hidden));
}

TEST_CASE("redact: the random part of a veth is masked, whatever digits it has") {
  const std::string text = redacted_file("acme-1:1:2 [0] NCCL INFO Bootstrap: Using veth207d721:10.0.4.51<0>\n").log;
  CHECK(holds(text, "Using veth"));
  CHECK_FALSE(holds(text, "207d721"));
}

TEST_CASE("redact: the first number of an address that is cut is masked") {
  CHECK_FALSE(holds(redacted_file("(RayTrainWorker pid=171, ip=146").log, "146"));
  CHECK_FALSE(holds(redacted_file("acme-1:1:2 [0] NCCL INFO Bootstrap: Using eth0:146").log, "146"));
}

TEST_CASE("redact: what was masked looks masked") {
  constexpr std::string_view log = "acme-1:152:386 [0] NCCL INFO Using network IB\nzorblax=0.01 zorbing=3\n";
  const std::string text = redacted_file(log).log;
  CHECK(holds(text, "=#.## "));
  CHECK(holds(text, "=#\n"));
  const std::string bar = redacted_file("loading\rTuning 3/22, loss 1.5\n", "input.log", false).log;
  CHECK(bar == "# redacted: part 3\n");
}

TEST_CASE("redact: paths of hardware and of public images stay") {
  for (const char* const path :
       {"/sys/class/pci_bus/0000:21/../../0000:21:00.0", "/sys/devices/pci0001:00/0001:00:00.0/../max_link_speed",
        "/sys/devices/LNXSYSTM:00/LNXSYBUS:00/PNP0A03:00/device:07", "/opt/microsoft/ncv4/topo.xml",
        "/opt/hpcx/nccl_rdma_sharp_plugin/lib/libnccl-net.so"}) {
    INFO(path);
    CHECK(holds(redacted_file("acme-1:1:2 [0] NCCL INFO NCCL_X " + std::string(path) + "\n").log, path));
  }
  CHECK_FALSE(holds(redacted_file("acme-1:1:2 [0] NCCL INFO NCCL_X /opt/zorblax/topo.xml\n").log, "zorblax"));
}

TEST_CASE("redact: versions of ROCm, of DeepSpeed, and results of nccl-tests stay") {
  for (const char* const line :
       {"HIP version  : 7.2.26015-fc0010cf6a", "ROCm version : 7.8.4.4-43-fc0010cf6a",
        "Librccl path : /opt/rocm-7.2.0/lib/librccl.so.1", "[Rank 0] DeepSpeed info: version=0.14.2, git-hash=unknown",
        "acme-1:1:2 [0] NCCL INFO RCCL version : 2.27.7-HEAD:0d2c4fd",
        "  1073741824     134217728     float    none      -1  24414.9   43.98   21.99       0"}) {
    const std::string text = redacted_file(std::string(line) + "\n", "input.log", false).log;
    CHECK(holds(text, std::string_view(line).substr(std::string_view(line).find(':') + 1)));
  }
  CHECK_FALSE(holds(redacted_file("HIP version  : 10.44.7.91\n", "input.log", false).log, "44.7.91"));
}

TEST_CASE("redact: numbers of a call that is cut stay") {
  const std::string text = redacted_file(
                               "acme-1:1:2 [4] NCCL INFO AllReduce: opCount 139e sendbuff 0x7d2c4de760b9 recvbuff "
                               "0x7d2c4de760b9 count 7066572 datatype 7 op 0 root 0 comm 0x7d616a77a")
                               .log;
  CHECK(holds(text, "opCount 139e sendbuff 0x7d2c4de760b9"));
  CHECK(holds(text, "comm 0x7d616a77a"));
}

TEST_CASE("redact: a path that leaves the folder of a package is no path of the package") {
  for (const char* const path :
       {"/opt/x/site-packages/torch/../../../zorblax/topo.xml", "/sys/class/../../scratch/4412",
        "/usr/lib/python3/dist-packages/ray/../../zorblax/train.py", "/opt/zorblax-packages/ray/x.py",
        "/lustre/project44127/topo.xml", "/gpfs/users441/x", "/gpfs/node4412/x", "/nfs/10.44.7/x"}) {
    INFO(path);
    const std::string text = redacted_line("RuntimeError: no " + std::string(path));
    for (const char* const hidden : {"zorblax", "441", "10.44"}) CHECK_FALSE(holds(text, hidden));
  }
  for (const char* const path :
       {"/usr/lib/python3.10/site-packages/torch/lib/../cuda/nccl.py", "/usr/local/cuda-12.4/lib64/libcuda.so.1",
        "/opt/rocm-7.2.0/lib/librccl.so.1", "/opt/rocm/7.2.0/lib/librccl.so.1", "/data2/scratch/users7"})
    CHECK(holds(redacted_line("RuntimeError: no " + std::string(path)), path));
}

TEST_CASE("redact: numbers behind the words that say whose they are go in each of their spellings") {
  for (const char* const text :
       {"S/N 4412771", "SN: 4412771", "sn=4412771", "Serial#: 4412771", "Serial No.: 4412771", "asset tag 4412771",
        "Granted job allocation 4412771", "job array 4412771_7", "scancel 4412771", "password is 4412771",
        "password was: 4412771", "passcode: 4412771", "pin code 4412771", "wpa_psk: 4412771", "mailto:4412771@qq.com",
        "<4412771@example.org>", "user zorblax(4412771)", "user acme-1(4412771)"}) {
    INFO(text);
    CHECK_FALSE(holds(redacted_line("RuntimeError: " + std::string(text)), "4412771"));
  }
  for (const char* const text : {"P/N of rank 12", "array 0, tag 4412", "coll_sn: 4412", "rank is 4412", "4@0x7f00"})
    CHECK(holds(redacted_line("RuntimeError: " + std::string(text)), text));
}

TEST_CASE("redact: a number behind the key of a secret goes where the key is also a name") {
  const std::string text = redacted_line("pin:1:2 [0] NCCL INFO Bootstrap : Using eth0:10.0.0.1<0>\npin code 4412771");
  CHECK_FALSE(holds(text, "4412771"));
}

TEST_CASE("redact: an address is masked in each of its spellings, and lists of ranks stay") {
  for (const char* const text :
       {"10[.]44[.]7[.]91", "^10\\.44\\.7\\.91$", "(10,44,237,91,195,149)", "eth0.10.44.7.91", "ib10.44.7.91"}) {
    INFO(text);
    CHECK_FALSE(holds(redacted_line("RuntimeError: " + std::string(text)), "44"));
  }
  CHECK_FALSE(
      holds(redacted_line("acme-1:1:2 [0] NCCL INFO NCCL_IB_ADDR_RANGE set by environment to 9.44.7/22"), "44"));
  for (const char* const text :
       {"[0, 1, 2, 3, 4, 5, 6, 7]", "[64, 65, 66, 67, 68, 69, 70, 71]", "1/2/3", "0 7 6 5 4 3 2 1", "on eth0.100",
        "on p5en.48xlarge", "on p6-b200.48xlarge", "CUDA version 12.4.131", "shape (4096,4096)"})
    CHECK(redacted_line("RuntimeError: " + std::string(text)) == "RuntimeError: " + std::string(text));
}

TEST_CASE("redact: a text spelled in bytes is masked, and masking it again changes nothing") {
  for (const char* const text : {"[122, 111, 114, 98, 108, 97, 120]", "122,111,114,98,108,97,120", "\t\t122,",
                                 R"({"MESSAGE":[122,111,114,98,108,97,120)", R"(\172\157\162\142\154\141\170)",
                                 R"(\x7a\x6f\x72\x62\x6c\x61\x78)", "&#122;&#111;&#114;&#98;", "10[.]44[.]7[.]91"}) {
    INFO(text);
    const std::string once = redacted_line(text);
    for (const char* const hidden : {"122", "108", "172", "x6f", "44"}) CHECK_FALSE(holds(once, hidden));
    CHECK(redacted_line(once).size() == once.size());
  }
}

TEST_CASE("redact: lines of RAS, and of warnings that PyTorch quotes, stay by their wording") {
  for (const char* const line :
       {"DEAD", "  1 job process is considered dead (unreachable via the RAS network)",
        "  Missing communicator data from 12 ranks", "Communicators... (0.00s)",
        "  Encountered 2 communication timeouts while gathering communicator data",
        "This is usually caused by a system or configuration error in the Fabric Manager or NVSwitches.",
        "Disable NVLS (NCCL_NVLS_ENABLE=0) if you wish to avoid this error in the future. "}) {
    INFO(line);
    CHECK(redacted_line(line, false) == line);
    CHECK(redacted_line(line, true) == line);
  }
  CHECK(redacted_line("  Missing communicator data from zorblax", false) == "# redacted");
  const std::string process = redacted_line("  Process 12 on node zorblax managing GPUs 0,1", false);
  CHECK(process.starts_with("  Process 12 on node "));
  CHECK(process.ends_with(" managing GPUs 0,1"));
  CHECK_FALSE(holds(process, "zorblax"));
  const std::string affinity = "Setting affinity for GPU 0 to 03ff,f0003fff";
  CHECK(holds(redacted_line("acme-1:1:2 [0] NCCL INFO " + affinity), affinity));
  CHECK_FALSE(holds(redacted_line("RuntimeError: key 03ff,f0003fff"), "f0003fff"));
}

TEST_CASE("redact: an address of a bridge of Docker stays such") {
  const std::string text = redacted_file("acme-1:1:2 [0] NCCL INFO Bootstrap: Using eth0:172.17.0.2<0>\n").log;
  CHECK(holds(text, "eth0:172.17."));
  CHECK_FALSE(holds(text, "172.17.0.2"));
  const std::string other = redacted_file("acme-1:1:2 [0] NCCL INFO Bootstrap: Using eth0:172.25.0.2<0>\n").log;
  CHECK(holds(other, "eth0:172."));
  for (const char* const network : {"172.17.", "172.18.", "172.19."}) CHECK_FALSE(holds(other, network));
}

}  // namespace
}  // namespace nccl_analyze::redact
