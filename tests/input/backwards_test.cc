// Tests that a log is read from its end with every line once, entries whole, and places right.

#include "input/backwards.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "catch.h"
#include "testdata.h"
#include "text/time_order.h"

namespace nccl_analyze {
namespace {

struct Passed {
  std::string text;
  LinePlaces places;
};

Passed pass_backwards(const std::string& log) {
  const ReverseReader::ReadAt read = [&log](char* to, std::size_t size, std::uint64_t offset) {
    const std::string part = offset < log.size() ? log.substr(offset, size) : std::string();
    std::memcpy(to, part.data(), part.size());
    return part.size();
  };
  ReverseReader lines(read, log.size());
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

/// A line at a number of seconds after ten o'clock, as some store or logger prints it.
using Form = std::function<std::string(int second, const std::string& line)>;

std::string clock_of(int second, int hours = 10) {
  char text[16];
  std::snprintf(text, sizeof text, "%02d:%02d:%02d", hours + second / 3600, second / 60 % 60, second % 60);
  return text;
}

std::string quoted(std::string line) {
  for (std::size_t at = line.find('"'); at != std::string::npos; at = line.find('"', at + 2)) line.insert(at, 1, '"');
  return '"' + line + '"';
}

std::string escaped(const std::string& line) {
  std::string text;
  for (const char c : line) text += c == '"' || c == '\\' ? std::string("\\") + c : std::string(1, c);
  return '"' + text + '"';
}

std::string epoch_of(int second) { return std::to_string(1795168800 + second); }

Form before(const std::string& date, const std::string& behind = " ") {
  return [=](int second, const std::string& line) { return date + clock_of(second) + behind + line; };
}

const std::vector<Form>& forms_of_time() {
  static const std::vector<Form> forms = {
      before("2026-11-20T", ".123Z "),
      before("[2026-11-20 ", "] "),
      before("Nov 20 ", " node-1 train[7]: "),
      before("Nov  1 ", " node-1 train[7]: "),
      before("I1120 ", ".000000 12 init.cc:1] "),
      before("I20261120 ", ".000000 12 init.cc:1] "),
      before(""),
      before("11/20/2026 "),
      before("20/11/2026 "),
      before("2026/11/20 "),
      before("2026/11/20 ", " PMIX "),
      before("20.11.2026 "),
      before("20-Nov-2026 "),
      before("20 Nov 2026 "),
      before("Nov 20 2026 "),
      before("[20/Nov/2026:", " +0000] "),
      before("[Fri Nov 20 ", " 2026] "),
      before("Fri, 20 Nov 2026 ", " GMT "),
      before("[pod/a-0/main] 11/20/2026 "),
      [](int second, const std::string& line) {
        return "11/20/2026, " + std::to_string(1 + second / 3600) + clock_of(second).substr(2) + ".000 PM," +
               quoted(line);
      },
      [](int second, const std::string& line) {
        return "\"Nov 20, 2026 @ " + clock_of(second) + ".123\"," + quoted(line);
      },
      [](int second, const std::string& line) { return epoch_of(second) + " " + line; },
      [](int second, const std::string& line) { return epoch_of(second) + ".25 " + line; },
      [](int second, const std::string& line) { return "[" + epoch_of(second) + ".250000] " + line; },
      [](int second, const std::string& line) { return epoch_of(second) + "123," + quoted(line); },
      [](int second, const std::string& line) { return epoch_of(second) + "123456\t" + line; },
      [](int second, const std::string& line) { return epoch_of(second) + "123456789\t" + line; },
      [](int second, const std::string& line) {
        return quoted(line) + ",\"2026-11-20T" + clock_of(second) + ".000+0000\"";
      },
      [](int second, const std::string& line) {
        return quoted(line) + ",2026-11-20T" + clock_of(second) + "Z,node-1,\"/var/log/train.log\"";
      },
      [](int second, const std::string& line) {
        return "7,\"node-1\",\"2026-11-20T" + clock_of(second) + "Z\"," + quoted("\"" + line + "\"");
      },
      [](int second, const std::string& line) {
        return R"({"time": "Nov 20, 2026 @ )" + clock_of(second) + R"(.123", "log": )" + escaped(line) + "}";
      },
      [](int second, const std::string& line) { return line + "," + epoch_of(second) + "123"; }};
  return forms;
}

bool is_newest_first(const std::string& log) {
  OrderProbe probe;
  probe.take(log);
  return probe.newest_first(true);
}

std::vector<std::string> lines_of(const std::string& log) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < log.size(); at = log.find('\n', at) + 1)
    lines.push_back(log.substr(at, log.find('\n', at) - at));
  return lines;
}

std::string joined(const std::vector<std::string>& lines) {
  std::string log;
  for (const std::string& line : lines) log += line + "\n";
  return log;
}

TEST_CASE("backwards: a log that is newest first is read like its forward twin, however its times are printed") {
  const std::vector<std::string> words = lines_of(read_file(cases("rules").front().logs.front()));
  REQUIRE(words.size() > 8);
  for (const Form& form : forms_of_time()) {
    std::vector<std::string> lines;
    int second = 58;
    for (const std::string& line : words) lines.push_back(form(second++ % 7200, line));
    const std::string forward = joined(lines);
    std::ranges::reverse(lines);
    INFO(lines.front());
    CHECK_FALSE(is_newest_first(forward));
    CHECK(is_newest_first(joined(lines)));
    CHECK(pass_backwards(joined(lines)).text == forward);
  }
}

TEST_CASE("backwards: times with a member of YAML that is another time, and rows of several lines") {
  std::string yaml;
  for (int second = 9; second > 0; --second)
    yaml += "---\njsonPayload:\n  message: " + std::to_string(second) + "\nreceiveTimestamp: '2026-11-20T10:00:1" +
            std::to_string(second) + ".1Z'\ntimestamp: '2026-11-20T10:00:0" + std::to_string(second) + ".9Z'\n";
  CHECK(is_newest_first(yaml));
  const std::string turned = pass_backwards(yaml).text;
  CHECK(turned.find("message: 1\n") < turned.find("message: 2\n"));
  CHECK(turned.find("message: 8\n") < turned.find("message: 9\n"));
  std::string rows, forward;
  for (int second = 9; second > 0; --second) {
    const std::string row = "\"first\nsecond\nthird\",\"2026-11-20T10:00:0" + std::to_string(second) + "Z\"\n";
    rows += row;
    forward.insert(0, row);
  }
  CHECK(is_newest_first(rows));
  CHECK(pass_backwards(rows).text == forward);
}

TEST_CASE("backwards: numbers that count something are no times") {
  std::string sizes, ranks, steps, pids, zips;
  for (int i = 9; i > 0; --i) {
    sizes += std::to_string(std::int64_t{2147483648} + std::int64_t{300'000'000} * i) + " bytes\n";
    ranks += std::to_string(i) + ": a line of a rank\n";
    steps += std::to_string(1000000 + i) + " steps to go\n";
    pids += "[" + std::to_string(4193000 + i) + "] a line of a process\n";
    zips += "1795168800" + std::to_string(i) + " words with another number of digits\n";
  }
  for (const std::string& log : {sizes, ranks, steps, pids, zips}) CHECK_FALSE(is_newest_first(log));
}

}  // namespace
}  // namespace nccl_analyze
