// Reads a log file, prints the verdict, the first step and whom to look at, and writes an HTML page that can be
// attached to a ticket. usage: whole_file LOG [PAGE.html]

#include <nccl_analyze/analyzer.h>
#include <nccl_analyze/report.h>
#include <nccl_analyze/rule_parts.h>

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

  const nccl_analyze::Analysis job = std::move(analyzer).finish();
  std::cout << to_string(job.verdict.status) << ": " << job.verdict.headline << '\n';
  if (!job.report.findings.empty()) {
    const nccl_analyze::Finding& first = job.report.findings.front();
    if (!first.steps.empty()) std::cout << "do: " << first.steps.front().text << '\n';
    for (const nccl_analyze::Suspect& suspect : first.suspects)
      std::cout << "look at: " << address_text(address_of(job.model, suspect, first.communicators)) << '\n';
  }
  if (count > 2) {
    std::ofstream page(arguments[2]);
    write_html(page, job.model, job.report);
  }
  return 0;
}
