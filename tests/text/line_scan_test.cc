// Tests that every instruction set finds the same markers, keywords and newlines as a plain search.

#include "text/line_scan.h"

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "catch.h"

namespace nccl_analyze::test {

TEST_CASE("text: the marker is found at every offset") {
  for (const LineScan* const scan : line_scans()) {
    INFO(scan->name);
    for (std::size_t offset = 0; offset < 300; ++offset) {  // Covers blocks, strides and the overlapping last block.
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
                                      "Killed",
                                      "killed due to memory",
                                      "oom_kill event",
                                      "oom-kill event"};
  for (const LineScan* const scan : line_scans()) {
    for (const std::string_view keyword : all) {
      INFO(scan->name << ": " << keyword);
      for (std::size_t offset = 0; offset < 200; ++offset) {
        const std::string text = std::string(offset, 'r') + std::string(keyword) + std::string(offset % 5, '3');
        const std::size_t found = scan->find(keywords, text, 0).anchor;
        CHECK(found - offset < keyword.size());  // The anchor is inside the keyword.
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
  // Random texts of keywords, parts of keywords, and bytes that end a plain line. The buffer has no spare bytes, so
  // that sanitizers catch reads past its end.
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
      // A wide block may not recognise a line near the end of the bytes. With padding after the line, all instruction
      // sets do.
      const std::string roomy = text + std::string(64, 'x');
      PlainLine line, expected, near_end;
      if (scan->begins_plain(view, near_end)) CHECK(near_end.size == view.find('\n'));
      const bool plain = scan->begins_plain(roomy, line);
      REQUIRE(plain == slow.begins_plain(roomy, expected));
      if (!plain) continue;
      CHECK(line.size == roomy.find('\n'));
      CHECK(line.marker == roomy.find("NCCL "));
      CHECK(line.size == expected.size);
      PlainLine known{.marker = line.marker};  // Here the position of the marker is given.
      CHECK(scan->begins_plain(roomy, known));
      CHECK(known.size == line.size);
    }
  }
}

}  // namespace nccl_analyze::test
