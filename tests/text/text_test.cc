// Lines, prefixes and wrappers: the building blocks of the parser.

#include <algorithm>
#include <string>
#include <vector>

#include "catch.h"
#include "text/decoration.h"
#include "text/encoding.h"
#include "text/lines.h"
#include "text/markup.h"
#include "text/prefix.h"
#include "text/unmarked.h"

namespace nccl_analyze {
namespace {

std::vector<RecordView> records(std::string_view line) {
  std::vector<RecordView> found;
  find_records(line, found);
  return found;
}

RecordView one(std::string_view line) {
  const auto found = records(line);
  REQUIRE(found.size() == 1);
  return found.front();
}

struct Lines {
  std::vector<std::string> lines;
  std::vector<std::uint64_t> numbers;
  LineCounts counts;
};

Lines split(std::string_view text, std::size_t chunk, std::size_t max_line) {
  Lines result;
  SenderCache senders;
  LineSplitter splitter(max_line, senders);
  const auto take_lines = [&] {
    for (Line line; splitter.next(false, line);) {
      if (line.plain()) {
        CHECK(line.text.substr(line.marker).starts_with("NCCL "));
        CHECK(is_plain(line.text));
      }
      result.lines.emplace_back(line.text);
      result.numbers.push_back(line.number);
    }
  };
  for (std::size_t at = 0; at < text.size(); at += chunk) {
    splitter.feed(text.substr(at, chunk));
    take_lines();
  }
  splitter.finish();
  take_lines();
  result.counts = splitter.counts();
  return result;
}

}  // namespace

TEST_CASE("text: the marker is found at every offset") {
  for (const LineScan* const scan : line_scans()) {
    INFO(scan->name);
    for (std::size_t offset = 0; offset < 300; ++offset) {  // blocks, strides and the moved last block
      const std::string text = std::string(offset, 'N') + "NCCL " + std::string(offset % 7, 'C');
      CHECK(scan->find(markers, text, 0).anchor == offset);
      CHECK(scan->find(markers, text, offset + 1).anchor == std::string_view::npos);
      CHECK(scan->find(markers, text.substr(0, offset + 4), 0).anchor == std::string_view::npos);
    }
  }
}

TEST_CASE("text: every keyword is found at every offset, and none without its last letter") {
  constexpr std::string_view all[] = {"NCCL ",
                                      "RCCL version ",
                                      "nccl==",
                                      "NCCL.cpp:",
                                      "WorkNCCL(",
                                      "rror",
                                      "ailed",
                                      "ailure",
                                      "timeout",
                                      "ismatch",
                                      "etected",
                                      "valid ",
                                      "ould not ",
                                      "CUDA out of",
                                      "interface found",
                                      "KeyboardInterrupt",
                                      "Xid (",
                                      "exitcode",
                                      "exited on signal ",
                                      "Killed process ",
                                      "killed due to memory",
                                      "OOMKilled",
                                      "oom_kill event",
                                      "oom-kill event"};
  for (const LineScan* const scan : line_scans()) {
    for (const std::string_view keyword : all) {
      INFO(scan->name << ": " << keyword);
      for (std::size_t offset = 0; offset < 200; ++offset) {
        const std::string text = std::string(offset, 'r') + std::string(keyword) + std::string(offset % 5, '3');
        const std::size_t found = scan->find(keywords, text, 0).anchor;
        CHECK(found - offset < keyword.size());  // its anchor
        CHECK(scan->find(keywords, text, found + 1).anchor == std::string_view::npos);
        CHECK(scan->find(keywords, text.substr(0, offset + keyword.size() - 1), 0).anchor == std::string_view::npos);
        CHECK(scan->find(keywords, text.substr(offset + 1), 0).anchor == std::string_view::npos);
      }
    }
  }
}

TEST_CASE("text: markers and newlines of a long text are those that a plain search finds") {
  std::string text;
  for (std::size_t i = 0; i < 20000; ++i) text += i % 97 == 0 ? "NCCL " : i % 3 == 0 ? "\n" : "NC";
  for (const LineScan* const scan : line_scans()) {
    INFO(scan->name);
    std::size_t from = 0;
    for (std::size_t found = 0; found != std::string::npos; from = found + 1) {
      found = text.find("NCCL ", from);
      REQUIRE(scan->find(markers, text, from).anchor == found);
      if (found == std::string::npos) break;
    }
    CHECK(scan->count_newlines(text) == static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')));
    CHECK(scan->count_newlines(std::string(100003, '\n')) == 100003);
  }
}

TEST_CASE("text: all instruction sets see the same") {
  // Keywords, halves of them, and bytes that end a plain line, at random; in exactly as many bytes as there are.
  constexpr std::string_view parts[] = {"NCCL ",
                                        "nccl==",
                                        "RCCL version ",
                                        "CC",
                                        "cC",
                                        "srun: error: ",
                                        "Error: ",
                                        "Xid (",
                                        "exitcode",
                                        "OOMKilled",
                                        "Killed",
                                        "xit",
                                        "ror",
                                        "c",
                                        "233,",
                                        "\n",
                                        "\r",
                                        "\"",
                                        "\x1b",
                                        "\t",
                                        "NCCL INFO Channel 00/0 : 1[1] -> 0[0] via P2P/CUMEM",
                                        "xxxxxxxxxxxxxxxx",
                                        "\xc3\xa9"};
  std::minstd_rand random(7);
  for (int round = 0; round < 3000; ++round) {
    std::string text;
    for (std::size_t left = random() % 24; left > 0; --left) text += parts[random() % std::size(parts)];
    const std::vector<char> exact(text.begin(), text.end());
    const std::string_view view(exact.data(), exact.size());
    const LineScan& slow = *line_scans().back();
    for (const LineScan* const scan : line_scans()) {
      INFO(scan->name << ": " << text);
      for (std::size_t from = 0; from <= view.size(); from += 1 + random() % 9) {
        REQUIRE(scan->find(markers, view, from).anchor == slow.find(markers, view, from).anchor);
        REQUIRE(scan->find(keywords, view, from).anchor == slow.find(keywords, view, from).anchor);
      }
      REQUIRE(scan->count_newlines(view) == slow.count_newlines(view));
      // Near the end of the bytes a wider block sees less: with room behind the line all see it.
      const std::string roomy = text + std::string(64, 'x');
      PlainLine line, expected, near_end;
      if (scan->begins_plain(view, near_end)) CHECK(near_end.size == view.find('\n'));
      const bool plain = scan->begins_plain(roomy, line);
      REQUIRE(plain == slow.begins_plain(roomy, expected));
      if (!plain) continue;
      CHECK(line.size == roomy.find('\n'));
      CHECK(line.marker == roomy.find("NCCL "));
      CHECK(line.size == expected.size);
      PlainLine known{.marker = line.marker};  // the same when the marker need not be looked for
      CHECK(scan->begins_plain(roomy, known));
      CHECK(known.size == line.size);
    }
  }
}

TEST_CASE("text: a cached decoration matches whatever the digits of its timestamp") {
  constexpr std::string_view line = "[pod/train-7/worker] 2025-12-28T16:04:25.123456789Z stderr F ";
  for (std::size_t size = 1; size <= line.size(); ++size) {
    const std::vector<char> exact(line.begin(), line.begin() + static_cast<std::ptrdiff_t>(size));
    const auto known = CachedDecoration::of({exact.data(), size});
    REQUIRE(known != nullptr);
    REQUIRE(known->differs_in_digits_only({exact.data(), size}));
    REQUIRE(!known->differs_in_digits_only({exact.data(), size - 1}));
    for (std::size_t at = 0; at < size; ++at) {
      std::vector<char> other = exact;
      const bool digit = other[at] >= '0' && other[at] <= '9';
      other[at] = digit ? '7' : '~';
      CHECK(known->differs_in_digits_only({other.data(), size}) == digit);
      other[at] = digit ? 'x' : '7';
      CHECK(!known->differs_in_digits_only({other.data(), size}));
    }
  }
  const auto known = CachedDecoration::of(line);
  CHECK(line.substr(known->pod, known->pod_size) == "train-7");
  CHECK(line.substr(known->container, known->container_size) == "worker");
  CHECK(known->size == line.size() - 1);
}

TEST_CASE("text: wrappers that say more than their places are not known again") {
  CHECK(CachedDecoration::of("") == nullptr);
  CHECK(CachedDecoration::of("2025-12-28T16:04:25Z stdout P ") == nullptr);
  CHECK(CachedDecoration::of("'message': '") == nullptr);
  CHECK(CachedDecoration::of("| 1 | ") == nullptr);
  CHECK(CachedDecoration::of(std::string(257, 'x')) == nullptr);
}

TEST_CASE("text: a record begins with its time stamp, also where it is plain") {
  constexpr std::string_view line = "[2026-11-21 00:17:07] node-0:1:2 [0] NCCL INFO Channel 01/02 : 0 1";
  SenderCache senders;
  RecordView plain;
  REQUIRE(senders.read_plain(line, line.find("NCCL"), nullptr, plain, plain.origin));
  std::vector<RecordView> found;
  find_records(line, found);
  REQUIRE(found.size() == 1);
  CHECK(plain.text == found[0].text);
  CHECK(plain.text == line);
  CHECK(plain.start == found[0].start);
  CHECK(plain.origin.timestamp == "2026-11-21 00:17:07");
  CHECK(plain.origin.host == "node-0");
}

TEST_CASE("text: a sender is known again behind what stood before its last line, digits aside") {
  SenderCache senders;
  RecordView one;
  const auto read = [&](std::string_view line) {
    return senders.read_plain(line, line.find("NCCL"), senders.find_head(line), one, one.origin);
  };
  REQUIRE(read("[pod/a-0/pt] 16:04:25 train-node-0:129:1137 [0] NCCL INFO Using network IB"));
  const std::uint64_t number = one.sender;
  for (const std::string_view line :
       {"[pod/a-7/pt] 17:59:01 train-node-0:129:1137 [0] NCCL INFO x", "train-node-0:129:1137 [0] NCCL INFO x"}) {
    INFO(line);
    REQUIRE(read(line));
    CHECK(one.sender == number);
    CHECK(one.message == "x");
    CHECK(one.origin.wrapper == (line.starts_with('[') ? "[pod/a-7/pt] 17:59:01" : ""));
    CHECK(one.origin.pod == (line.starts_with('[') ? "a-7" : ""));
  }
  REQUIRE(read("train-node-0:129:1138 [0] NCCL INFO x"));
  CHECK(one.sender != number);
  CHECK_FALSE(read("x:train-node-0:129:1138 [0] NCCL INFO x"));
}

TEST_CASE("text: what is longer than NCCL's buffer is no host") {
  for (const std::string_view numbers : {":1:2 [0] ", ":xxx:xxx [0] "}) {
    for (const std::size_t size : {1024U, 1025U}) {
      std::vector<RecordView> found;
      const std::string line = std::string(size, 'h').append(numbers).append("NCCL INFO Using network IB");
      find_records(line, found);
      REQUIRE(found.size() == 1);
      CHECK(found[0].origin.host.size() == (size == 1024 ? size : 0));
      CHECK(found[0].message == "Using network IB");
    }
  }
}

TEST_CASE("text: where a line begins") {
  for (std::size_t size = 0; size < 70; ++size) {
    CHECK(line_start("\n" + std::string(size, 'x')) == 1);
    CHECK(line_start(std::string(size, 'x')) == 0);
  }
}

TEST_CASE("text: one special byte anywhere makes a line not plain") {
  for (std::size_t size = 0; size < 70; ++size) {
    CHECK(is_plain(std::string(size, 'x')));
    for (const char special : {'\x1b', '\0', '\r', '\n', '"'})
      for (std::size_t at = 0; at < size; ++at) {
        std::string text(size, 'x');
        text[at] = special;
        if (is_plain(text)) FAIL_CHECK(size << ' ' << at);
      }
  }
}

TEST_CASE("text: lines are the same however the bytes are cut") {
  const std::string text = "a\nb NCCL INFO x\n\n" + std::string(100, 'y') + "\nNCCL INFO z" + std::string(90, 'w') +
                           "\n" + std::string(80, 'v') + " NCCL INFO late\nlast NCCL INFO";
  const Lines whole = split(text, text.size(), 64);
  CHECK(whole.numbers == std::vector<std::uint64_t>{2, 5, 7});
  CHECK(whole.counts.lines == 7);
  CHECK(whole.counts.truncated == 3);
  for (std::size_t chunk = 1; chunk < text.size(); ++chunk) {
    const Lines cut = split(text, chunk, 64);
    CHECK(cut.lines == whole.lines);
    CHECK(cut.numbers == whole.numbers);
    CHECK(cut.counts.lines == whole.counts.lines);
    CHECK(cut.counts.truncated == whole.counts.truncated);
  }
}

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
      if (head.ends_with(':') && place.find(' ') < place.find(':')) continue;  // where does the signature begin?
      CHECK(one(std::string(head) + std::string(place) + " NCCL WARN x").origin.location == place);
    }
  }
  CHECK(one("worker 3: NCCL WARN x").origin.location.empty());
  CHECK(one("**w-0:1:2 [0] NCCL INFO Using network Socket**").message == "Using network Socket");
  CHECK(one("**w-0:1:2 [0] NCCL INFO x").origin.host == "w-0");
}

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
  RecordView none;
  for (const std::string_view line : {"[2026-01-01 10:00:00] INFO starting", "INFO 01-01 10:00 [core.py:12] ok",
                                      "main.cc:12 WARN no prefix", "the line NET/OFI Selected is from elsewhere"})
    CHECK(read(line, none) == Unmarked::none);
}

TEST_CASE("text: what people write behind a line") {
  CHECK(without_notes("x 0[0] via NET/IB/0   \xe2\x94\x82") == "x 0[0] via NET/IB/0");
  CHECK(without_notes("Using network Socket  # \xe2\x86\x90 here") == "Using network Socket");
  CHECK(without_notes("plain # words") == "plain # words");
  CHECK(without_cut_mark("24 coll chan$") == "24 coll chan");
  CHECK(without_cut_mark("24 coll chan\xe2\x80\xa6") == "24 coll chan");
  CHECK(without_tag("init.cc:15 -> 5   [1,1]<stdout>:") == "init.cc:15 -> 5");
  CHECK(without_tag("w-0<stdout>:") == "w-0<stdout>:");
  CHECK(without_markup("[net.cc:11](http://net.cc:11) -> 6") == "net.cc:11 -> 6");
  CHECK(without_markup("a **bold** word, start(plugin_t**):12 and ***:***") ==
        "a bold word, start(plugin_t**):12 and ***:***");
}

TEST_CASE("text: what pages and editors make of a line") {
  CHECK(has_markup("0[0] -&gt; 1[0]"));
  CHECK_FALSE(has_markup("w:1:2 [0] NCCL INFO Channel 00/0 : 0[0] -> 1[0] via P2P/CUMEM"));
  CHECK(without_markup("w:1:2 \\[0\\] NCCL INFO a -&gt; b &lt;0&gt;<br>") == "w:1:2 [0] NCCL INFO a -> b <0>");
  CHECK(without_markup("[0]\xc2\xa0NCCL INFO a \xe2\x86\x92 b") == "[0] NCCL INFO a -> b");
  std::string scratch;
  for (const std::string_view escape : {"", "#033", "^[", "\\x1b", "\\u001b", "\xef\xbf\xbd"})
    CHECK(strip_bare_colours(std::string(escape) + "[32mw-0 [0] x" + std::string(escape) + "[0m", scratch) ==
          "w-0 [0] x");
  CHECK(strip_bare_colours("w-0 [0m] x", scratch) == "w-0 [0m] x");
}

TEST_CASE("text: wrappers of one shape") {
  CHECK(same_shape("[pod/a-1/pt] 2025-12-28T16:00:00.1Z ", "[pod/bc-22/x] 2024-1-2T3:4:5.678Z "));
  CHECK(same_shape("[1,3]<stdout>:", "[1,12]<stderr>:"));
  CHECK_FALSE(same_shape("[1,3]<stdout>:", "[1,3] <stdout>:"));
  CHECK_FALSE(same_shape("", "a"));
  CHECK(same_shape("", ""));
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

TEST_CASE("text: escape sequences go, text stays") {
  std::string scratch;
  CHECK(strip_escapes("plain", scratch) == "plain");
  CHECK(strip_escapes("\x1b[36m(w)\x1b[0m a\x1b]0;title\x07"
                      "b\x1b",
                      scratch) == "(w) ab");
  CHECK(strip_escapes("a\x1b[", scratch) == "a");
}

TEST_CASE("text: a record inside a JSON object") {
  std::string scratch;
  CHECK(unwrap_json(R"({"log":"w:1:2 [0] NCCL INFO a \"b\" \\ \u00e9\ud83d\ude00\n","stream":"stdout"})", scratch) ==
        "w:1:2 [0] NCCL INFO a \"b\" \\ \xc3\xa9\xf0\x9f\x98\x80\n");
  CHECK(unwrap_json(R"({"time":"x","msg":"NCCL INFO x"})", scratch) == "NCCL INFO x");
  const std::string_view untouched[] = {"{}", "{\"", R"({"log":"NCCL INFO x)", R"({"a":"\)", "NCCL INFO {\"a\":1}"};
  for (const std::string_view line : untouched) CHECK(unwrap_json(line, scratch) == line);
  CHECK(unwrap_json(R"({"log":"NCCL INFO \ud800\u00 \udc00x"})", scratch) == "NCCL INFO u00 x");
}

TEST_CASE("text: JSON of any shape") {
  std::string scratch;
  CHECK(unwrap_json(R"(    "message": "w:1:2 [0] NCCL INFO x",)", scratch) == "w:1:2 [0] NCCL INFO x");
  CHECK(unwrap_json(R"(2025-12-28T16:00:00Z {"log": "w:1:2 [0] NCCL INFO x"})", scratch) == "w:1:2 [0] NCCL INFO x");
  CHECK(unwrap_json(R"("2025-12-28","w:1:2 [0] NCCL INFO x")", scratch) == "w:1:2 [0] NCCL INFO x");
  CHECK(json_text(R"({"stream":"stdout","log":"rest\n"})", scratch) == "rest\n");
  constexpr std::string_view keys[] = {"pod_name", "pod"};
  CHECK(json_member(R"({"kubernetes":{"pod_name":"train-0"},"pod":"other"})", keys) == "train-0");
  CHECK(json_member(R"({"log":"pod_name"})", keys).empty());
}

TEST_CASE("text: a line continues behind a decoration of the same shape") {
  CHECK(without_decoration_like("rest", "") == "rest");
  CHECK(without_decoration_like("2025-12-28T16:00:01.5Z rest", "2025-12-28T16:00:01.123456789Z ") == "rest");
  CHECK(without_decoration_like("[1,12]<stdout>:rest", "[1,3]<stdout>:") == "rest");
  CHECK(without_decoration_like("2025Z stdout F rest", "2024Z stdout P ") == "rest");
  CHECK(without_decoration_like("[pod/b/c] rest", "[pod/a/c] ") == "[pod/b/c] rest");
  CHECK(is_partial("2024Z stdout P "));
  CHECK_FALSE(is_partial("2024Z stdout F "));
}

TEST_CASE("text: the collector's time") {
  const auto time = [](std::string_view decoration) {
    Origin origin;
    origin.wrapper = decoration;
    return collected_at(origin);
  };
  CHECK(time("[pod/a/b] 2025-12-28T16:04:25.123Z") == "2025-12-28T16:04:25.123Z");
  CHECK(time("2025-12-28 16:04:25,123 INFO") == "2025-12-28 16:04:25,123");
  CHECK(time("Dec 28 16:04:25 node17 train[4242]:") == "16:04:25");
  CHECK(time("[1,3]<stdout>:").empty());
  CHECK(time("12:34").empty());
}

TEST_CASE("text: UTF-16 becomes UTF-8, everything else stays") {
  const auto decode = [](std::string_view bytes, std::size_t chunk) {
    Decoder decoder;
    std::string out;
    const auto take = [&out](std::string_view text) { out += text; };
    for (std::size_t at = 0; at < bytes.size(); at += chunk) decoder.feed(bytes.substr(at, chunk), take);
    decoder.finish(take);
    return out;
  };
  const std::string little{"\xff\xfew\0:\0\xe9\0\x3d\xd8\x00\xde\n\0", 14};
  const std::string big{"\0w\0:\0\xe9\xd8\x3d\xde\x00\0\n", 12};
  for (const std::size_t chunk : {std::size_t{1}, std::size_t{2}, std::size_t{3}, std::size_t{100}}) {
    CHECK(decode(little, chunk) == "w:\xc3\xa9\xf0\x9f\x98\x80\n");
    CHECK(decode(big, chunk) == "w:\xc3\xa9\xf0\x9f\x98\x80\n");
    CHECK(decode("\xef\xbb\xbfw:1", chunk) == "w:1");
    CHECK(decode("plain \xff bytes", chunk) == "plain \xff bytes");
    CHECK(decode("w", chunk) == "w");
    CHECK(decode("", chunk).empty());
  }
  CHECK(decode({"\xff\xfe\x3d\xd8w\0", 6}, 6) == "w");  // half a pair
}

TEST_CASE("text: kubectl names pod and container") {
  Origin origin;
  read_decoration("[pod/train-0-abc/pytorch] 2025-12-28T16:00:00Z ", origin);
  CHECK(origin.pod == "train-0-abc");
  CHECK(origin.container == "pytorch");
  CHECK(origin.wrapper == "[pod/train-0-abc/pytorch] 2025-12-28T16:00:00Z");
}

}  // namespace nccl_analyze
