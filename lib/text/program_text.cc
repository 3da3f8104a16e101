#include "text/program_text.h"

#include <algorithm>
#include <iterator>

#include "text/blanks.h"

namespace nccl_analyze {

namespace {

/// Removes the next line from `text` and returns it, without the blanks at its end.
std::string_view take_line(std::string_view& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return trimmed_end(line);
}

/// Whether `line` is a Markdown title and `rest`, the text after it, begins with an empty line. Output of programs may
/// begin with `# ` too, but without the empty line: nccl-tests, for example, prints several such lines in a row.
bool is_title(std::string_view line, std::string_view rest) {
  const std::size_t signs = std::min(line.find_first_not_of('#'), line.size());
  if (signs == 0 || signs > 6 || line.substr(signs, 1) != " ") return false;
  return !rest.empty() && take_line(rest).empty();
}

}  // namespace

bool begins_as_program_text(std::string_view beginning) {
  constexpr std::string_view mark = "\xEF\xBB\xBF", starts[] = {"#!",        "import ",      "def ", "class ", "\"\"\"",
                                                                "#include ", "#pragma once", "// ",  "/*"};
  if (beginning.starts_with(mark)) beginning.remove_prefix(mark.size());
  std::string_view line;
  while (line.empty() && !beginning.empty()) line = take_line(beginning);
  if (line.starts_with("from ") && line.find(" import ") != std::string_view::npos) return true;
  return is_title(line, beginning) ||
         std::ranges::any_of(starts, [&](std::string_view start) { return line.starts_with(start); });
}

bool is_name_of_program_text(std::string_view name) {
  constexpr std::string_view endings[] = {".py", ".pyi", ".ipynb", ".md",  ".rst", ".sh",  ".bash", ".sbatch", ".c",
                                          ".cc", ".cpp", ".cu",    ".cuh", ".h",   ".hpp", ".go",   ".rs",     ".js"};
  return std::ranges::any_of(endings, [&](std::string_view ending) { return name.ends_with(ending); });
}

}  // namespace nccl_analyze
