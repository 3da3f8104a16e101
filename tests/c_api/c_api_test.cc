// Tests the C interface: what a C program may do, and what it must not do but does.

#include <sys/stat.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <memory>
#include <new>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "c_api/border.h"
#include "catch.h"
#include "nccl_analyze.h"
#include "nccl_analyze/analyzer.h"
#include "nccl_analyze/report.h"
#include "testdata.h"

namespace nccl_analyze {
namespace {

const std::string jobs = std::string(NCCL_ANALYZE_TESTDATA) + "/jobs/";

/// Owns an analyzer and the reports made of it.
struct Job {
  nccl_analyze_analyzer* analyzer = nccl_analyze_new();
  nccl_analyze_report* report = nullptr;

  Job() = default;
  Job(const Job&) = delete;
  Job& operator=(const Job&) = delete;
  ~Job() {
    nccl_analyze_report_free(&report);
    nccl_analyze_free(&analyzer);
  }

  nccl_analyze_status read(const std::string& path) {
    const char* const paths[] = {path.c_str()};
    return nccl_analyze_read(analyzer, paths, 1);
  }
  nccl_analyze_status feed(std::string_view bytes, const char* source = "log") {
    return nccl_analyze_feed(analyzer, source, bytes.data(), bytes.size());
  }
  nccl_analyze_status finish() { return nccl_analyze_finish(analyzer, &report); }
  std::string error() const { return nccl_analyze_error(analyzer); }
  std::string render(const char* format) const {
    char* text = nullptr;
    size_t size = 0;
    if (nccl_analyze_render(report, format, &text, &size) != NCCL_ANALYZE_OK) return {};
    std::string rendered(text, size);
    nccl_analyze_text_free(&text);
    return rendered;
  }
};

std::string json_of(std::string_view log) {
  Analyzer analyzer;
  analyzer.feed("log", log);
  const Analysis analysis = std::move(analyzer).finish();
  std::ostringstream out;
  write_json(out, analysis.model, analysis.report);
  return out.str();
}

}  // namespace

TEST_CASE("c_api: the versions") {
  CHECK(nccl_analyze_api_version() == NCCL_ANALYZE_API_VERSION);
  CHECK(nccl_analyze_version() == version());
}

TEST_CASE("c_api: a log that is fed in pieces gives the report of the C++ library") {
  const std::string log = read_file(jobs + "efa-fallback/input.log");
  Job job;
  for (std::size_t at = 0; at < log.size(); at += 1000) REQUIRE(job.feed(log.substr(at, 1000)) == NCCL_ANALYZE_OK);
  REQUIRE(job.finish() == NCCL_ANALYZE_OK);
  CHECK(job.render("json") == json_of(log));
  CHECK(std::string(nccl_analyze_verdict(job.report)) == "error");
  CHECK(job.render("json").find("\"outcome\": \"" + std::string(nccl_analyze_outcome(job.report)) + "\"") !=
        std::string::npos);
  CHECK(std::string(nccl_analyze_headline(job.report)).starts_with("The network plugin failed: rank 0"));
  REQUIRE(nccl_analyze_finding_count(job.report) > 1);
  CHECK(std::string(nccl_analyze_finding(job.report, 0, "rule")) == "NCA301");
  CHECK(std::string(nccl_analyze_finding(job.report, 0, "severity")) == "error");
  CHECK(std::string(nccl_analyze_finding(job.report, 0, "place")).find("pid 152") != std::string::npos);
  CHECK(std::string(nccl_analyze_finding(job.report, 0, "fix")).find('\n') != std::string::npos);
  CHECK(nccl_analyze_finding(job.report, 0, "colour") == nullptr);
  CHECK(nccl_analyze_finding(job.report, 99, "rule") == nullptr);
}

TEST_CASE("c_api: paths are read as the program reads them") {
  const std::filesystem::path folder = std::filesystem::temp_directory_path() / "nccl_analyze_c_api_read";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  std::filesystem::copy(jobs + "rank-killed/input.log", folder / "a.log");
  std::filesystem::copy(jobs + "rank-killed/input.log", folder / "copy.log");
  std::filesystem::copy(jobs + "efa-fallback/expected.json", folder / "report.json");

  Job job;
  REQUIRE(job.read(folder.string()) == NCCL_ANALYZE_OK);
  CHECK(job.read("/nonexistent/x.log") == NCCL_ANALYZE_FAILED);
  CHECK(job.error() == "cannot read /nonexistent/x.log: No such file or directory");
  REQUIRE(job.finish() == NCCL_ANALYZE_OK);
  CHECK(std::string(nccl_analyze_finding(job.report, 0, "rule")) == "NCA606");
  REQUIRE(nccl_analyze_notice_count(job.report) == 2);
  CHECK(std::string(nccl_analyze_notice(job.report, 0)) == "warning: " + (folder / "copy.log").string() +
                                                               " is left out: it holds the same bytes as " +
                                                               (folder / "a.log").string());
  CHECK(std::string(nccl_analyze_notice(job.report, 1)).ends_with("it is a report of nccl-analyze"));
  CHECK(nccl_analyze_notice(job.report, 2) == nullptr);
  std::filesystem::remove_all(folder);
}

TEST_CASE("c_api: sources that are fed and paths that are read are one job") {
  Job job;
  REQUIRE(job.feed(read_file(jobs + "healthy-1x4-nvlink/input.log"), "fed") == NCCL_ANALYZE_OK);
  REQUIRE(job.read(jobs + "rank-killed/input.log") == NCCL_ANALYZE_OK);
  REQUIRE(nccl_analyze_end(job.analyzer, "fed") == NCCL_ANALYZE_OK);
  REQUIRE(nccl_analyze_end(job.analyzer, "never fed") == NCCL_ANALYZE_OK);
  REQUIRE(job.feed("one more line\n", "fed") == NCCL_ANALYZE_OK);
  REQUIRE(job.finish() == NCCL_ANALYZE_OK);
  const std::string json = job.render("json");
  const std::size_t first = json.find(R"("name": "fed")"), second = json.find("rank-killed/input.log");
  CHECK(first < second);
  CHECK(second < json.find(R"("name": "fed")", second));
}

TEST_CASE("c_api: a report on the log so far does not end the reading") {
  const std::string log = read_file(jobs + "efa-fallback/input.log");
  Job job;
  nccl_analyze_report* early = nullptr;
  REQUIRE(nccl_analyze_look(job.analyzer, &early) == NCCL_ANALYZE_OK);
  CHECK(std::string(nccl_analyze_verdict(early)) == "unknown");
  REQUIRE(job.feed(log) == NCCL_ANALYZE_OK);
  REQUIRE(job.finish() == NCCL_ANALYZE_OK);
  CHECK(job.render("json") == json_of(log));
  nccl_analyze_free(&job.analyzer);  // reports outlive their analyzer
  CHECK(std::string(nccl_analyze_verdict(early)) == "unknown");
  nccl_analyze_report_free(&early);
}

TEST_CASE("c_api: options are those of the program") {
  Job job;
  REQUIRE(nccl_analyze_set(job.analyzer, "select", "NCA3,NCA801") == NCCL_ANALYZE_OK);
  REQUIRE(nccl_analyze_set(job.analyzer, "ignore", "net-plugin-failed") == NCCL_ANALYZE_OK);
  REQUIRE(nccl_analyze_set(job.analyzer, "expect", "ranks=8") == NCCL_ANALYZE_OK);
  CHECK(nccl_analyze_set(job.analyzer, "colour", "red") == NCCL_ANALYZE_FAILED);
  CHECK(job.error() ==
        "no option is called colour; there are select, ignore, expect, profile, rules, baseline, format, job, step and "
        "node");
  REQUIRE(job.read(jobs + "efa-fallback/input.log") == NCCL_ANALYZE_OK);
  CHECK(nccl_analyze_set(job.analyzer, "select", "NCA4") == NCCL_ANALYZE_FAILED);
  CHECK(job.error() == "options are set before the first bytes are read, and select is late");
  REQUIRE(job.finish() == NCCL_ANALYZE_OK);
  std::string rules;
  for (size_t i = 0; i < nccl_analyze_finding_count(job.report); ++i)
    rules.append(nccl_analyze_finding(job.report, i, "rule")).append(" ");
  CHECK(rules.find("NCA801") != std::string::npos);
  CHECK(rules.find("NCA301") == std::string::npos);
  CHECK(rules.find("NCA2") == std::string::npos);
}

TEST_CASE("c_api: rules of a site outlive the analyzer in its report") {
  const std::filesystem::path file = std::filesystem::temp_directory_path() / "nccl_analyze_c_api_rules.json";
  std::ofstream(file) << R"({"rules": [{"id": "ACME1", "name": "uses-socket", "severity": "warning",
    "title": "The job uses sockets", "message": "Using network Socket", "fix": "Ask the network team."}]})";
  Job job;
  REQUIRE(nccl_analyze_set(job.analyzer, "rules", file.c_str()) == NCCL_ANALYZE_OK);
  REQUIRE(nccl_analyze_set(job.analyzer, "select", "ACME1") == NCCL_ANALYZE_OK);
  const nccl_analyze_status status = job.feed(read_file(jobs + "efa-fallback/input.log"));
  INFO(job.error());
  REQUIRE(status == NCCL_ANALYZE_OK);
  REQUIRE(job.finish() == NCCL_ANALYZE_OK);
  nccl_analyze_free(&job.analyzer);
  REQUIRE(nccl_analyze_finding_count(job.report) == 1);
  CHECK(std::string(nccl_analyze_finding(job.report, 0, "fix")) == "Ask the network team.");
  CHECK(job.render("text").find("ACME1 uses-socket") != std::string::npos);
  std::filesystem::remove(file);
}

TEST_CASE("c_api: a wrong value of an option fails in the call that reads, each time with its reason") {
  struct Wrong {
    const char *option, *value, *error;
  };
  for (const Wrong& one : {Wrong{"select", "sokcet-fallback", "did you mean socket-fallback?"},
                           Wrong{"expect", "nvlnk", "--expect: "}, Wrong{"profile", "p5.48xlareg", "no profile"},
                           Wrong{"rules", "/nonexistent.json", "cannot open /nonexistent.json: "}}) {
    Job job;
    REQUIRE(nccl_analyze_set(job.analyzer, one.option, one.value) == NCCL_ANALYZE_OK);
    for (int i = 0; i < 2; ++i) {
      CHECK(job.feed("a line\n") == NCCL_ANALYZE_FAILED);
      CHECK(job.error().find(one.error) != std::string::npos);
    }
    CHECK(job.finish() == NCCL_ANALYZE_FAILED);
    CHECK(job.report == nullptr);
  }
}

TEST_CASE("c_api: null is misuse everywhere, and freeing it does nothing") {
  nccl_analyze_free(nullptr);
  nccl_analyze_report_free(nullptr);
  nccl_analyze_text_free(nullptr);
  nccl_analyze_stop(nullptr);
  CHECK(nccl_analyze_set(nullptr, "select", "NCA3") == NCCL_ANALYZE_MISUSE);
  CHECK(nccl_analyze_feed(nullptr, "log", "", 0) == NCCL_ANALYZE_MISUSE);
  CHECK(nccl_analyze_end(nullptr, "log") == NCCL_ANALYZE_MISUSE);
  CHECK(nccl_analyze_read(nullptr, nullptr, 0) == NCCL_ANALYZE_MISUSE);
  CHECK(nccl_analyze_look(nullptr, nullptr) == NCCL_ANALYZE_MISUSE);
  CHECK(nccl_analyze_finish(nullptr, nullptr) == NCCL_ANALYZE_MISUSE);
  CHECK(std::string(nccl_analyze_error(nullptr)).empty());
  CHECK(std::string(nccl_analyze_verdict(nullptr)).empty());
  CHECK(std::string(nccl_analyze_outcome(nullptr)).empty());
  CHECK(std::string(nccl_analyze_headline(nullptr)).empty());
  CHECK(nccl_analyze_finding_count(nullptr) == 0);
  CHECK(nccl_analyze_finding(nullptr, 0, "rule") == nullptr);
  CHECK(nccl_analyze_notice_count(nullptr) == 0);
  CHECK(nccl_analyze_notice(nullptr, 0) == nullptr);
  char* text = nullptr;
  CHECK(nccl_analyze_render(nullptr, "json", &text, nullptr) == NCCL_ANALYZE_MISUSE);
  CHECK(nccl_analyze_render(nullptr, nullptr, nullptr, nullptr) == NCCL_ANALYZE_MISUSE);
}

TEST_CASE("c_api: null arguments are misuse, and the analyzer goes on") {
  Job job;
  const char* const paths[] = {"a.log", nullptr};
  CHECK(nccl_analyze_set(job.analyzer, nullptr, "NCA3") == NCCL_ANALYZE_MISUSE);
  CHECK(nccl_analyze_set(job.analyzer, "select", nullptr) == NCCL_ANALYZE_MISUSE);
  CHECK(nccl_analyze_feed(job.analyzer, nullptr, "x", 1) == NCCL_ANALYZE_MISUSE);
  CHECK(nccl_analyze_feed(job.analyzer, "log", nullptr, 1) == NCCL_ANALYZE_MISUSE);
  CHECK(nccl_analyze_feed(job.analyzer, "log", nullptr, 0) == NCCL_ANALYZE_OK);
  CHECK(nccl_analyze_end(job.analyzer, nullptr) == NCCL_ANALYZE_MISUSE);
  CHECK(nccl_analyze_read(job.analyzer, nullptr, 1) == NCCL_ANALYZE_MISUSE);
  CHECK(nccl_analyze_read(job.analyzer, paths, 0) == NCCL_ANALYZE_MISUSE);
  CHECK(nccl_analyze_read(job.analyzer, paths, 2) == NCCL_ANALYZE_MISUSE);
  CHECK(job.error() == "an argument is null");
  CHECK(nccl_analyze_look(job.analyzer, nullptr) == NCCL_ANALYZE_MISUSE);
  REQUIRE(job.finish() == NCCL_ANALYZE_OK);
  CHECK(job.error().empty());
  char* text = nullptr;
  CHECK(nccl_analyze_render(job.report, "jsn", &text, nullptr) == NCCL_ANALYZE_MISUSE);
  CHECK(text == nullptr);
}

TEST_CASE("c_api: what is freed twice is freed once, and what is finished refuses work") {
  Job job;
  REQUIRE(job.finish() == NCCL_ANALYZE_OK);
  CHECK(job.feed("late\n") == NCCL_ANALYZE_MISUSE);
  CHECK(job.error() == "the analyzer is finished");
  nccl_analyze_report* second = nullptr;
  CHECK(nccl_analyze_finish(job.analyzer, &second) == NCCL_ANALYZE_MISUSE);
  CHECK(second == nullptr);
  for (int i = 0; i < 2; ++i) {
    nccl_analyze_free(&job.analyzer);
    nccl_analyze_report_free(&job.report);
    CHECK(job.analyzer == nullptr);
    CHECK(job.report == nullptr);
  }
}

TEST_CASE("c_api: any bytes may be fed, and no text holds them raw") {
  std::string bytes = "node-\x1b[31m\xff<b>:1:1 [0] NCCL INFO Using network \xfe\x1b[0m\n";
  bytes +=
      std::string(3, '\0') + "\xc3\n" + std::string(std::size_t{4} << 20, 'x');  // zeros; a long line without an end
  bytes += "\nnode-\x1b[31m\xff<b>:1:1 [0] NCCL WARN Cuda failure 'out of memory \x1b]8;;\xe2\x80\xae'\n";
  Job job;
  REQUIRE(job.feed(bytes, "\xff\xfe\x1b[31m<i>") == NCCL_ANALYZE_OK);
  REQUIRE(job.finish() == NCCL_ANALYZE_OK);
  REQUIRE(nccl_analyze_finding_count(job.report) > 0);
  std::vector<std::string> texts{nccl_analyze_headline(job.report)};
  for (const char* const key : {"place", "message", "fix"})
    texts.emplace_back(nccl_analyze_finding(job.report, 0, key));
  for (const char* const format : {"json", "text", "markdown", "html", "html-fragment", "ranks", "trace", "junit",
                                   "sarif", "github", "prometheus", "otlp", "dot"})
    texts.push_back(job.render(format));
  for (const std::string& text : texts) {
    CHECK(!text.empty());
    CHECK(text.find('\x1b') == std::string::npos);
    CHECK(text.find('\xff') == std::string::npos);
  }
  CHECK(job.render("html-fragment").find("<b>") == std::string::npos);
}

TEST_CASE("c_api: the fragment has the verdict and the findings, no script and every element closed") {
  Job job;
  REQUIRE(job.read(jobs + "efa-fallback/input.log") == NCCL_ANALYZE_OK);
  REQUIRE(job.finish() == NCCL_ANALYZE_OK);
  const std::string html = job.render("html-fragment");
  CHECK(html.starts_with("<div class=\"nccl-analyze\">\n<section class=\"verdict error\">"));
  CHECK(html.find("NCA301") != std::string::npos);
  CHECK(html.find("<script") == std::string::npos);
  CHECK(html.find("Notes, checks and input") == std::string::npos);
  const auto count = [&](std::string_view part) {
    std::size_t found = 0;
    for (std::size_t at = html.find(part); at != std::string::npos; at = html.find(part, at + 1)) ++found;
    return found;
  };
  for (const char* const element : {"section", "details", "div", "pre", "ul"})
    CHECK(count(std::string("<").append(element)) == count(std::string("</").append(element)));
}

TEST_CASE("c_api: two analyzers in two threads give the reports of one") {
  const std::array<std::string, 2> logs{jobs + "efa-fallback/input.log", jobs + "rank-killed/input.log"};
  std::array<std::string, 2> alone, together;
  const auto judge_log = [](const std::string& path, std::string& json) {
    Job job;
    if (job.read(path) == NCCL_ANALYZE_OK && job.finish() == NCCL_ANALYZE_OK) json = job.render("json");
  };
  for (std::size_t i = 0; i < 2; ++i) judge_log(logs[i], alone[i]);
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < 2; ++i) threads.emplace_back([&, i] { judge_log(logs[i], together[i]); });
  for (std::thread& thread : threads) thread.join();
  CHECK(!alone[0].empty());
  CHECK(together == alone);
}

TEST_CASE("c_api: another thread stops a reading that waits for bytes") {
  const std::filesystem::path pipe = std::filesystem::temp_directory_path() / "nccl_analyze_c_api_pipe";
  std::filesystem::remove(pipe);
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  Job job;
  nccl_analyze_status status = NCCL_ANALYZE_OK;
  std::thread reader([&] { status = job.read(pipe.string()); });
  std::ofstream writer(pipe);  // Returns when the reader has opened the pipe.
  writer << "node-1:1:1 [0] NCCL INFO Using network Socket\n" << std::flush;
  nccl_analyze_stop(job.analyzer);
  reader.join();
  CHECK(status == NCCL_ANALYZE_STOPPED);
  CHECK(job.read(jobs + "rank-killed/input.log") == NCCL_ANALYZE_STOPPED);
  REQUIRE(job.finish() == NCCL_ANALYZE_OK);
  CHECK(std::string(nccl_analyze_notice(job.report, 0)).starts_with("warning: the reading was stopped"));
  std::filesystem::remove(pipe);
}

TEST_CASE("c_api: a baseline whose reading is stopped is left out of the report") {
  const std::filesystem::path pipe = std::filesystem::temp_directory_path() / "nccl_analyze_c_api_baseline";
  std::filesystem::remove(pipe);
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  Job job;
  REQUIRE(nccl_analyze_set(job.analyzer, "baseline", pipe.c_str()) == NCCL_ANALYZE_OK);
  nccl_analyze_status status = NCCL_ANALYZE_OK;
  std::thread reader([&] { status = job.read(jobs + "rank-killed/input.log"); });
  std::ofstream writer(pipe);  // Returns when the reader has opened the pipe.
  writer << "node-1:1:1 [0] NCCL INFO Using network Socket\n" << std::flush;
  nccl_analyze_stop(job.analyzer);
  reader.join();
  CHECK(status == NCCL_ANALYZE_STOPPED);
  REQUIRE(job.finish() == NCCL_ANALYZE_OK);
  CHECK(std::string(nccl_analyze_notice(job.report, 0)) ==
        "warning: the reading was stopped: the job is not compared with the baseline");
  std::filesystem::remove(pipe);
}

TEST_CASE("c_api: no exception passes the border, and what it left half done is not used again") {
  Job job;
  const auto no_memory = [](Session&) -> nccl_analyze_status { throw std::bad_alloc(); };
  CHECK(guarded(job.analyzer, true, no_memory) == NCCL_ANALYZE_NO_MEMORY);
  CHECK(job.feed("a line\n") == NCCL_ANALYZE_NO_MEMORY);
  CHECK(job.error() == "out of memory");

  Job other;
  const auto defect = [](Session&) -> nccl_analyze_status { throw std::length_error("too long\x1b"); };
  CHECK(guarded(other.analyzer, true, defect) == NCCL_ANALYZE_FAILED);
  CHECK(other.finish() == NCCL_ANALYZE_FAILED);
  CHECK(other.error() == "too long\\x1b");
}

}  // namespace nccl_analyze
