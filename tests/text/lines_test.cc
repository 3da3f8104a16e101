// Tests that lines do not depend on how the bytes are divided.

#include "text/lines.h"

#include <string>
#include <vector>

#include "catch.h"
#include "text/prefix.h"

namespace nccl_analyze::test {
namespace {

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
    for (Line line; splitter.next(Wanted::keyword, line);) {
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

}  // namespace nccl_analyze::test
