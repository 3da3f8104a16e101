// Tests records without the word NCCL.

#include "text/unmarked.h"

#include "catch.h"

namespace nccl_analyze::test {

TEST_CASE("text: records without the word NCCL") {
  const auto read = [](std::string_view line, RecordView& record) { return read_unmarked(line, record); };
  RecordView info, warn, nameless, plugin, channel;
  CHECK(read("w-0:1:2 [0] INFO Using internal Network Socket", info) == Unmarked::certain);
  CHECK(info.message == "Using internal Network Socket");
  CHECK(info.origin.host == "w-0");
  CHECK(read("3: w-0:1:2 [0] include/socket.h:360 WARN Call to connect failed", warn) == Unmarked::certain);
  CHECK(warn.level == Level::warn);
  CHECK(warn.origin.location == "include/socket.h:360");
  CHECK(read("[0] misc/ibvwrap.cu:269 WARN Call to ibv_create_qp failed", nameless) == Unmarked::likely);
  CHECK(nameless.origin.device == 0);
  CHECK(read("NET/OFI Selected Provider is efa", plugin) == Unmarked::certain);
  CHECK(read("[1,3]<stdout>:Channel 00/0 : 0[0] -> 1[1] via P2P/CUMEM", channel) == Unmarked::likely);
  CHECK(channel.message == "Channel 00/0 : 0[0] -> 1[1] via P2P/CUMEM");
  RecordView error;
  CHECK(read("w-0:1:2 [0] [FATAL ERROR]: RCCL encountered a fatal error", error) == Unmarked::certain);
  CHECK(error.level == Level::error);
  CHECK(error.message == "RCCL encountered a fatal error");
  RecordView none;
  for (const std::string_view line :
       {"[2026-01-01 10:00:00] INFO starting", "INFO 01-01 10:00 [core.py:12] ok", "main.cc:12 WARN no prefix",
        "[0] [FATAL ERROR]: of another program", "the line NET/OFI Selected is from elsewhere"})
    CHECK(read(line, none) == Unmarked::none);
}

}  // namespace nccl_analyze::test
