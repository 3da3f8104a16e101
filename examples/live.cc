// Reads a log from standard input while it is being written. Prints NCCL warnings at once, and the root cause at the
// end.

#include <nccl_analyze/analyzer.h>

#include <iostream>
#include <string>
#include <utility>

int main() {
  nccl_analyze::AnalyzerOptions options;
  options.on_record = [](const nccl_analyze::Record& record) {
    // The record's views are valid only until this function returns.
    if (record.level == nccl_analyze::Level::warn)
      std::cout << "line " << record.at.line << ": " << record.message << '\n';
  };
  nccl_analyze::Analyzer analyzer{std::move(options)};
  for (std::string line; std::getline(std::cin, line);) analyzer.feed("standard input", line + "\n");

  const nccl_analyze::Analysis analysis = std::move(analyzer).finish();
  if (!analysis.report.findings.empty()) {
    const nccl_analyze::Finding& first = analysis.report.findings.front();
    std::cout << first.rule->words->title << ": " << first.message << '\n';
  }
  return 0;
}
