// Tests NCCL's prefix in every form, and the text around a record.

#include <string>

#include "catch.h"
#include "text/records.h"

namespace nccl_analyze::test {

TEST_CASE("text: prefixes of every form") {
  SECTION("bare") {
    const auto record = one("worker-0:152:386 [0] NCCL INFO Using network Socket");
    CHECK(record.origin.host == "worker-0");
    CHECK(record.origin.pid == 152);
    CHECK(record.origin.tid == 386);
    CHECK(record.origin.device == 0);
    CHECK(record.level == Level::info);
    CHECK(record.message == "Using network Socket");
  }
  SECTION("time stamp, C++ signature") {
    const auto record = one("[2025-12-28 16:04:25] w:1:2 [-1] int f(a_t**, b<c>):259 NCCL WARN it  failed. ");
    CHECK(record.origin.timestamp == "2025-12-28 16:04:25");
    CHECK(record.origin.location == "int f(a_t**, b<c>):259");
    CHECK(record.origin.device == -1);
    CHECK(record.level == Level::warn);
    CHECK(record.message == "it  failed.");
    CHECK(record.text.starts_with("[2025"));
  }
  SECTION("no device") {
    const auto record = one("w:1:2 NCCL CALL ncclGroupStart()");
    CHECK(record.has_prefix);
    CHECK(record.level == Level::call);
  }
  SECTION("levels of NCCL 2.32, RCCL and NCCLX") {
    const auto notice = one("[2026-10-02 09:00:01] w:1:2 [0] net.cc:29 (init) NCCL ATTN Failed to initialize");
    CHECK(notice.level == Level::attn);
    CHECK(notice.origin.location == "net.cc:29 (init)");
    CHECK(notice.message == "Failed to initialize");
    CHECK(one("w:1:2 [0] misc/socket.cc:5 NCCL ERROR x").level == Level::error);
    CHECK(records("RuntimeError: NCCL ERROR: unhandled system error").empty());
    CHECK(records("the level NCCL ATTN is printed at INFO").empty());
  }
  SECTION("diagnostics, which have no thread and the whole name of the host") {
    const auto record = one("0: w.example.com:152 NCCL DIAG [OK]   NVLink: all active");
    CHECK(record.has_prefix);
    CHECK(record.origin.host == "w");
    CHECK(record.origin.pid == 152);
    CHECK(record.origin.tid == -1);
    CHECK(record.level == Level::diag);
    CHECK(record.message == "[OK]   NVLink: all active");
    CHECK(one("w:1:2 NCCL DIAG x").origin.tid == 2);
    CHECK_FALSE(one("NCCL DIAG x").has_prefix);
  }
  SECTION("NCCLX: glog's prefix, and the thread's name") {
    const auto record =
        one("I1125 10:00:00.123456 12345 init.cc:100] w-0:1:12345 [3][main] NCCL INFO Using network IB");
    CHECK(record.origin.host == "w-0");
    CHECK(record.origin.pid == 1);
    CHECK(record.origin.device == 3);
    CHECK(record.message == "Using network IB");
    CHECK(record.start == 41);
  }
  SECTION("directly behind what a launcher printed") {
    CHECK(one("[rank0]:w:1:2 [0] NCCL INFO x").origin.host == "w");
    CHECK(one("[1,0]<stdout>:w:1:2 [0] NCCL INFO x").origin.host == "w");
    CHECK(one("3: w:1:2 [0] NCCL INFO x").origin.host == "w");
    CHECK(one(" 12%|#2 | 1/9\rw:1:2 [0] NCCL INFO x").origin.host == "w");
  }
  SECTION("none") {
    const auto record = one("NCCL INFO Using network Socket");
    CHECK_FALSE(record.has_prefix);
    CHECK(record.message == "Using network Socket");
  }
  SECTION("numbers that no prefix has") {
    CHECK_FALSE(one("w:99999999999999999999999:2 [0] NCCL INFO x").has_prefix);
    CHECK_FALSE(one(":1:2 [0] NCCL INFO x").has_prefix);
    CHECK_FALSE(one("[0] NCCL INFO x").has_prefix);
  }
}

TEST_CASE("text: a version is a record wherever it is quoted, other talk is not") {
  CHECK(one("NCCL version 2.27.3+cuda12.9").level == Level::version);
  CHECK(one("[rank0]:NCCL version 2.27.3+cuda12.9\r").message == "NCCL version 2.27.3+cuda12.9");
  CHECK(one("unhandled system error (run with NCCL_DEBUG=INFO for details), NCCL version 2.27.3, x").message ==
        "NCCL version 2.27.3");
  CHECK(one("NCCL version 2.13.4+cudaCUDA_MAJOR.CUDA_MINOR").message == "NCCL version 2.13.4");
  CHECK(one("NCCL version 2.21.5-HEAD:9a0e6a1+hip6.2").message == "NCCL version 2.21.5-HEAD:9a0e6a1+hip6.2");
  CHECK(one("NCCL version 2.21.5: unhandled").message == "NCCL version 2.21.5");
  CHECK(one("NCCL version 2.26.2 compiled with CUDA 12.6").message == "NCCL version 2.26.2 compiled with CUDA 12.6");
  CHECK(one("RCCL version 2.18.3+hip5.5 develop:6ecf771+").message == "RCCL version 2.18.3+hip5.5 develop:6ecf771+");
  CHECK(one("RCCL version : 2.21.5-5d1b0e8").message == "RCCL version : 2.21.5-5d1b0e8");
  CHECK(one("INFO vLLM is using nccl==2.20.5").message == "nccl==2.20.5");
  CHECK(one("w:1:2 [0] NCCL INFO NCCL version 2.27.3+cuda12.9").level == Level::info);
  const std::string_view talk[] = {"NCCL error in: x.cpp", "NCCL version unknown", "NCCL version 2", "nccl==", "NCCL "};
  for (const std::string_view line : talk) CHECK(records(line).empty());
}

TEST_CASE("text: two records on one line") {
  const auto found = records("w:1:2 [0] NCCL INFO Using network Socket w:1:3 [0] NCCL INFO Connected all rings\r junk");
  REQUIRE(found.size() == 2);
  CHECK(found[0].message == "Using network Socket");
  CHECK(found[0].ended == RecordEnd::blank);
  CHECK(found[1].message == "Connected all rings");
  CHECK(found[1].origin.tid == 3);
  CHECK(found[1].ended == RecordEnd::line);
}

TEST_CASE("text: what stands around a record is not its own") {
  SECTION("quotes and table cells close behind it") {
    CHECK(one("| 2025-12-28 | w:1:2 [0] NCCL INFO Using network Socket |").message == "Using network Socket");
    CHECK(one("'w:1:2 [0] NCCL INFO Using network Socket',").message == "Using network Socket");
    CHECK(one("> `w:1:2 [0] NCCL INFO Using network Socket`").message == "Using network Socket");
    CHECK(one("w:1:2 [0] NCCL INFO Broadcast | 6.6/ 2.4 |").message == "Broadcast | 6.6/ 2.4 |");
  }
  SECTION("a timestamp directly before the host") {
    CHECK(one("2024-01-25T10:04:25.123456Zworker-0:1:2 [0] NCCL INFO x").origin.host == "worker-0");
    CHECK(one("10:04:25worker-0:1:2 [0] NCCL INFO x").origin.host == "worker-0");
    CHECK(one("2024-01-25T10:04:25+00:00worker-0:1:2 [0] NCCL INFO x").origin.host == "worker-0");
    CHECK(one("10:04:25:10-0-0-7:1:2 [0] NCCL INFO x").origin.host == "10-0-0-7");
  }
  SECTION("hosts made anonymous") {
    CHECK(one("<host-a>:1:2 [0] NCCL INFO x").origin.host == "<host-a>");
    CHECK(one("[1,0]<stdout>:w:1:2 [0] NCCL INFO x").origin.host == "w");
    const auto cut = one("xxx:xxx:xxx [3] NCCL INFO x");
    CHECK_FALSE(cut.has_prefix);
    CHECK(cut.origin.device == 3);
  }
}

TEST_CASE("text: cells, columns and quotes around a record") {
  CHECK(one("2025-12-28T16:10:08.538Z,w-0:1:2 [0] NCCL INFO x").origin.host == "w-0");
  CHECK(one("ts=1 msg=\"w-0:1:2 [0] NCCL INFO Using network Socket\" pod=x").message == "Using network Socket");
  CHECK(one("| `w-0:1:2 [0] NCCL INFO Using network Socket` |").message == "Using network Socket");
  CHECK(one("b'w-0:1:2 [0] NCCL INFO Using network Socket\\n'").message == "Using network Socket");
  CHECK(one("2025\tw-0:1:2 [0] NCCL INFO Using network Socket\ttrain-0").message == "Using network Socket");
  CHECK(one("10:04:25.123+0100w-0:1:2 [0] NCCL INFO x").origin.host == "w-0");
  CHECK(one("10:04:25.123Z10-0-0-7:1:2 [0] NCCL INFO x").origin.host == "10-0-0-7");
  const auto hidden = one("node-1:xxx:xxx [3] NCCL INFO x");
  CHECK_FALSE(hidden.has_prefix);
  CHECK(hidden.origin.host == "node-1");
  CHECK(hidden.origin.device == 3);
}

TEST_CASE("text: what is left of a prefix, and where a warning stands") {
  const auto nameless = one("::12:34 [5] misc/socket.cc:47 NCCL WARN x");
  CHECK(nameless.has_prefix);
  CHECK(nameless.origin.host.empty());
  CHECK(nameless.origin.pid == 12);
  CHECK(nameless.origin.location == "misc/socket.cc:47");
  const auto elided = one("...:12:34 [5] NCCL INFO Using network Socket");
  CHECK(elided.has_prefix);
  CHECK(elided.origin.host.empty());
  CHECK(elided.origin.pid == 12);
  const auto masked = one("node-1:XXXXXX [3] misc/socket.cc:47 NCCL WARN x");
  CHECK(masked.origin.host == "node-1");
  CHECK(masked.origin.device == 3);
  CHECK(masked.origin.location == "misc/socket.cc:47");
  CHECK(masked.text == "node-1:XXXXXX [3] misc/socket.cc:47 NCCL WARN x");
  for (const std::string_view place :
       {"transport/nvls.cc:254", "init.cc:77 (ncclInit)", "tcpxCommProgress(tcpxComm*):1231",
        "int start_plugin(nccl_plugin_t**):352", "start_plugin:352"}) {
    INFO(place);
    for (const std::string_view head : {"w-0:1:2 [0] ", "[0] ", "", "[1,3]<stdout>:", "[rank3]:"}) {
      if (head.ends_with(':') && place.find(' ') < place.find(':')) continue;  // The signature's start is ambiguous.
      CHECK(one(std::string(head) + std::string(place) + " NCCL WARN x").origin.location == place);
    }
  }
  CHECK(one("worker 3: NCCL WARN x").origin.location.empty());
  CHECK(one("**w-0:1:2 [0] NCCL INFO Using network Socket**").message == "Using network Socket");
  CHECK(one("**w-0:1:2 [0] NCCL INFO x").origin.host == "w-0");
}

TEST_CASE("text: 2.30.7 says in an INFO line where it stands") {
  const auto record = one("w:1:2 [0] NCCL INFO init.cc:345 (ncclCommInitRankFunc) -> 5");
  CHECK(record.origin.location == "init.cc:345 (ncclCommInitRankFunc)");
  CHECK(record.message == "-> 5");
  CHECK(record.text == "w:1:2 [0] NCCL INFO init.cc:345 (ncclCommInitRankFunc) -> 5");
  CHECK(one("w:1:2 [0] NCCL INFO misc/socket.cc:64 -> 2 (Connection refused)").message ==
        "misc/socket.cc:64 -> 2 (Connection refused)");
}

TEST_CASE("text: a record with no message between two prefixes") {
  const std::string line = "w:1:1 [0] NCCL INFO w:1:1 [0] NCCL INFO x";
  const auto found = records(line);
  REQUIRE(found.size() == 2);
  CHECK(found[0].message.empty());
  CHECK(found[0].message.data() >= line.data());
  CHECK(found[1].message == "x");
}

}  // namespace nccl_analyze::test
