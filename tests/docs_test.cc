// Tests that generated pages and tables are up to date. With `NCCL_ANALYZE_ACCEPT=1`, writes them instead.

#include <algorithm>
#include <filesystem>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "catch.h"
#include "messages/page.h"
#include "nccl_analyze/report.h"
#include "queries/bandwidth_figures.h"
#include "queries/benchmarks.h"
#include "rules/advice/conditions.h"
#include "rules/advice/values.h"
#include "testdata.h"

namespace nccl_analyze {
namespace {

std::vector<std::filesystem::path> rule_documents() {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(source_folder() / "lib/rules"))
    if (entry.path().filename().string().starts_with("nca") && entry.path().extension() == ".md")
      paths.push_back(entry.path());
  std::ranges::sort(paths, {}, [](const std::filesystem::path& path) { return path.stem(); });
  return paths;
}

/// The rule of the document `nca308.md`.
const RuleInfo& rule_of(const std::filesystem::path& document) {
  return find_rule("NCA" + document.stem().string().substr(3))->info;
}

/// The index of the rules' documents, and what their steps can ask for and show.
std::string index_of_rules() {
  std::string page =
      "# Rules\n\nWhat each rule says, why it matters and what to do stands in its document. CONTRIBUTING.md describes "
      "the documents; `nccl-analyze explain RULE` prints one. Written by the target `docs`.\n\n"
      "| rule | | severity | fault |\n| --- | --- | --- | --- |\n";
  for (const std::filesystem::path& path : rule_documents()) {
    const RuleInfo& info = rule_of(path);
    const std::string link = path.lexically_relative(source_folder() / "lib/rules").generic_string();
    page.append("| [").append(info.id).append("](").append(link).append(") | ").append(info.name).append(" | ");
    page.append(to_string(info.severity)).append(" | ").append(info.words->title).append(" |\n");
  }
  page += "\n## Conditions\n\n| term | holds if |\n| --- | --- |\n";
  for (const Condition& condition : all_conditions()) {
    std::string argument(condition.argument);
    for (std::size_t at = 0; (at = argument.find('|', at)) != std::string::npos; at += 2) argument.insert(at, 1, '\\');
    page.append("| `").append(condition.name).append(argument.empty() ? "" : " ").append(argument);
    page.append("` | ").append(condition.about).append(" |\n");
  }
  page += "\n## Placeholders\n\n| placeholder | stands for |\n| --- | --- |\n";
  for (const Placeholder& placeholder : all_placeholders())
    page.append("| `{").append(placeholder.name).append("}` | ").append(placeholder.about).append(" |\n");
  return page;
}

/// A number of the tables; `not known` for 0.
std::string known(double number) { return number > 0 ? decimals(number) : "not known"; }

/// What the links of GPUs and machines carry.
std::string page_of_figures() {
  std::string page = "\nGPUs, in GB/s in one direction (";
  page.append(nvlink_source).append("; ").append(pcie_source).append("):\n\n");
  page += "| product name | NVLinks | each | V | PCIe x16 | NVLS |\n| --- | --- | --- | --- | --- | --- |\n";
  for (const GpuFigures& gpu : all_gpu_figures()) {
    const std::string links = gpu.nvlinks < 0 ? "not known" : std::to_string(gpu.nvlinks);
    page.append("| ").append(gpu.words).append(" | ").append(links).append(" | ");
    page.append(gpu.nvlinks > 0 ? decimals(gpu.nvlink) : "").append(" | ");
    page.append(known(gpu.nvlinks == 0 ? gpu.pcie_bandwidth() : gpu.all_nvlinks())).append(" | ");
    page.append(known(gpu.pcie_bandwidth())).append(" | ").append(gpu.nvls ? "yes" : "").append(" |\n");
  }
  page +=
      "\nMachines. The NICs are those for the traffic of GPUs; `nccl-analyze profiles NAME` prints the source of a "
      "row, unless the last column has it:\n\n"
      "| profile | GPUs | NICs | N | hosts that NVLink joins | |\n| --- | --- | --- | --- | --- | --- |\n";
  for (const MachineFigures& machine : all_machine_figures()) {
    const std::string nics =
        machine.nics == 0 ? "not known" : std::to_string(machine.nics) + " of " + decimals(machine.nic, 0) + " Gbit/s";
    page.append("| ").append(machine.name).append(" | ").append(std::to_string(machine.gpus)).append(" ");
    page.append(machine.gpu).append(" | ").append(nics).append(" | ").append(known(machine.network())).append(" | ");
    page.append(std::to_string(machine.nvlink_hosts)).append(" | ").append(machine.source).append(" |\n");
  }
  return page + "\n";
}

std::string written(void (*write)(std::ostream&)) {
  std::ostringstream out;
  write(out);
  return out.str();
}

/// Returns the text with the lines between two marker lines replaced.
std::string replace_between(const std::string& text, std::string_view begin, std::string_view end,
                            const std::string& middle) {
  const std::size_t from = text.find(begin);
  const std::size_t to = text.find(end);
  REQUIRE(from != std::string::npos);
  REQUIRE(to != std::string::npos);
  return text.substr(0, from + begin.size()) + "\n" + middle + text.substr(to);
}

/// Returns the paths of files and folders in this repository that a page names. A path with a placeholder is shortened
/// to the folder before the placeholder: `lib/rules/<family>/nca<id>_<name>.cc` to `lib/rules`.
std::vector<std::string> named_paths(std::string_view page) {
  constexpr std::string_view path_bytes = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./";
  std::vector<std::string> paths;
  for (const std::string_view folder : {".ci/", "cli/", "examples/", "include/", "lib/", "testdata/", "tests/"}) {
    for (std::size_t at = page.find(folder); at != std::string_view::npos; at = page.find(folder, at + 1)) {
      if (at > 0 && path_bytes.find(page[at - 1]) != std::string_view::npos) continue;
      const std::size_t end = std::min(page.find_first_not_of(path_bytes, at), page.size());
      std::string_view path = page.substr(at, end - at);
      const auto next = static_cast<unsigned char>(end < page.size() ? page[end] : ' ');
      const bool placeholder = next == '<' || next == '*' || next >= 0x80;  // A byte from 0x80 is part of `…`.
      if (placeholder) path = path.substr(0, path.rfind('/'));
      if (path.ends_with('.')) path.remove_suffix(1);
      paths.emplace_back(path);
    }
  }
  return paths;
}

}  // namespace

TEST_CASE("docs: the files that pages name are there") {
  for (const char* const page : {"README.md", "CONTRIBUTING.md", "tests/benchmark/README.md"}) {
    const std::vector<std::string> paths = named_paths(read_file(source_folder() / page));
    CHECK(!paths.empty());
    for (const std::string& path : paths) {
      INFO(page << " names " << path);
      CHECK(std::filesystem::exists(source_folder() / path));
    }
  }
}

TEST_CASE("docs: the page of rules", "[docs]") {
  check_file(source_folder() / "lib/rules/README.md", index_of_rules());
}

TEST_CASE("docs: the run in the README", "[docs]") {
  constexpr int shown_lines = 29;
  std::istringstream report(read_file(std::filesystem::path(NCCL_ANALYZE_TESTDATA) / "jobs/efa-fallback/expected.txt"));
  std::string block =
      "\n```\n$ cd testdata/jobs/efa-fallback && nccl-analyze input.log | head -" + std::to_string(shown_lines) + "\n";
  std::string line;
  for (int i = 0; i < shown_lines && std::getline(report, line); ++i) block += line + "\n";
  const auto readme = source_folder() / "README.md";
  check_file(readme, replace_between(read_file(readme), "<!-- output -->", "<!-- /output -->", block + "```\n\n"));
}

TEST_CASE("docs: the figures of bandwidth", "[docs]") {
  const auto page = source_folder() / "lib/queries/bandwidth.md";
  check_file(page, replace_between(read_file(page), "<!-- figures -->", "<!-- /figures -->", page_of_figures()));
}

TEST_CASE("docs: the page of messages", "[docs]") {
  check_file(source_folder() / "lib/messages/README.md", written(write_messages_markdown));
}

}  // namespace nccl_analyze
