#include "redact/headings.h"

#include <algorithm>

#include "redact/bytes.h"

namespace nccl_analyze::redact {

bool is_heading(std::string_view line) {
  constexpr std::size_t longest = 200;
  constexpr std::string_view signs = " \t\r#()-=/|+";
  constexpr std::string_view words[] = {
      "job",   "summary", "errors", "warnings", "communicators", "nodes",   "processes", "gpus",    "total", "per",
      "node",  "process", "group",  "comms",    "ranks",         "status",  "in",        "comm",    "out",   "of",
      "place", "size",    "count",  "type",     "redop",         "root",    "time",      "algbw",   "busbw", "wrong",
      "b",     "us",      "gb",     "s",        "elements",      "devices", "using",     "missing", "error"};
  if (line.size() > longest) return false;
  bool has_word = false;
  for (std::size_t at = 0; at < line.size();) {
    const std::size_t end = end_of(line, at, is_letter);
    if (end == at && signs.find(line[at]) == std::string_view::npos) return false;
    if (end > at && !is_among(words, lowered(line.substr(at, end - at)))) return false;
    has_word = has_word || end > at;
    at = std::max(end, at + 1);
  }
  return has_word || line.find("===") != std::string_view::npos;
}

bool lists_gpu(std::string_view line) {
  constexpr std::string_view begin = "#  Rank ", pid = " Pid ", device = " device ";
  return line.starts_with(begin) && line.find(pid) < line.find(device) && line.find(device) != line.npos;
}

}  // namespace nccl_analyze::redact
