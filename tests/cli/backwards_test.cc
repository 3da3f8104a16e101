// Tests that a log is read from its end with every line once, entries whole, and places right.

#include "cli/input/backwards.h"

#include <cstring>
#include <string>
#include <vector>

#include "catch.h"

namespace nccl_analyze {
namespace {

struct Passed {
  std::string text;
  LinePlaces places;
};

Passed pass_backwards(const std::string& log) {
  const Backwards::ReadAt read = [&log](char* to, std::size_t size, std::uint64_t offset) {
    const std::string part = offset < log.size() ? log.substr(offset, size) : std::string();
    std::memcpy(to, part.data(), part.size());
    return part.size();
  };
  Backwards lines(read, log.size());
  Passed passed;
  lines.pass([&passed](std::string_view bytes) {
    passed.text += bytes;
    return true;
  });
  passed.places = lines.places();
  return passed;
}

TEST_CASE("backwards: single lines") {
  CHECK(pass_backwards("").text.empty());
  CHECK(pass_backwards("10:00:02 b\n10:00:01 a\n").text == "10:00:01 a\n10:00:02 b\n");
  CHECK(pass_backwards("10:00:02 b\n10:00:01 a").text == "10:00:01 a\n10:00:02 b\n");
  CHECK(pass_backwards("head\n10:00:02 b\n10:00:01 a\n").text == "10:00:01 a\n10:00:02 b\nhead\n");
  const LinePlaces places = pass_backwards("10:00:03 c\n10:00:02 b\n10:00:01 a\n").places;
  CHECK(places(1) == 3);
  CHECK(places(2) == 2);
  CHECK(places(3) == 1);
}

TEST_CASE("backwards: the lines of an entry keep their order") {
  const Passed passed = pass_backwards("10:00:02 b\n b2\n b3\n10:00:01 a\n a2\n");
  CHECK(passed.text == "10:00:01 a\n a2\n10:00:02 b\n b2\n b3\n");
  const std::vector<std::uint64_t> wanted = {4, 5, 1, 2, 3};
  for (std::size_t i = 0; i < wanted.size(); ++i) CHECK(passed.places(i + 1) == wanted[i]);
}

TEST_CASE("backwards: lines and entries larger than any block") {
  const std::string large = "10:00:02 " + std::string(std::size_t{3} << 20, 'x');
  CHECK(pass_backwards(large + "\n10:00:01 a\n").text == "10:00:01 a\n" + large + "\n");
  std::string log;
  for (int i = 0; i < 50000; ++i) log += "{\"time\": \"" + std::to_string(i) + "\"}\n";
  const std::string turned = pass_backwards(log).text;
  CHECK(turned.size() == log.size());
  CHECK(turned.starts_with("{\"time\": \"49999\"}\n{\"time\": \"49998\"}\n"));
  CHECK(turned.ends_with("{\"time\": \"1\"}\n{\"time\": \"0\"}\n"));
}

}  // namespace
}  // namespace nccl_analyze
