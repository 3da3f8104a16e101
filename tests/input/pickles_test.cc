// Tests that sources which are pickles of a flight recorder become JSON, and that all others pass as they are.

#include "input/pickles.h"

#include <string>
#include <string_view>
#include <vector>

#include "catch.h"
#include "evidence/pickle.h"

namespace nccl_analyze {
namespace {

using namespace std::string_literals;

const std::string dump = "\x80\x02}\x8c\x09pg_config}s.";

/// What a sink got, in words.
std::vector<std::string> calls_of(std::string_view bytes, std::size_t block, bool cut = false) {
  std::vector<std::string> calls;
  std::string content;
  const SourceSink sink{.begin = [&](std::string_view name) { calls.push_back("begin " + std::string(name)); },
                        .bytes =
                            [&](std::string_view more) {
                              content += more;
                              return true;
                            },
                        .end =
                            [&] {
                              calls.push_back(content);
                              calls.emplace_back("end");
                            },
                        .failed = [&](const ReadFailure& failure) { calls.push_back(failure.sentence); },
                        .wait = nullptr,
                        .cut = [&] { calls.emplace_back("cut"); },
                        .pickled = [&] { calls.emplace_back("pickled"); }};
  PickleReading pickles(sink);
  const SourceSink between = pickles.sink();
  between.begin("x");
  for (std::size_t at = 0; at < bytes.size(); at += block) REQUIRE(between.bytes(bytes.substr(at, block)));
  if (cut) between.cut();
  between.end();
  return calls;
}

using SinkCalls = std::vector<std::string>;

}  // namespace

TEST_CASE("pickles: a pickle of a flight recorder becomes JSON, however it is cut into blocks") {
  for (const std::size_t block : {std::size_t{1}, std::size_t{3}, std::size_t{1000}}) {
    CHECK(calls_of(dump, block) == SinkCalls{"begin x", "pickled", "{\"pg_config\": {}}\n", "end"});
    CHECK(calls_of(dump + "tail", block) ==
          SinkCalls{"what follows the pickle of x is left out", "begin x", "pickled", "{\"pg_config\": {}}\n", "end"});
  }
}

TEST_CASE("pickles: one that cannot be read is named and is no source") {
  const std::string advice = "; PyTorch's own dumps are whole and hold data alone: copy it again, or dump it as JSON";
  CHECK(calls_of(dump.substr(0, 14), 5, true) == SinkCalls{"cannot read x: its pickle is cut off" + advice});
  const std::string code = "\x80\x02}\x8c\x09pg_configcos\nsystem\n"s;
  CHECK(calls_of(code, 5) == SinkCalls{"cannot read x: its pickle has GLOBAL at byte 14, which names or calls code of "
                                       "Python, and only data is read" +
                                       advice});
  const std::string large = dump.substr(0, 14) + std::string(evidence::max_pickle_size, 'N');
  CHECK(calls_of(large, std::size_t{1} << 20) ==
        SinkCalls{"cannot read x: it is a pickle of more than 64 MiB; let PyTorch record fewer operations, "
                  "TORCH_FR_BUFFER_SIZE=2000 (before PyTorch 2.9 TORCH_NCCL_TRACE_BUFFER_SIZE), and no frames of C++, "
                  "TORCH_FR_CPP_STACK=0 (TORCH_NCCL_TRACE_CPP_STACK)"});
}

TEST_CASE("pickles: other sources pass as they are") {
  const std::vector<std::string> sources{"",
                                         "\x80",
                                         "\x80\x02",
                                         "log\n",
                                         "\x80\x02 weights",
                                         "\x80\x02" + std::string(2 * evidence::pickle_head_size, 'w') + "pg_config"};
  for (const std::string& source : sources)
    for (const std::size_t block : {std::size_t{1}, std::size_t{7}, std::size_t{1} << 16}) {
      CHECK(calls_of(source, block) == SinkCalls{"begin x", source, "end"});
      CHECK(calls_of(source, block, true) == SinkCalls{"begin x", "cut", source, "end"});
    }
}

}  // namespace nccl_analyze
