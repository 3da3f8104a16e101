// Tests that output of other tools in front of, inside or after a log changes nothing of what the log says: the
// findings of both together are those of both apart.

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "catch.h"
#include "evidence/evidence_models.h"
#include "nccl_analyze/analyzer.h"
#include "nccl_analyze/event.h"
#include "nccl_analyze/parser.h"
#include "testdata.h"

namespace nccl_analyze {
namespace {

using Findings = std::set<std::pair<std::string_view, Severity>>;  ///< Rules with the severities of their findings.

/// Sample output of tools for which no folder of testdata/ has a separate file.
constexpr std::string_view table_document =
    "# nccl-tests version 2.17.6 nccl-headers=22805 nccl-library=22805\n"
    "# Collective test starting: all_reduce_perf\n"
    "# nThread 1 nGpus 1 minBytes 8 maxBytes 33554432 step: 2(factor) warmup iters: 1 iters: 20 agg iters: 1\n"
    "#\n"
    "# Using devices\n"
    "#  Rank  0 Group  0 Pid   4711 on   node-77 device  0 [0000:19:00] NVIDIA H100 80GB HBM3\n"
    "#\n"
    "#                                                              out-of-place                       in-place\n"
    "#       size         count      type   redop    root     time   algbw   busbw  #wrong     time   algbw   busbw  "
    "#wrong\n"
    "#        (B)    (elements)                               (us)  (GB/s)  (GB/s)             (us)  (GB/s)  (GB/s)\n"
    "    16777216       4194304     float     sum      -1   420.70   39.88   39.88       0   415.20   40.41   40.41    "
    "   "
    "7\n"
    "# Out of bounds values : 7 FAILED\n"
    "# Avg bus bandwidth    : 40.145 \n"
    "#\n";
constexpr std::string_view json_document =
    "{\"version\":3,\"start_time\":\"2026-01-31 10:00:00\",\"nccl_version\":22805,\n"
    "\"config\":{\"devices\":[{\"rank\":0,\"pid\":4711,\"hostname\":\"node-77\",\"device\":0,\n"
    "\"device_hex\":\"0000:19:00\",\"device_info\":\"NVIDIA H100\"}]},\n"
    "\"results\":[{\"size\":8388608,\"count\":2097152,\"type\":\"float\",\"redop\":\"sum\",\n"
    "\"out_of_place\":{\"time\":210.5,\"alg_bw\":39.85,\"bus_bw\":69.74,\"nwrong\":0.0},\"in_place\":null,\n"
    "\"experiment_name\":\"all_reduce_perf\"}],\"out_of_bounds\":{\"count\":0},\n"
    "\"average_bus_bandwidth\":{\"bandwidth\":62.1}\n"
    "}\n";
constexpr std::string_view graph_document =
    "<graphs version=\"1\">\n"
    "  <graph id=\"0\" pattern=\"4\" crossnic=\"0\" nchannels=\"1\" speedintra=\"40\" speedinter=\"40\" "
    "latencyinter=\"0\" "
    "typeintra=\"NVL\" typeinter=\"PIX\" samechannels=\"1\">\n"
    "    <channel>\n"
    "      <net dev=\"0\"/>\n"
    "      <gpu dev=\"0\" rank=\"0\"/>\n"
    "      <gpu dev=\"1\" rank=\"1\"/>\n"
    "      <net dev=\"0\"/>\n"
    "    </channel>\n"
    "  </graph>\n"
    "</graphs>\n";

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    lines.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return lines;
}

void add(const std::vector<Finding>& findings, Findings& into) {
  for (const Finding& finding : findings) {
    into.emplace(finding.rule->id, finding.severity());
    add(finding.consequences, into);
  }
}

Findings findings_in(const std::vector<NamedText>& texts) {
  Findings found;
  const Model model = model_of(texts);
  add(analyze(model).findings, found);
  return found;
}

/// How many records of NCCL a text shows.
std::uint64_t nccl_lines_in(const std::string& text) {
  return model_of(std::vector<NamedText>{{"log", text}}).sources[0].stats.nccl_lines;
}

struct Texts {
  std::vector<NamedText> logs, documents;
};

/// The texts of all cases: logs, and a few documents of each kind.
Texts texts_of_cases() {
  Texts texts;
  std::map<std::string, int> by_name;
  for (const char* const folder : {"rules", "jobs"})
    for (const Case& test : cases(folder))
      for (const auto& path : test.logs) {
        NamedText text{test.name + "/" + path.filename().string(), read_file(path)};
        const Model model = model_of(std::vector<NamedText>{text});
        if (model.sources[0].stats.nccl_lines > 0)
          texts.logs.push_back(std::move(text));
        else if (constexpr int enough = 3; model.has_tool_output() && ++by_name[path.stem().string()] <= enough)
          texts.documents.push_back(std::move(text));
      }
  texts.documents.push_back({"table", std::string(table_document)});
  texts.documents.push_back({"json", std::string(json_document)});
  texts.documents.push_back({"graph", std::string(graph_document)});
  return texts;
}

/// A document that is whole, cut in the middle of a line, or without its first lines.
std::string damaged(const std::string& document, std::size_t how) {
  const std::size_t middle = document.size() / 2;
  if (how == 1) return document.substr(0, middle) + "\n";
  if (how == 2) return document.substr(document.find('\n', middle) + 1);
  return document;
}

/// The place in a log, as a number of bytes, that is `part` quarters behind its beginning. Between two lines, both are
/// NCCL's and the second begins something new, so that no text or trail of an error is torn.
std::size_t place_in(std::string_view log, std::size_t part) {
  const std::vector<std::string_view> lines = lines_of(log);
  constexpr std::size_t parts = 4;
  const auto has = [](std::string_view line, std::string_view words) {
    return line.find(words) != std::string_view::npos;
  };
  for (std::size_t i = lines.size() * part / parts; part % parts != 0 && i < lines.size() && i > 0; ++i)
    if (has(lines[i - 1], " NCCL INFO ") && has(lines[i], " NCCL INFO ") && !has(lines[i], " -> "))
      return static_cast<std::size_t>(lines[i].data() - log.data());
  return part == 0 ? 0 : log.size();
}

/// A number that depends on the two names alone, so that a new case changes no pair of others (FNV-1a).
std::size_t number_of(std::string_view a, std::string_view b) {
  std::uint64_t number = 0xcbf29ce484222325;
  for (const std::string_view text : {a, b})
    for (const char c : text) number = (number ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return static_cast<std::size_t>(number >> 32U);
}

/// What rules may conclude from a document and a log together, which neither shows alone.
struct Joined {
  bool run = false;         ///< It says how the run went: results prove that failures before them were survived.
  bool machine = false;     ///< It describes a machine: NICs, links and switches, which the log then used or not.
  bool is_damaged = false;  ///< Nothing tells that the rest of it is none of the log: then the log seems to go on.
};

/// Whether the findings of both together are those of both apart. What a proven cause explains may be left out
/// (drop_inferred() in lib/rules/causes.cc).
bool are_same(const Findings& apart, const Findings& together, const Joined& joined) {
  constexpr std::string_view of_machines[] = {"NCA302", "NCA303", "NCA304", "NCA314", "NCA401", "NCA411", "NCA509"};
  const auto is_joined = [&](std::string_view id) {
    return (joined.is_damaged && (id == "NCA202" || id == "NCA608" || id == "NCA901")) ||
           (joined.machine && std::ranges::find(of_machines, id) != std::end(of_machines));
  };
  const auto is_known = [&](const auto& one) { return apart.contains(one) || is_joined(one.first); };
  const auto is_there = [&](const auto& one) {
    const RuleInfo& rule = find_rule(one.first)->info;
    return together.contains(one) || rule.only_if_unexplained || rule.provisional || is_joined(one.first);
  };
  return std::ranges::all_of(together, is_known) && std::ranges::all_of(apart, is_there);
}

/// The differences between two sets of findings.
std::string difference(const Findings& expected, const Findings& found) {
  std::string text;
  for (const auto& one : expected)
    if (!found.contains(one)) text.append(" -").append(one.first);
  for (const auto& one : found)
    if (!expected.contains(one)) text.append(" +").append(one.first);
  return text;
}

const std::string banner_line = "worker-0:101:101 [0] NCCL INFO NCCL version 2.27.3+cuda12.4\n";
const std::string cuda_error =
    "  what():  [PG 0 Rank 0] Process group watchdog thread terminated with exception: CUDA error: an illegal memory "
    "access was encountered\n";
constexpr std::string_view ibstat = "CA 'mlx5_0'\n\tCA type: MT4129\n\tPort 1:\n\t\tState: Active\n\t\tRate: 400\n";
constexpr std::string_view manifest =
    "apiVersion: v1\nkind: Pod\nmetadata:\n  name: a\nspec:\n  containers:\n  - name: main\nstatus:\n  phase: "
    "Running\n";
constexpr std::string_view manifest_json =
    "{\n  \"apiVersion\": \"v1\",\n  \"kind\": \"Pod\",\n  \"metadata\": {\n    \"name\": \"a\"\n  },\n"
    "  \"spec\": {\n    \"containers\": [\n      {\n        \"name\": \"main\"\n      }\n    ]\n  }\n}";

/// The lines at which a text reports errors of CUDA.
std::vector<std::uint64_t> lines_of_errors(const std::string& text) {
  std::vector<std::uint64_t> lines;
  const Model model = model_of(std::vector<NamedText>{{"log", text}});
  for (const Finding& finding : analyze(model).findings)
    if (finding.rule->name == "cuda-error")
      for (const LineRef at : finding.evidence.lines) lines.push_back(at.line);
  return lines;
}

}  // namespace

TEST_CASE("documents: a document and a log in one source lose no line, and give the findings of both apart") {
  const Texts texts = texts_of_cases();
  constexpr std::size_t ways = 3, places = 5;
  std::vector<std::string> documents;
  std::vector<Findings> of_documents;
  std::vector<Joined> joined;
  for (const NamedText& document : texts.documents)
    for (std::size_t how = 0; how < ways; ++how) {
      documents.push_back(damaged(document.text, how));
      of_documents.push_back(findings_in({{"document", documents.back()}}));
      const Model model = model_of(std::vector<NamedText>{document});
      joined.push_back({.run = !model.benchmarks.empty() || !model.ras_reports.empty(),
                        .machine = !model.machines.empty(),
                        .is_damaged = how > 0});
    }
  std::size_t trials = 0;
  for (NamedText log : texts.logs) {
    if (!log.text.ends_with('\n')) log.text += '\n';
    const Findings of_log = findings_in({log});
    for (std::size_t i = 0; i < texts.documents.size(); ++i) {
      constexpr std::size_t one_of = 36;
      const std::size_t number = number_of(log.name, texts.documents[i].name);
      if (number % one_of != 0) continue;
      ++trials;
      const std::size_t how = number / one_of % ways, place = number / one_of / ways % places;
      const std::size_t chosen = ways * i + how;
      Findings apart = of_log;
      apart.insert(of_documents[chosen].begin(), of_documents[chosen].end());
      std::string both = log.text;
      both.insert(place_in(log.text, place), documents[chosen]);
      const std::uint64_t lines = nccl_lines_in(log.text);
      INFO(log.name << " with " << texts.documents[i].name << " " << how << " at " << place);
      CHECK(nccl_lines_in(both) == lines);
      if (joined[chosen].run) continue;
      const Findings together = findings_in({{"both", both}});
      if (are_same(apart, together, joined[chosen])) continue;
      if (together == findings_in({{"document", documents[chosen]}, log})) continue;
      INFO(difference(apart, together));
      CHECK(together == apart);
    }
  }
  CHECK(trials > 100);
}

TEST_CASE("documents: what they cannot take is read as the log") {
  for (const std::string_view document : {ibstat, manifest, manifest_json})
    for (const std::size_t size : {document.size(), document.size() / 2}) {
      const std::string text = std::string(document.substr(0, size)) + "\n" + cuda_error;
      INFO(text);
      CHECK(lines_of_errors(text) == std::vector{static_cast<std::uint64_t>(std::ranges::count(text, '\n'))});
      CHECK(lines_of_errors(banner_line + text) ==
            std::vector{static_cast<std::uint64_t>(std::ranges::count(text, '\n') + 1)});
      check_same_report(text);
      check_same_report(banner_line + text + banner_line);
    }
}

TEST_CASE("documents: none begins in the middle of a line") {
  CHECK(lines_of_errors("w CA 'root' loaded\n" + cuda_error).size() == 1);
  CHECK(model_of_text("INFO apiVersion: v1\nkind: Pod\nspec:\n  containers:\n  - name: main\n").pods.size() == 1);
  CHECK(model_of_text("INFO kind: Pod\nspec:\n  containers:\n  - name: main\n").pods.empty());
  CHECK(model_of_text("[pod/a/b] kind: Pod\n[pod/a/b] spec:\n[pod/a/b]   containers:\n[pod/a/b]   - name: x\n")
            .pods.size() == 1);
}

TEST_CASE("documents: a table goes on behind the output of another tool") {
  std::string text(table_document);
  text.insert(text.find("    16777216"),
              "mlx5_0 port 1 ==> ib0 (Up)\n" + std::string(ibstat) + std::string(manifest_json) + "\n");
  const Model model = model_of_text(text);
  REQUIRE(model.benchmarks.size() == 1);
  REQUIRE(model.benchmarks[0].measurements.size() == 2);
  CHECK(model.benchmarks[0].measurements[1].wrong == 7);
  CHECK(model.machines.size() == 2);
  CHECK(model.pods.size() == 1);
  check_same_report(text);
}

TEST_CASE("documents: JSON in front of a log is read at once, and the log behind it as it comes") {
  std::size_t records = 0;
  std::uint64_t line = 0;
  Parser parser(SourceId{0}, [&](const Record& one) {
    ++records;
    line = one.at.line;
  });
  parser.feed(std::string(manifest_json) + "\n" + std::string(manifest_json));
  const std::size_t of_pods = records;
  CHECK(of_pods > 2);
  CHECK(line > 15);
  parser.feed("\n\n" + banner_line);
  parser.feed(banner_line);
  CHECK(records == of_pods + 2);
  CHECK(line == 31);
  parser.finish();
  CHECK(parser.stats().lines == 31);
  CHECK(parser.stats().document_lines == 28);
  CHECK(model_of_text(std::string(manifest_json) + banner_line).processes.size() == 1);
  CHECK(model_of_text(manifest_json).sources[0].stats.lines == 14);
}

TEST_CASE("documents: no line is lost behind JSON, however much follows") {
  const std::string filler = std::string(4000, 'x') + "\n";
  for (const std::size_t size : {manifest_json.size(), manifest_json.size() / 2}) {
    std::uint64_t line = 0;
    Parser parser(SourceId{0}, [&](const Record& one) { line = one.at.line; });
    parser.feed(manifest_json.substr(0, size));
    parser.feed("\n");
    for (std::size_t fed = 0; fed < (std::size_t{1} << 26) + filler.size(); fed += filler.size()) parser.feed(filler);
    parser.feed(banner_line);
    parser.finish();
    CHECK(line == parser.stats().lines);
    CHECK(parser.stats().nccl_lines == 1);
  }
}

TEST_CASE("documents: their lines are none of the log") {
  const std::string text = banner_line + std::string(ibstat) + "\n" + banner_line + std::string(manifest) + "tail\n";
  Parser parser(SourceId{0}, [](const Record&) {});
  parser.feed(text);
  parser.finish();
  const ParseStats& stats = parser.stats();
  CHECK(stats.lines == 18);
  CHECK(stats.document_lines == 14);
  CHECK(stats.log_lines_after(1) == 3);
  CHECK(stats.log_lines_after(3) == 3);
  CHECK(stats.log_lines_after(8) == 1);
  CHECK(stats.log_lines_after(18) == 0);
}

}  // namespace nccl_analyze
