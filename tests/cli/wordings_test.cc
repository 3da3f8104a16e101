// Tests that `--unrecognized` groups wordings that differ only in numbers, counts them by version, and stays within
// limits.

#include "cli/wordings.h"

#include <sstream>
#include <string>

#include "catch.h"
#include "nccl_analyze/parser.h"

namespace nccl_analyze {
namespace {

void read(Wordings& wordings, std::uint32_t source, const std::string& log) {
  Parser parser(SourceId{source}, [&](const Record& record) { wordings.add(record); });
  parser.feed(log);
  parser.finish();
  wordings.end_source(SourceId{source}, "log-" + std::to_string(source));
}

std::string line(const std::string& message, int pid = 1) {
  return "h:" + std::to_string(pid) + ":1 [0] NCCL INFO " + message + "\n";
}

std::string written(const Wordings& wordings) {
  std::ostringstream out;
  wordings.write(out);
  return out.str();
}

TEST_CASE("wordings: most frequent first, then by wording, with the first place") {
  Wordings wordings;
  read(wordings, 0,
       line("zebra 1") + line("NCCL version 2.27.3+cuda12.4") + line("what 1 is 0x7f") + line("zebra 2") +
           line("apple") + line("cudaDriverVersion 12040"));
  read(wordings, 1, line("zebra 3"));
  CHECK(written(wordings) ==
        "count  versions  wording\n"
        "    3  2.27.3,?  zebra #\n"
        "                 log-0:1  zebra 1\n"
        "    1  2.27.3    apple\n"
        "                 log-0:5  apple\n"
        "    1  2.27.3    what # is #\n"
        "                 log-0:3  what 1 is 0x7f\n");
}

TEST_CASE("wordings: a version line without prefix speaks for the processes of its source that print none") {
  Wordings wordings;
  read(wordings, 0,
       "NCCL version 2.4.8+cuda10.0\n" + line("zebra", 1) + line("zebra", 2) + line("RCCL version 2.20.5+hip6.2", 2));
  read(wordings, 1, line("zebra", 1) + line("NCCL version 2.27.3+cuda12.4", 1));
  CHECK(written(wordings).find("    3  2.4.8,2.27.3,RCCL 2.20.5  zebra\n") != std::string::npos);
}

TEST_CASE("wordings: without an unknown wording the list is its title") {
  Wordings wordings;
  read(wordings, 0, line("cudaDriverVersion 12040"));
  CHECK(wordings.empty());
  CHECK(written(wordings) == "count  versions  wording\n");
}

TEST_CASE("wordings: beyond the limits lines are counted") {
  WordingLimits limits;
  limits.wordings = 1;
  limits.versions = 1;
  limits.waiting = 2;
  Wordings wordings(limits);
  read(wordings, 0, line("zebra 1") + line("apple") + line("pear") + line("NCCL version 2.27.3+cuda12.4"));
  read(wordings, 1, line("zebra 1", 1) + line("zebra 1", 2) + line("NCCL version 2.28.3+cuda12.4"));
  const std::string text = written(wordings);
  CHECK(text.find("    3  2.27.3,...,?  zebra #\n") != std::string::npos);
  CHECK(text.find("and 2 more lines not grouped\n") != std::string::npos);
  CHECK(text.find("apple") == std::string::npos);
}

TEST_CASE("wordings: control characters of a log never reach the terminal") {
  Wordings wordings;
  read(wordings, 0, line("zebra \x07 \xe2\x80\xae \xff"));
  CHECK(written(wordings).find("zebra \\x07 \\u202e \\xff\n") != std::string::npos);
}

}  // namespace
}  // namespace nccl_analyze
