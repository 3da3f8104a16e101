#pragma once
// Finds NCCL's own words in a framework's report of a failed call: `NCCL error in: ..., NCCL version 2.20.5`, a line on
// the result, `Last error:`, and in the line after it the warning that NCCL printed last.

#include <cstddef>
#include <string>
#include <string_view>

namespace nccl_analyze {

class LastError {
 public:
  /// Whether a line that quotes a version begins such a report.
  static bool begins(std::string_view line) { return line.find("NCCL error") != std::string_view::npos; }
  void begin() { lines_left_ = report_lines; }
  /// The words behind `Last error:` on the same line; empty when there are none.
  static std::string_view inside(std::string_view line);
  /// The next line may belong to the report, whatever it holds.
  bool is_open() const { return lines_left_ > 0; }
  /// Reads the next line of an open report. Returns the warning that it quotes, mostly nothing.
  std::string_view read(std::string_view line);

 private:
  static constexpr int report_lines = 4;  ///< Until `Last error:` must have come.
  int lines_left_ = 0;
  bool announced_ = false;  ///< The line before said `Last error:`.
  std::string before_;      ///< What a launcher put in front of it.
};

}  // namespace nccl_analyze
