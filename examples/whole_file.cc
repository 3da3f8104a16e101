// Reads a log file, prints the findings, and writes an HTML page that can be attached to a ticket. usage: whole_file
// LOG [PAGE.html]

#include <nccl_analyze/analyzer.h>
#include <nccl_analyze/report.h>

#include <array>
#include <fstream>
#include <iostream>
#include <utility>

int main(int count, char** arguments) {
  if (count < 2) {
    std::cerr << "usage: whole_file LOG [PAGE.html]\n";
    return 2;
  }
  std::ifstream log(arguments[1], std::ios::binary);
  if (!log) {
    std::cerr << "whole_file: cannot read " << arguments[1] << '\n';
    return 2;
  }
  nccl_analyze::Analyzer analyzer;
  std::array<char, 1 << 16> buffer{};
  do {
    log.read(buffer.data(), buffer.size());
    analyzer.feed(arguments[1], {buffer.data(), static_cast<std::size_t>(log.gcount())});
  } while (log);

  const nccl_analyze::Analysis analysis = std::move(analyzer).finish();
  for (const nccl_analyze::Finding& finding : analysis.report.findings)
    std::cout << finding.rule->id << ' ' << to_string(finding.severity()) << ": " << finding.message << '\n';
  if (count > 2) {
    std::ofstream page(arguments[2]);
    write_html(page, analysis.model, analysis.report);
  }
  return 0;
}
