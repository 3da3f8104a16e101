// Tests the data of known_formats.tsv, and the events that rows create from their examples.

#include <algorithm>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "catch.h"
#include "messages/matcher.h"
#include "nccl_analyze/parser.h"
#include "nccl_analyze/report.h"
#include "nccl_analyze/rule.h"
#include "row_example.h"
#include "testdata.h"

namespace nccl_analyze {
namespace {

std::vector<std::vector<std::string>> known_formats() {
  std::istringstream in(read_file(std::filesystem::path(NCCL_ANALYZE_SOURCE_DIR) / "lib/messages/known_formats.tsv"));
  std::vector<std::vector<std::string>> rows;
  std::string line;
  std::getline(in, line);
  while (std::getline(in, line)) {
    std::istringstream cells(line);
    auto& row = rows.emplace_back();
    for (std::string cell; std::getline(cells, cell, '\t');) row.push_back(cell);
    row.resize(5);  // getline() omits an empty last cell.
  }
  return rows;
}

/// Returns the event as JSON without source and line.
std::string event_of(std::string_view message, const Event& event) {
  Record record;
  record.message = message;
  record.event = event;
  std::ostringstream out;
  write_event(out, record);
  const std::string line = out.str();
  const std::size_t name_end = line.find(R"(, "source":)");
  const std::size_t fields = line.find(',', line.find(R"("level":)"));
  const std::size_t end = line.rfind(R"(, "message":)");
  REQUIRE(name_end != std::string::npos);
  REQUIRE(end != std::string::npos);
  return line.substr(0, name_end) + (fields < end ? line.substr(fields, end - fields) : std::string()) + "}";
}

}  // namespace

TEST_CASE("known formats: a person has named the topic of each") {
  std::set<std::string, std::less<>> topics = {"none", "init"};
  for (const Rule* rule : all_rules()) topics.insert(std::string(rule->info.name));
  for (const auto& row : known_formats()) {
    INFO(row[0]);
    CHECK(topics.contains(std::string_view(row[4]).substr(0, row[4].find('/'))));
    if (row[3] == "note") CHECK((row[4] == "none" || row[4] == "init"));
  }
}

TEST_CASE("known formats: sorted by wording, so that branches change different lines") {
  const auto rows = known_formats();
  REQUIRE(rows.size() > 1500);
  CHECK(std::is_sorted(rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a[0] < b[0]; }));
}

TEST_CASE("known formats: a note of the subsystem INIT alone says so") {
  Event event;
  const auto is_of_init = [&](std::string_view message) {
    standard_matcher().match(message, event);
    REQUIRE(std::holds_alternative<Noted>(event));
    return std::get<Noted>(event).of_init;
  };
  CHECK(is_of_init("Launch mode Parallel"));
  CHECK(is_of_init("ROCr version 1.15"));
  CHECK_FALSE(is_of_init("GIN Proxy will not be using GDRCopy"));
}

TEST_CASE("known formats: a warning that is read has its topic") {
  Event event;
  const auto topic_of = [&](std::string_view message) -> std::string_view {
    standard_matcher().match(message, event);
    REQUIRE(std::holds_alternative<Warned>(event));
    return std::get<Warned>(event).topic;
  };
  CHECK(topic_of("failed to open CUDA IPC handle : 217 peer access is not supported between these two devices") ==
        "p2p-failed");
  CHECK(topic_of("XML Import Channel : dev 9 not found.") == "topology-file-invalid");
  CHECK(topic_of("Unrecognized element token \"rng\" when parsing \"rng\"") == "algorithm-forced/unreadable");
  CHECK(topic_of("CUMEM not supported prior to CUDA 11.3") == "driver-too-old/cumem");
  CHECK(topic_of("Could not find real path of /sys/class/pci_bus/0000:3b/../../0000:3b:00.0") ==
        "topology-detect-failed");
  CHECK(topic_of("ncclSocketInit: connecting to address  with family 59936 is neither AF_INET(2) nor AF_INET6(10)") ==
        "internal-error");
  CHECK(topic_of("Cannot initialize CollNet, using point-to-point network instead") == "collnet-failed");
}

TEST_CASE("known formats: a time with an exponent is a number") {
  Event event;
  CHECK(standard_matcher().match(
            "init.cc:327 Cuda Host Alloc Size 4 pointer 0x7f2b32600200 seconds: cudaHostAlloc=6.2093e-05", event) !=
        nullptr);
}

TEST_CASE("messages: what each row makes of its example", "[docs]") {
  std::ostringstream out;
  Event event;
  for (const Family& family : fact_families()) {
    out << "# " << family.name << '\n';
    for (const Row& row : family.rows) {
      for (const std::string& example : examples_of(row)) {
        standard_matcher().match(example, event);
        out << example << "\n  " << event_of(example, event) << '\n';
      }
    }
  }
  check_file(std::filesystem::path(NCCL_ANALYZE_TESTDATA) / "formats/facts.golden", out.str());
}

}  // namespace nccl_analyze
