// Tests that the C interface writes and merges summaries, compares runs, lists files and explains as the program does.

#include "nccl_analyze/summary.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <sstream>
#include <string>
#include <string_view>

#include "catch.h"
#include "nccl_analyze.h"
#include "nccl_analyze/compare.h"
#include "nccl_analyze/model.h"
#include "nccl_analyze/report.h"
#include "testdata.h"

namespace nccl_analyze {
namespace {

const std::string broken = std::string(NCCL_ANALYZE_TESTDATA) + "/jobs/efa-fallback/input.log";
const std::string healthy = std::string(NCCL_ANALYZE_TESTDATA) + "/jobs/healthy-1x4-nvlink/input.log";

/// Owns an analyzer and its last report.
struct Asked {
  nccl_analyze_analyzer* analyzer = nccl_analyze_new();
  nccl_analyze_report* report = nullptr;

  explicit Asked(bool keeps_summary = true) {
    if (keeps_summary) nccl_analyze_set(analyzer, "format", "summary");
  }
  Asked(const Asked&) = delete;
  Asked& operator=(const Asked&) = delete;
  ~Asked() {
    nccl_analyze_report_free(&report);
    nccl_analyze_free(&analyzer);
  }

  nccl_analyze_status set(const char* option, const char* value) { return nccl_analyze_set(analyzer, option, value); }
  nccl_analyze_status read(const std::string& path) {
    const char* const paths[] = {path.c_str()};
    return nccl_analyze_read(analyzer, paths, 1);
  }
  nccl_analyze_status merge(std::string_view summary, const char* name = "a summary") {
    return nccl_analyze_merge_bytes(analyzer, name, summary.data(), summary.size());
  }
  std::string summary() {
    char* text = nullptr;
    size_t size = 0;
    const nccl_analyze_status status = nccl_analyze_summary(analyzer, &text, &size);
    return taken(status, text, size);
  }
  std::string json() {
    char* text = nullptr;
    size_t size = 0;
    if (report == nullptr && nccl_analyze_finish(analyzer, &report) != NCCL_ANALYZE_OK) return {};
    const nccl_analyze_status status = nccl_analyze_render(report, "json", &text, &size);
    return taken(status, text, size);
  }
  std::string explain(const char* what, const char* format) {
    char* text = nullptr;
    size_t size = 0;
    const nccl_analyze_status status = nccl_analyze_explain(analyzer, what, format, &text, &size);
    return taken(status, text, size);
  }
  std::string error() const { return nccl_analyze_error(analyzer); }

 private:
  static std::string taken(nccl_analyze_status status, char* text, size_t size) {
    if (status != NCCL_ANALYZE_OK) return {};
    std::string copy(text, size);
    nccl_analyze_text_free(&text);
    return copy;
  }
};

std::string summary_of(const std::string& path) {
  Asked asked;
  asked.set("node", "node-1");
  return asked.read(path) == NCCL_ANALYZE_OK ? asked.summary() : std::string();
}

/// The report on the logs at once, without summaries.
std::string report_on_logs(std::initializer_list<std::string> paths) {
  Asked asked(false);
  for (const std::string& path : paths) asked.read(path);
  return asked.json();
}

}  // namespace

TEST_CASE("c_api: merged summaries give the report on their logs, and one summary in any order and grouping") {
  const std::string one = summary_of(broken), two = summary_of(healthy);
  REQUIRE(one.starts_with(R"({"schema": "nccl-analyze.summary")"));
  Asked asked;
  for (const std::string& summary : {two, one, two}) REQUIRE(asked.merge(summary) == NCCL_ANALYZE_OK);
  const std::string merged = asked.summary();
  CHECK(asked.json() == report_on_logs({broken, healthy}));
  Asked other;
  REQUIRE(other.merge(one) == NCCL_ANALYZE_OK);
  REQUIRE(other.merge(merged) == NCCL_ANALYZE_OK);
  CHECK(other.summary() == merged);
}

TEST_CASE("c_api: a summary of bytes that were fed is that of the file, with the origin that the options say") {
  const std::string text = read_file(broken);
  Asked asked;
  REQUIRE(asked.set("job", "7") == NCCL_ANALYZE_OK);
  REQUIRE(asked.set("step", "1") == NCCL_ANALYZE_OK);
  REQUIRE(asked.set("node", "node-1") == NCCL_ANALYZE_OK);
  for (std::size_t at = 0; at < text.size(); at += 1000)
    REQUIRE(nccl_analyze_feed(asked.analyzer, broken.c_str(), text.data() + at,
                              std::min<std::size_t>(1000, text.size() - at)) == NCCL_ANALYZE_OK);
  const std::string fed = asked.summary();
  Summary read;
  SummaryReader reader(read);
  REQUIRE(reader.feed(fed));
  REQUIRE(reader.finish().empty());
  REQUIRE(signatures_of(read).size() == 1);
  CHECK(signatures_of(read).front().writer ==
        SummaryWriter{.job = "7", .step = "1", .node = "node-1", .tool = version()});
  const std::string file = summary_of(broken);
  CHECK(fed.substr(fed.find("\"piece\"")) == file.substr(file.find("\"piece\"")));
  CHECK(asked.json() == report_on_logs({broken}));
}

TEST_CASE("c_api: a damaged summary fails, the others count, and the report names it") {
  const std::string whole = summary_of(broken);
  Asked asked;
  CHECK(asked.merge(whole.substr(0, whole.size() / 2), "half.sum") == NCCL_ANALYZE_FAILED);
  CHECK(asked.error().starts_with("cannot merge half.sum: "));
  CHECK(std::string(nccl_analyze_notice_so_far(asked.analyzer, 0)) == "error: " + asked.error());
  CHECK(nccl_analyze_notice_so_far(asked.analyzer, 1) == nullptr);
  REQUIRE(asked.merge(whole) == NCCL_ANALYZE_OK);
  CHECK(asked.json().find("half.sum") != std::string::npos);
  CHECK(nccl_analyze_notice_count(asked.report) == 1);
  CHECK(std::string(nccl_analyze_finding(asked.report, 0, "rule")) == "NCA301");
}

TEST_CASE("c_api: summaries are merged from files, and what a writer could not read is told") {
  const std::filesystem::path folder = std::filesystem::temp_directory_path() / "nccl_analyze_c_api_merge";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  Asked writer;
  REQUIRE(writer.set("node", "node-1") == NCCL_ANALYZE_OK);
  CHECK(writer.read("/nonexistent.log") == NCCL_ANALYZE_FAILED);
  REQUIRE(writer.read(broken) == NCCL_ANALYZE_OK);
  std::ofstream(folder / "a.sum") << writer.summary();
  std::ofstream(folder / "b.sum") << "no summary\n";
  const std::string path = folder.string();
  const char* const paths[] = {path.c_str()};
  Asked asked;
  REQUIRE(nccl_analyze_merge(asked.analyzer, paths, 1) == NCCL_ANALYZE_OK);
  CHECK(asked.json().find("/nonexistent.log") != std::string::npos);
  REQUIRE(nccl_analyze_notice_count(asked.report) == 2);
  CHECK(std::string(nccl_analyze_notice(asked.report, 0)).starts_with("error: cannot merge "));
  CHECK(std::string(nccl_analyze_notice(asked.report, 1)) ==
        "warning: on node-1: cannot read /nonexistent.log: No such file or directory");
  Asked none;
  const char* const nothing[] = {"/nonexistent.sum"};
  CHECK(nccl_analyze_merge(none.analyzer, nothing, 1) == NCCL_ANALYZE_FAILED);
  CHECK(none.error() == "cannot read /nonexistent.sum: No such file or directory");
  std::filesystem::remove_all(folder);
}

TEST_CASE("c_api: summaries need their option, and reports on them take the others") {
  Asked plain(false);
  CHECK(plain.set("format", "json") == NCCL_ANALYZE_FAILED);
  CHECK(plain.merge(summary_of(broken)) == NCCL_ANALYZE_FAILED);
  CHECK(plain.error() == "summaries need the option format with the value summary");
  CHECK(plain.summary().empty());
  Asked asked;
  REQUIRE(asked.set("baseline", healthy.c_str()) == NCCL_ANALYZE_OK);
  REQUIRE(asked.set("select", "NCA803") == NCCL_ANALYZE_OK);
  REQUIRE(asked.read(broken) == NCCL_ANALYZE_OK);
  nccl_analyze_report* early = nullptr;
  REQUIRE(nccl_analyze_look(asked.analyzer, &early) == NCCL_ANALYZE_OK);
  CHECK(nccl_analyze_finding_count(early) == 1);
  nccl_analyze_report_free(&early);
  CHECK(asked.json().find("baseline-differs") != std::string::npos);
}

TEST_CASE("c_api: two runs are compared") {
  Asked asked(false);
  REQUIRE(nccl_analyze_diff(asked.analyzer, healthy.c_str(), broken.c_str(), &asked.report) == NCCL_ANALYZE_OK);
  CHECK(std::string(nccl_analyze_verdict(asked.report)) == "different");
  CHECK(std::string(nccl_analyze_outcome(asked.report)).empty());
  CHECK(nccl_analyze_finding_count(asked.report) == 0);
  CHECK(asked.json().starts_with("{\n  \"schema\": \"nccl-analyze.diff\""));
  for (const char* const format : {"text", "markdown", "html"}) {
    char* text = nullptr;
    CHECK(nccl_analyze_render(asked.report, format, &text, nullptr) == NCCL_ANALYZE_OK);
    nccl_analyze_text_free(&text);
  }
  char* text = nullptr;
  CHECK(nccl_analyze_render(asked.report, "junit", &text, nullptr) == NCCL_ANALYZE_MISUSE);

  nccl_analyze_report* same = nullptr;
  REQUIRE(nccl_analyze_diff(asked.analyzer, broken.c_str(), broken.c_str(), &same) == NCCL_ANALYZE_OK);
  CHECK(std::string(nccl_analyze_verdict(same)) == "same");
  nccl_analyze_report_free(&same);
  CHECK(nccl_analyze_diff(asked.analyzer, "/nonexistent", broken.c_str(), &same) == NCCL_ANALYZE_FAILED);
  CHECK(asked.error() == "cannot read /nonexistent: No such file or directory");
  CHECK(nccl_analyze_notice_so_far(asked.analyzer, 0) == nullptr);  // It is about no log of the job.
  CHECK(same == nullptr);
  REQUIRE(asked.set("ignore", "netwrk") == NCCL_ANALYZE_OK);
  CHECK(nccl_analyze_diff(asked.analyzer, healthy.c_str(), broken.c_str(), &same) == NCCL_ANALYZE_FAILED);
  CHECK(asked.error() == "no topic of a comparison is called netwrk; did you mean network?");
}

TEST_CASE("c_api: rules and pasted lines are explained") {
  Asked asked(false);
  CHECK(asked.explain("NCA301", "text").starts_with("NCA301 net-plugin-failed (error)\n"));
  CHECK(asked.explain("net-plugin-failed", "json").find("\"id\": \"NCA301\"") != std::string::npos);
  std::ostringstream all;
  write_rules_json(all);
  CHECK(asked.explain("", "json") == all.str());
  CHECK(asked.explain("NCA3", "table").find("NCA301") == 0);
  CHECK(asked.explain("NCA3", "markdown").find("NCA301") != std::string::npos);
  CHECK(asked.explain("NCCL WARN Call to connect returned Connection refused\n", "text").find("NCA") !=
        std::string::npos);
  CHECK(asked.explain("NCA999", "text").empty());
  CHECK(!asked.error().empty());
  char* text = nullptr;
  CHECK(nccl_analyze_explain(asked.analyzer, "NCA3", "xml", &text, nullptr) == NCCL_ANALYZE_MISUSE);
}

TEST_CASE("c_api: files are listed as they would be read") {
  const std::filesystem::path folder = std::filesystem::temp_directory_path() / "nccl_analyze_c_api_list";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder / "below");
  std::filesystem::copy(broken, folder / "a.log");
  std::filesystem::copy(broken, folder / "below/copy.log");
  std::filesystem::copy(healthy, folder / "below/b.log");
  const std::string path = folder.string();
  const char* const paths[] = {path.c_str(), "/nonexistent"};
  Asked asked(false);
  char* text = nullptr;
  size_t size = 0;
  REQUIRE(nccl_analyze_list(asked.analyzer, paths, 2, &text, &size) == NCCL_ANALYZE_OK);
  std::string expected;
  for (const char* const name : {"/a.log", "/below/b.log"}) expected.append(path).append(name).append(1, '\0');
  CHECK(std::string(text, size) == expected);
  nccl_analyze_text_free(&text);
  CHECK(std::string(nccl_analyze_notice_so_far(asked.analyzer, 0)).find("copy.log is left out") != std::string::npos);
  CHECK(std::string(nccl_analyze_notice_so_far(asked.analyzer, 1)).starts_with("error: cannot read /nonexistent"));
  Asked kept;
  REQUIRE(nccl_analyze_list(kept.analyzer, paths, 2, &text, &size) == NCCL_ANALYZE_OK);
  nccl_analyze_text_free(&text);
  CHECK(kept.summary().find("cannot read /nonexistent") != std::string::npos);
  CHECK(nccl_analyze_list(asked.analyzer, paths + 1, 1, &text, &size) == NCCL_ANALYZE_FAILED);
  CHECK(asked.error() == "cannot read /nonexistent: No such file or directory");
  std::filesystem::remove_all(folder);
}

TEST_CASE("c_api: null is misuse in summaries and questions too") {
  CHECK(nccl_analyze_summary(nullptr, nullptr, nullptr) == NCCL_ANALYZE_MISUSE);
  CHECK(nccl_analyze_merge(nullptr, nullptr, 0) == NCCL_ANALYZE_MISUSE);
  CHECK(nccl_analyze_merge_bytes(nullptr, "a", "", 0) == NCCL_ANALYZE_MISUSE);
  CHECK(nccl_analyze_list(nullptr, nullptr, 0, nullptr, nullptr) == NCCL_ANALYZE_MISUSE);
  CHECK(nccl_analyze_diff(nullptr, "a", "b", nullptr) == NCCL_ANALYZE_MISUSE);
  CHECK(nccl_analyze_explain(nullptr, "NCA3", "text", nullptr, nullptr) == NCCL_ANALYZE_MISUSE);
  CHECK(nccl_analyze_notice_so_far(nullptr, 0) == nullptr);
  Asked asked;
  char* text = nullptr;
  CHECK(nccl_analyze_summary(asked.analyzer, nullptr, nullptr) == NCCL_ANALYZE_MISUSE);
  CHECK(nccl_analyze_merge(asked.analyzer, nullptr, 1) == NCCL_ANALYZE_MISUSE);
  CHECK(nccl_analyze_merge_bytes(asked.analyzer, nullptr, "", 0) == NCCL_ANALYZE_MISUSE);
  CHECK(nccl_analyze_merge_bytes(asked.analyzer, "a", nullptr, 1) == NCCL_ANALYZE_MISUSE);
  CHECK(nccl_analyze_list(asked.analyzer, nullptr, 1, &text, nullptr) == NCCL_ANALYZE_MISUSE);
  CHECK(nccl_analyze_diff(asked.analyzer, nullptr, "b", &asked.report) == NCCL_ANALYZE_MISUSE);
  CHECK(nccl_analyze_diff(asked.analyzer, "a", "b", nullptr) == NCCL_ANALYZE_MISUSE);
  CHECK(nccl_analyze_explain(asked.analyzer, nullptr, "text", &text, nullptr) == NCCL_ANALYZE_MISUSE);
  CHECK(nccl_analyze_explain(asked.analyzer, "NCA3", nullptr, &text, nullptr) == NCCL_ANALYZE_MISUSE);
  CHECK(nccl_analyze_explain(asked.analyzer, "NCA3", "text", nullptr, nullptr) == NCCL_ANALYZE_MISUSE);
  CHECK(text == nullptr);
}

}  // namespace nccl_analyze
